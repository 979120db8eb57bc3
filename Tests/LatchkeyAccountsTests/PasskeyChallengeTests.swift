import LatchkeyForms
import LatchkeyPasskeys
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// S-171: each challenge accepts one response, and the audit trail has the reason for each refusal.
@Suite(.timeLimit(.minutes(60)))
struct PasskeyChallengeTests {
    private let world: World
    private static let refused = AccountError.refused([RuleFailure(code: .passkey)])

    init() throws { world = try World() }

    private func failure(
        of assertion: PasskeyAssertion, pending: Secret? = nil, from address: String? = nil
    ) async -> AccountError? {
        let service = address.map { world.service.serving(RequestContext(source: RequestSource($0))) } ?? world.service
        return await world.failure { () async throws(AccountError) in
            _ = try await service.logIn(with: assertion, at: World.party, pending: pending)
        }
    }

    private func expectRefusal(
        _ failure: AccountError?, _ reason: PasskeyFailure, of account: AccountID?,
        _ place: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(failure == Self.refused, sourceLocation: place)
        let record = try #require(try await world.trail().last, sourceLocation: place)
        #expect(record.event == .factorFailed, sourceLocation: place)
        #expect(record.reason == "passkey_" + reason.rawValue, sourceLocation: place)
        #expect(record.account == account, sourceLocation: place)
    }

    @Test func `a challenge works once, even with an invalid response`() async throws {
        var (account, key, _) = try await world.createWithPasskey("ada")
        let used = try await world.service.beginPasskeyLogin(pending: nil).challenge
        #expect(await failure(of: key.assert(used)) == nil)
        try await expectRefusal(await failure(of: key.assert(used)), .wrongChallenge, of: account.id)
        let tried = try await world.service.beginPasskeyLogin(pending: nil).challenge
        key.flags = .userPresent
        try await expectRefusal(await failure(of: key.assert(tried)), .userNotVerified, of: account.id)
        key.flags = [.userPresent, .userVerified]
        try await expectRefusal(await failure(of: key.assert(tried)), .wrongChallenge, of: account.id)
    }

    @Test func `of many concurrent responses to one challenge, one succeeds`() async throws {
        let (_, key, _) = try await world.createWithPasskey("ada")
        let assertion = key.assert(try await world.service.beginPasskeyLogin(pending: nil).challenge)
        let winners = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<20 { group.addTask { await failure(of: assertion) == nil } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
    }

    @Test func `a challenge expires after five minutes, even if the clock goes back`() async throws {
        let (account, key, _) = try await world.createWithPasskey("ada")
        func challenge() async throws -> [UInt8] { try await world.service.beginPasskeyLogin(pending: nil).challenge }
        let (first, second) = (try await challenge(), try await challenge())
        let third = try await challenge()
        world.clock.advance(by: .milliseconds(299_999))
        #expect(await failure(of: key.assert(first)) == nil)
        world.clock.advance(by: .milliseconds(1))
        try await expectRefusal(await failure(of: key.assert(second)), .wrongChallenge, of: account.id)
        // Another login stores the current time. A further challenge would delete the expired ones.
        try await world.create("bo")
        _ = try await world.signIn("bo")
        world.clock.advance(by: .seconds(-60))
        try await expectRefusal(await failure(of: key.assert(third)), .wrongChallenge, of: account.id)
    }

    @Test func `a challenge is valid only in its network`() async throws {
        let (account, key, _) = try await world.createWithPasskey("ada")
        let service = world.service.serving(RequestContext(source: RequestSource("192.0.2.1")))
        for address in ["192.0.2.2", nil] {
            let challenge = try await service.beginPasskeyLogin(pending: nil).challenge
            try await expectRefusal(
                await failure(of: key.assert(challenge), from: address), .wrongChallenge, of: account.id)
        }
        let challenge = try await service.beginPasskeyLogin(pending: nil).challenge
        #expect(await failure(of: key.assert(challenge), from: "192.0.2.1") == nil)
    }

    @Test func `a challenge is valid only for its account and ceremony`() async throws {
        let (ada, key, added) = try await world.createWithPasskey("ada")
        let (grace, hers, _) = try await world.createWithPasskey("grace", 2)
        let pending = try await world.challenge(signingIn: "grace").token
        func ofAda() async throws -> [UInt8] {
            try await world.service.beginPasskey(for: .session(added.signIn.token)).challenge
        }
        // The challenges are for another account, for any account, and for a registration of the same account.
        try await expectRefusal(
            await failure(of: hers.assert(try await ofAda()), pending: pending), .wrongChallenge, of: grace.id)
        let anyone = try await world.service.beginPasskeyLogin(pending: nil).challenge
        try await expectRefusal(
            await failure(of: hers.assert(anyone), pending: pending), .wrongChallenge, of: grace.id)
        try await expectRefusal(await failure(of: key.assert(try await ofAda())), .wrongChallenge, of: ada.id)
        let own = try await world.service.beginPasskeyLogin(pending: pending).challenge
        try await expectRefusal(await failure(of: hers.assert(own)), .wrongChallenge, of: grace.id)
        let login = try await world.service.beginPasskeyLogin(pending: nil).challenge
        let registration = await world.failure { () async throws(AccountError) in
            _ = try await world.service.addPasskey(
                for: .session(added.signIn.token), SoftwareAuthenticator(3).register(login), named: "",
                at: World.party)
        }
        try await expectRefusal(registration, .wrongChallenge, of: ada.id)
    }

    @Test func `a signed registration response cannot be used for a login`() async throws {
        let (ada, key, added) = try await world.createWithPasskey("ada")
        var confused = key
        confused.type = "webauthn.create"
        let challenge = try await world.service.beginPasskeyLogin(pending: nil).challenge
        try await expectRefusal(await failure(of: confused.assert(challenge)), .wrongType, of: ada.id)
        // Both challenges are for the account, so only the type in the client data distinguishes them.
        let pending = try await world.challenge(signingIn: "ada").token
        let own = try await world.service.beginPasskey(for: .session(added.signIn.token)).challenge
        try await expectRefusal(
            await failure(of: confused.assert(own), pending: pending), .wrongType, of: ada.id)
    }

    @Test func `a cloned authenticator is detected by its counter`() async throws {
        var (ada, key, _) = try await world.createWithPasskey("ada")
        key.counter = 5
        #expect(await world.failure(loggingInWith: key) == nil)
        try await expectRefusal(await world.failure(loggingInWith: key), .counterRegressed, of: ada.id)
        key.counter = 0
        try await expectRefusal(await world.failure(loggingInWith: key), .counterRegressed, of: ada.id)
        key.counter = 6
        #expect(await world.failure(loggingInWith: key) == nil)
    }

    @Test func `a wrong origin, party, key or credential is refused with its reason`() async throws {
        let (ada, key, _) = try await world.createWithPasskey("ada")
        var changed = key
        changed.origin = "https://localhost:8421"
        try await expectRefusal(await world.failure(loggingInWith: changed), .wrongOrigin, of: ada.id)
        changed = key
        changed.relyingPartyID = "example.org"
        try await expectRefusal(await world.failure(loggingInWith: changed), .wrongRelyingParty, of: ada.id)
        changed = SoftwareAuthenticator(7, credentialID: key.credentialID)
        changed.userHandle = key.userHandle
        try await expectRefusal(await world.failure(loggingInWith: changed), .wrongSignature, of: ada.id)
        changed = SoftwareAuthenticator(8)
        changed.userHandle = key.userHandle
        try await expectRefusal(await world.failure(loggingInWith: changed), .wrongCredential, of: nil)
        changed = key
        changed.userHandle = Array(repeating: 0, count: 16)
        try await expectRefusal(await world.failure(loggingInWith: changed), .wrongUser, of: ada.id)
        #expect(await world.failure(loggingInWith: key) == nil)
    }

    @Test(arguments: ["", "{", #"{"type":"webauthn.get","challenge":"AAAA","origin":"x"}"#])
    func `client data without a known challenge is refused`(text: String) async throws {
        let (_, key, _) = try await world.createWithPasskey("ada")
        let assertion = PasskeyAssertion(
            credentialID: key.credentialID, clientDataJSON: Array(text.utf8), authenticatorData: [], signature: [],
            userHandle: nil)
        #expect(await failure(of: assertion) == Self.refused)
    }

    /// The number of stored challenges, open or answered.
    private func stored() async throws -> Int { world.store.operations.count { $0 == .insertPasskeyChallenge } }

    @Test func `challenges for anyone and responses of strangers take no room`() async throws {
        let (_, key, _) = try await world.createWithPasskey("ada")
        let first = try await world.service.beginPasskeyLogin(pending: nil).challenge
        world.store.forgetOperations()
        for _ in 0..<1000 { _ = try await world.service.beginPasskeyLogin(pending: nil) }
        #expect(world.store.operations.isEmpty)
        let stranger = SoftwareAuthenticator(9)
        for _ in 0..<10 {
            let challenge = try await world.service.beginPasskeyLogin(pending: nil).challenge
            #expect(await failure(of: stranger.assert(challenge)) == Self.refused)
        }
        #expect(try await stored() == 0)
        #expect(await failure(of: key.assert(first)) == nil)
        #expect(try await stored() == 1)
    }

    @Test func `every challenge for anyone is different, and a changed one is refused`() async throws {
        let (ada, key, _) = try await world.createWithPasskey("ada")
        var challenges: Set<[UInt8]> = []
        for _ in 0..<100 { challenges.insert(try await world.service.beginPasskeyLogin(pending: nil).challenge) }
        #expect(challenges.count == 100 && challenges.allSatisfy { $0.count == 32 })
        let challenge = try #require(challenges.first)
        for index in 0..<32 {
            var changed = challenge
            changed[index] ^= 1
            try await expectRefusal(await failure(of: key.assert(changed)), .wrongChallenge, of: ada.id)
        }
        #expect(await failure(of: key.assert(challenge)) == nil)
    }

    @Test func `a challenge from a clock that was ahead is refused`() async throws {
        let (ada, key, _) = try await world.createWithPasskey("ada")
        world.clock.advance(by: .seconds(600))
        let challenge = try await world.service.beginPasskeyLogin(pending: nil).challenge
        world.clock.advance(by: .seconds(-301))
        try await expectRefusal(await failure(of: key.assert(challenge)), .wrongChallenge, of: ada.id)
    }

    /// Otherwise the response could be submitted again through another ceremony.
    @Test func `an answered challenge stays answered until it expires`() async throws {
        let (ada, key, _) = try await world.createWithPasskey("ada")
        let assertion = key.assert(try await world.service.beginPasskeyLogin(pending: nil).challenge)
        #expect(await failure(of: assertion) == nil)
        let pending = try await world.challenge(signingIn: "ada").token
        try await expectRefusal(await failure(of: assertion, pending: pending), .wrongChallenge, of: ada.id)
        world.clock.advance(by: .milliseconds(299_999))
        _ = try await world.service.maintain(by: .owner)
        try await expectRefusal(await failure(of: assertion), .wrongChallenge, of: ada.id)
        world.clock.advance(by: .milliseconds(1))
        _ = try await world.service.maintain(by: .owner)
        try await expectRefusal(await failure(of: assertion), .wrongChallenge, of: ada.id)
    }

    @Test func `ten challenges of an account in one network wait, whatever others request`() async throws {
        let (_, key, _) = try await world.createWithPasskey("ada")
        _ = try await world.createWithPasskey("grace", 2)
        func begin(_ name: String, from address: String) async throws -> (pending: Secret, challenge: [UInt8]) {
            let service = world.service.serving(RequestContext(source: RequestSource(address)))
            let pending = try await world.challenge { () async throws(AccountError) in
                _ = try await service.authenticate(identifier: name, password: Secret(World.password))
            }.token
            return (pending, try await service.beginPasskeyLogin(pending: pending).challenge)
        }
        let (pending, first) = try await begin("ada", from: "192.0.2.1")
        for _ in 0..<12 {
            _ = try await begin("ada", from: "192.0.2.2")
            _ = try await begin("grace", from: "192.0.2.1")
        }
        #expect(await failure(of: key.assert(first), pending: pending, from: "192.0.2.1") == nil)
        let (waiting, second) = try await begin("ada", from: "192.0.2.1")
        world.clock.advance(by: .milliseconds(1))
        let own = world.service.serving(RequestContext(source: RequestSource("192.0.2.1")))
        for _ in 0..<10 { _ = try await own.beginPasskeyLogin(pending: waiting) }
        #expect(await failure(of: key.assert(second), pending: waiting, from: "192.0.2.1") == Self.refused)
    }
}
