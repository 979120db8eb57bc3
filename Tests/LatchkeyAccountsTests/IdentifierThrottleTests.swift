import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// The wait after a failed login must not reveal whether accounts exist or which identifiers belong together.
@Suite(.timeLimit(.minutes(60)))
struct IdentifierThrottleTests {
    private static let wrong = "wrong password"

    /// The responses to `count` wrong guesses that alternate between the names.
    private func answers(
        _ world: World, _ names: [String], count: Int, every interval: Duration
    ) async -> [AccountError?] {
        var answers: [AccountError?] = []
        for number in 0..<count {
            answers.append(await world.failure(signingIn: names[number % names.count], Self.wrong))
            world.clock.advance(by: interval)
        }
        return answers
    }

    /// S-129, S-36.
    @Test(arguments: [0, 1, 20, 300, 900], ["", "192.0.2.1"])
    func `waits do not reveal whether two identifiers belong to one account`(seconds: Int, source: String)
        async throws
    {
        let one = try World(source: source)
        let id = try await one.create("ada").id.text
        let two = try World(source: source)
        for (name, email) in [("ada", "bo@example.org"), ("bo", "ada@example.org")] {
            _ = try await two.service.create(
                AccountDraft(username: name, email: email, password: Secret(World.password)), by: .owner)
        }
        let none = try World(source: source)
        // With a source, failures count double beyond ten names. The number of an account's names must not matter.
        let names =
            ["ada", "ada@example.org", id] + (source.isEmpty ? [] : (1...8).map { "ghost\($0)" })
        let seen = await answers(one, names, count: 80, every: .seconds(seconds))
        #expect(await answers(two, names, count: 80, every: .seconds(seconds)) == seen)
        #expect(await answers(none, names, count: 80, every: .seconds(seconds)) == seen)
        #expect(seen.contains(.wrongCredentials))
    }

    /// S-17, S-129.
    @Test
    func
        `guesses by all identifiers count together, and a blocked account looks like a wrong password`()
        async throws
    {
        let world = try World()
        let account = try await world.create("ada")
        for _ in 0..<4 {
            #expect(await world.failure(signingIn: "ada", Self.wrong) == .wrongCredentials)
        }
        world.hasher.forgetWork()
        for name in ["ada@example.org", account.id.text.uppercased()] {
            #expect(await world.failure(signingIn: name) == .wrongCredentials)
            #expect(try await world.events().last == "authn_login_fail/throttled")
        }
        #expect(world.hasher.work == [.verify(decoy: true), .verify(decoy: true)])
        #expect(try await world.failures(in: .account(account.id))?.total == 4)
        #expect(await world.failure(signingIn: "ADA") == .throttled(retryAfter: .seconds(1)))
        world.clock.advance(by: .seconds(1))
        #expect(try await world.signIn("ada@example.org").failedBefore?.count == 4)
    }

    /// S-130: under this key, each of these names shares a row with "ada".
    @Test func `names that share a throttle reveal nothing about each other`() async throws {
        let sharing = ["ghost222424", "ghost39035"]
        let key = try #require(StoreKey(Secret(String(repeating: "k", count: 32))))
        #expect(key.throttle(ofIdentifier: sharing[0]) == key.throttle(ofIdentifier: "ada"))
        #expect(key.throttle(ofUnknownName: sharing[1]) == key.throttle(ofUnknownName: "ada"))
        for prefilled in 0...5 {
            var seen: [[AccountError?]] = []
            for isKnown in [true, false] {
                let world = try World()
                if isKnown { try await world.create("ada") }
                var replies = await answers(world, sharing, count: 2 * prefilled, every: .seconds(20))
                replies += await answers(world, ["ada"], count: 6, every: .zero)
                replies += await answers(world, ["ada"] + sharing, count: 30, every: .seconds(3))
                seen.append(replies)
            }
            #expect(seen[0] == seen[1])
        }
    }

    /// S-49, S-53.
    @Test(arguments: ["recovery", "operator", "unlock"])
    func `every way to unlock an account unlocks all its identifiers`(way: String) async throws {
        let world = try World()
        let account = try await world.create("ada")
        let names = ["ada", "ada@example.org", account.id.text]
        for name in names { _ = await answers(world, [name], count: 5, every: .zero) }
        var password = "another good one"
        switch way {
        case "recovery":
            let code = try await world.recoveryCode(for: "ada@example.org")
            try await world.service.finishRecovery(code: code, password: Secret(password))
        case "operator":
            _ = try await world.service.setPassword(
                of: .id(account.id), to: Secret(password), mustChangePassword: false, by: .owner)
        default:
            password = World.password
            try await world.service.unlock(.id(account.id), by: .owner)
        }
        for name in names {
            #expect(await world.failure(signingIn: name, Self.wrong) == .wrongCredentials)
        }
        _ = try await world.signIn("ada", password)
    }

    @Test func `a login unlocks only the typed identifier`() async throws {
        let world = try World()
        try await world.create("ada")
        _ = await answers(world, ["ada"], count: 4, every: .zero)
        world.clock.advance(by: .seconds(1))
        _ = await answers(world, ["ada"], count: 1, every: .zero)
        _ = await answers(world, ["ada@example.org"], count: 4, every: .zero)
        world.clock.advance(by: .seconds(1))
        _ = await answers(world, ["ada@example.org"], count: 1, every: .zero)
        world.clock.advance(by: .seconds(1))
        _ = try await world.signIn("ada")
        #expect(await world.failure(signingIn: "ada", Self.wrong) == .wrongCredentials)
        #expect(
            await world.failure(signingIn: "ada@example.org") == .throttled(retryAfter: .seconds(1)))
    }
}
