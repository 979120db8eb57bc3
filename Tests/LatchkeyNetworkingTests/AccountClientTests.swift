import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets
import TestSupport
import Testing

/// The owner's calls that are not flows, in this process and over HTTP.
@Suite(.timeLimit(.minutes(60)))
struct AccountClientTests {
    typealias Way = NetworkingWorld.Way

    @Test(arguments: Way.allCases)
    func `an owner lists and ends sessions`(way: Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create()
        _ = await world.logIn()
        let first = try #require(world.sessionStore.kept)
        try world.sessionStore.forget()
        _ = await world.logIn()
        let token = try #require(world.sessionStore.kept)
        let client = world.networking
        let own = try #require(await client.session(of: token))
        #expect(own.account.username == "ada" && own.isFull && own.hasRecentPassword)
        let sessions = try await client.sessions(of: token)
        #expect(sessions.map(\.isOwn).sorted { $0 && !$1 } == [true, false])
        #expect(try await client.endSessions(.one("00000000"), of: token).count == 0)
        #expect(try await client.endSessions(.one("../account"), of: token).count == 0)
        #expect(try await client.endSessions(.others, of: token).count == 1)
        #expect(try await client.session(of: first) == nil)
        #expect(try await client.endSessions(.all, of: token).count == 1)
        #expect(try await !client.endSession(of: token))
        let refusal = await refusal(by: client) { (client) async throws(ClientError) in
            try await client.sessions(of: token)
        }
        #expect(refusal == .noSession)
    }

    @Test(arguments: Way.allCases)
    func `a session that must change the password is limited`(way: Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create(mustChangePassword: true)
        #expect(await world.logIn().code == .changeRequired)
        let token = try #require(world.sessionStore.kept)
        let own = try #require(await world.networking.session(of: token))
        #expect(own.account.username == "ada" && !own.isFull)
        let refusal = await refusal(by: world.networking) { (client) async throws(ClientError) in
            try await client.factors(of: token)
        }
        #expect(refusal == .changeRequired)
    }

    @Test(arguments: Way.allCases)
    func `a change requires a recent password`(way: Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create()
        _ = await world.logIn()
        let token = try #require(world.sessionStore.kept)
        world.clock.advance(by: .seconds(3600))
        #expect(try await world.networking.session(of: token)?.hasRecentPassword == false)
        let refusal = await refusal(by: world.networking) { (client) async throws(ClientError) in
            try await client.endSessions(.others, of: token)
        }
        #expect(refusal == .reauthenticationRequired)
    }

    @Test(arguments: Way.allCases)
    func `an owner lists and removes second factors`(way: Way) async throws {
        let world = try NetworkingWorld(way)
        try await world.create()
        _ = await world.logIn()
        let client = world.networking
        var token = try #require(world.sessionStore.kept)
        #expect(try await client.factors(of: token).addedAt == nil)
        #expect(try await client.replaceSavedCodes(of: token) == nil)
        #expect(try await !client.removeAuthenticator(of: token))
        guard case .authenticator(_, let secret)? = await world.addFactor().disclosure,
            let phone = Phone(typeableSecret: secret)
        else { throw FactorFlowTests.NoDisclosure() }
        #expect(await world.addFactor(phone.code(world.clock)).code == .success)
        token = try #require(world.sessionStore.kept)
        let factors = try await client.factors(of: token)
        #expect(factors.addedAt != nil && factors.savedCodes == 10 && factors.passkeys.isEmpty)
        #expect(try await client.replaceSavedCodes(of: token)?.count == 10)
        #expect(try await !client.removePasskey("00000000", of: token))
        #expect(try await !client.removePasskey("../saved-codes", of: token))
        #expect(try await client.removeAuthenticator(of: token))
        #expect(try await client.factors(of: token).addedAt == nil)
    }

    /// Makes a call and returns the code of its refusal; nil after a success or a fault.
    private func refusal<Answer>(
        by client: any AccountClient, _ call: (any AccountClient) async throws(ClientError) -> Answer
    ) async -> NetworkResponse.Code? {
        do throws(ClientError) {
            _ = try await call(client)
            return nil
        } catch {
            switch error {
            case .account(let error): return NetworkResponse(error).code
            case .refused(let response): return response.code
            case .fault, .form: return nil
            }
        }
    }
}
