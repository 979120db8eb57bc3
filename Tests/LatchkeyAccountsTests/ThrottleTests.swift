import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ThrottleTests {
    /// Fails `count` times, waiting as long as required, and returns the waits.
    ///
    /// At the longest delay, an attempt that is verified without a wait is the extra attempt of its window.
    private func waits(_ world: World, _ name: (Int) -> String?, count: Int) async -> [Duration] {
        var waits: [Duration] = []
        while waits.count < count {
            if case .throttled(let retryAfter) = await world.failure(signingIn: name(waits.count), "wrong password") {
                world.clock.advance(by: retryAfter)
                #expect(await world.failure(signingIn: name(waits.count), "wrong password") == .wrongCredentials)
                waits.append(retryAfter)
            } else if waits.count < 14 {
                waits.append(.zero)
            }
        }
        return waits
    }

    private static let expected: [Duration] = [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900].map {
        .seconds($0)
    }

    @Test func `the delays of an account follow the schedule`() async throws {
        let world = try World()
        try await world.create("ada")
        #expect(await waits(world, { _ in "ada" }, count: 16) == Self.expected)
    }

    /// S-45.
    @Test(arguments: ["grace", "grace@example.org", "00000000-0000-4000-8000-000000000000", "a b", "", nil])
    func `an unknown name is delayed like an account`(name: String?) async throws {
        let world = try World()
        #expect(await waits(world, { _ in name }, count: 16) == Self.expected)
    }

    /// S-17, S-45.
    @Test(arguments: [
        ["grace", "GRACE", "ｇｒａｃｅ", "Grace"],
        ["eve@example.org", "EVE@example.org", "eve@EXAMPLE.org", "Eve@Example.Org"],
        ["0000000a-0000-4000-8000-000000000000", "0000000A-0000-4000-8000-000000000000"],
    ])
    func `all spellings of an unknown name share a throttle`(names: [String]) async throws {
        let world = try World()
        #expect(await waits(world, { names[$0 % names.count] }, count: 16) == Self.expected)
    }

    /// S-44.
    @Test func `a stranger's failures do not affect other throttles`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        for _ in 0..<50 { _ = await world.failure(signingIn: "grace", "wrong password") }
        #expect(try await world.signIn("ada").account.id == account.id)
    }

    /// S-48.
    @Test(arguments: ["ada", "grace"])
    func `a blocked attempt is not hashed or booked, and does not extend the delay`(name: String) async throws {
        let world = try World()
        try await world.create("ada")
        for _ in 0..<8 {
            _ = await world.failure(signingIn: name, "wrong password")
            world.clock.advance(by: .seconds(16))
        }
        _ = await world.failure(signingIn: name, "wrong password")
        world.hasher.forgetWork()
        for step in 0..<320 {
            #expect(
                await world.failure(signingIn: name)
                    == .throttled(retryAfter: .seconds(32) - .milliseconds(100 * step)))
            world.clock.advance(by: .milliseconds(100))
        }
        #expect(world.hasher.work.isEmpty)
        #expect(await world.failure(signingIn: name, "wrong password") == .wrongCredentials)
        #expect(try await world.events().contains { $0.hasPrefix("excess_rate_limit_exceeded/") })
    }

    @Test func `a success clears the throttle`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        for _ in 0..<3 { _ = await world.failure(signingIn: "ada", "wrong password") }
        _ = try await world.signIn("ada")
        #expect(try await world.failures(in: .account(account.id)) == nil)
    }

    /// S-46.
    @Test func `an attempt is booked as a failure before it is verified`() async throws {
        let world = try World()
        let throttle = Throttle.account(try await world.create("ada").id)
        world.hasher.interrupt { _ in
            // If the process were killed here, the booking would remain.
            let failures = try? await world.failures(in: throttle)
            #expect(failures?.count == 1)
        }
        _ = try await world.signIn("ada")
        #expect(try await world.failures(in: throttle) == nil)
    }

    /// S-46.
    @Test func `of 64 concurrent guesses, only the number that the schedule allows is verified`() async throws {
        let world = try World(random: .system)
        try await world.create("ada")
        world.hasher.forgetWork()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<64 { group.addTask { _ = await world.failure(signingIn: "ada", "wrong password") } }
        }
        #expect(world.hasher.work.count == 4)
    }

    /// S-52.
    @Test(arguments: [-315_360_000, -3600, -1] as [Int64])
    func `a clock that goes back never extends a wait beyond its delay`(seconds: Int64) async throws {
        let world = try World()
        try await world.create("ada")
        // At the longest delay, one attempt in each window is verified, which would make the test depend on the key.
        for _ in 0..<13 {
            _ = await world.failure(signingIn: "ada", "wrong password")
            world.clock.advance(by: .seconds(900))
        }
        world.clock.advance(by: .seconds(-900))
        world.clock.advance(by: .seconds(seconds))
        #expect(await world.failure(signingIn: "ada") == .throttled(retryAfter: .seconds(512)))
        world.clock.advance(by: .seconds(511))
        #expect(await world.failure(signingIn: "ada") == .throttled(retryAfter: .seconds(1)))
        world.clock.advance(by: .seconds(1))
        _ = try await world.signIn("ada")
    }

    /// S-50.
    @Test func `if the store cannot count failures, every login is refused`() async throws {
        let world = try World()
        try await world.create("ada")
        world.hasher.forgetWork()
        world.store.fail { $0 == .setFailures ? .readOnly : nil }
        #expect(await world.failure(signingIn: "ada") == .store(.readOnly))
        #expect(world.hasher.work.isEmpty)
    }
}
