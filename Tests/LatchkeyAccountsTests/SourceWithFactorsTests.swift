import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// S-44: the throttle of a source together with second factors, app passwords and known devices.
@Suite(.timeLimit(.minutes(60)))
struct SourceWithFactorsTests {
    private static let source = "192.0.2.1"
    private let world: World

    init() throws { world = try World(source: Self.source) }

    /// The failures of the source.
    private func failures(_ world: World? = nil) async throws -> Int {
        let row = World.key.row(of: try #require(RequestSource(Self.source)))
        return try await (world ?? self.world).store.read { (store) throws(AccountError) in
            try store.failures(ofSource: row)?.count ?? 0
        }
    }

    private func appFailure(_ name: String, _ password: Secret) async -> AccountError? {
        await world.failure { () async throws(AccountError) in
            _ = try await world.service.verifyAppLogin(identifier: name, password: password)
        }
    }

    @Test func `a correct password with a pending factor is not counted for the source`() async throws {
        let (_, phone, _) = try await world.createWithFactor("ada")
        for _ in 0..<30 { _ = try await world.challenge(signingIn: "ada") }
        #expect(try await failures() == 0)
        await #expect(throws: AccountError.factorRequired(nil)) {
            try await world.service.verifyCredentials(identifier: "ada", password: Secret(World.password))
        }
        #expect(try await failures() == 0)
        let challenge = try await world.challenge(signingIn: "ada")
        for _ in 0..<3 { _ = await world.failure(finishing: challenge, Secret("000000")) }
        #expect(try await failures() == 0, "wrong codes have separate throttles")
        #expect(await world.failure(signingIn: "ada", "wrong") == .wrongCredentials)
        #expect(try await failures() == 1)
        #expect(await world.failure(finishing: challenge, phone.code(world.clock)) == nil)
        #expect(try await failures() == 1, "a success withdraws only its own booking")
    }

    @Test func `a correct password with a pending enrolment is not counted for the source`() async throws {
        var settings = AccountSettings()
        settings.factors = .required
        let world = try World(settings: settings, source: Self.source)
        try await world.create("ada")
        for _ in 0..<30 {
            guard case .enrolmentRequired? = await world.failure(signingIn: "ada") else {
                Issue.record("no enrolment")
                return
            }
        }
        #expect(try await failures(world) == 0)
    }

    @Test func `app passwords are not counted for the source, and other passwords are`() async throws {
        try await world.create("ada")
        let (_, added) = try await world.addFactor(for: .session(try await world.signIn("ada").token))
        let created = try await world.service.createAppPassword(token: added.signIn.token, name: "Mail")
        let text = try #require(created?.1)
        for _ in 0..<30 { #expect(await appFailure("ada", text) == nil) }
        #expect(try await failures() == 0)
        for (number, password) in ["wrong", World.password, "0123-4567-89AB-CDEF-GHJK-MNPQ"].enumerated() {
            #expect(await appFailure("ada", Secret(password)) == .wrongCredentials)
            #expect(try await failures() == number + 1)
        }
        #expect(await appFailure("ada", text) == nil)
        #expect(try await failures() == 3)
    }

    @Test func `a blocked source blocks passwords, but no known device and no passkey`() async throws {
        let (_, key, _) = try await world.createWithPasskey("ada")
        let bo = try await world.create("bo")
        let first = try await world.service.on(.new).authenticate(identifier: "bo", password: Secret(World.password))
        let device = DeviceClaim.token(try #require(first.device))
        for number in 0..<16 { _ = await world.failure(signingIn: "user\(number)", "wrong") }
        let blocked = try await failures()
        #expect(blocked > SourceThrottleSchedule.free)
        func isThrottled(_ failure: AccountError?) -> Bool { if case .throttled? = failure { true } else { false } }
        #expect(isThrottled(await world.failure(signingIn: "bo")))
        #expect(isThrottled(await appFailure("bo", Secret(World.password))))
        let known = world.service.on(device)
        for password in ["wrong", World.password] {
            let failure = await world.failure { () async throws(AccountError) in
                _ = try await known.authenticate(identifier: "bo", password: Secret(password))
            }
            #expect(failure == (password == "wrong" ? .wrongCredentials : nil))
        }
        #expect(await world.failure(loggingInWith: key) == nil)
        let session = try await known.authenticate(identifier: bo.id.text, password: Secret(World.password))
        for password in ["wrong", World.password] {
            _ = await world.failure { () async throws(AccountError) in
                _ = try await world.service.reauthenticate(token: session.token, password: Secret(password))
            }
        }
        #expect(try await failures() == blocked, "none of them counts for the source")
    }
}
