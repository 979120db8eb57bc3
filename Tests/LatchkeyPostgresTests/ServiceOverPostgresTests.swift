import LatchkeyAccounts
import LatchkeyForms
import LatchkeyPostgres
import LatchkeySecrets
import TestSupport
import Testing

/// Two services with one database, as on two machines.
@Suite(.enabled(if: PostgresServer.isInstalled, PostgresServer.reason), .serialized, .timeLimit(.minutes(60)))
struct ServiceOverPostgresTests {
    private static let password = "correct horse battery"

    let services: [AccountService]
    let clock = VirtualClock()

    init() async throws {
        let address = try PostgresServer.shared.get().newDatabase()
        let key = try #require(StoreKey(Secret(String(repeating: "k", count: 32))))
        var services: [AccountService] = []
        for _ in 0..<2 {
            let store = try await PostgresAccountStore.open(address, creating: .random(), connections: 4)
            services.append(
                AccountService(
                    store: RehearsingStore(store), hasher: FakePasswordHasher(), mailer: MemoryMailer(), clock: clock,
                    random: .system, key: key))
        }
        self.services = services
    }

    private func create(_ name: String, with service: AccountService) async throws(AccountError) {
        _ = try await service.create(
            AccountDraft(username: name, email: name + "@example.org", password: Secret(Self.password)), by: .owner)
    }

    private func failure(_ body: () async throws(AccountError) -> Void) async -> AccountError? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a session of one service is valid on the other, and ends on both immediately`() async throws {
        try await create("ada", with: services[0])
        let token = try await services[1].authenticate(identifier: "ada", password: Secret(Self.password)).token
        #expect(try await services[0].session(for: token).account.username?.typed == "ada")
        #expect(try await services[0].endSession(token: token))
        for service in services {
            #expect(
                await failure { () async throws(AccountError) in _ = try await service.session(for: token) }
                    == .noSession)
        }
    }

    @Test func `failed logins on both services count together`() async throws {
        try await create("ada", with: services[0])
        var failures = 0
        while true {
            let service = services[failures % 2]
            let error = await failure { () async throws(AccountError) in
                _ = try await service.authenticate(identifier: "ada", password: Secret("wrong"))
            }
            if case .throttled = error { break }
            try #require(error == .wrongCredentials && failures < 100)
            failures += 1
        }
        for service in services {
            let error = await failure { () async throws(AccountError) in
                _ = try await service.authenticate(identifier: "ada", password: Secret(Self.password))
            }
            guard case .throttled = error else {
                Issue.record("expected a delay, not \(String(describing: error))")
                return
            }
        }
    }

    /// S-203, S-209.
    @Test func `of many clients of two services, one redeems a code, and all refresh to one token`() async throws {
        let race = try await GrantRace(on: services)
        try await race.raceForCode(32)
        try await race.raceForRefresh(16)
        try await race.raceForRefresh(32)
    }

    @Test func `of 32 concurrent sign-ups with one name, one succeeds, and the audit chain is intact`() async throws {
        let outcomes = await withTaskGroup(of: AccountError?.self) { group in
            for number in 0..<32 {
                group.addTask {
                    await failure { () async throws(AccountError) in
                        _ = try await services[number % 2].create(
                            AccountDraft(
                                username: "ada", email: "ada\(number)@example.org", password: Secret(Self.password)),
                            by: .owner)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.count { $0 == .taken(field: .username) } == 31)
        let verification = try await services[1].verifyAudit()
        #expect(verification.finding == .intact)
    }
}
