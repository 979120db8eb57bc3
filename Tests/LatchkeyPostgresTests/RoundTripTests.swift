import LatchkeyAccounts
import LatchkeyForms
import LatchkeyPostgres
import LatchkeySecrets
import TestSupport
import Testing

/// How often a flow waits for the server. Each wait costs the time that a message needs to get there and back.
@Suite(.enabled(if: PostgresServer.isInstalled, PostgresServer.reason), .serialized, .timeLimit(.minutes(60)))
struct RoundTripTests {
    private static let password = "correct horse battery"

    let store: PostgresAccountStore
    private(set) var service: AccountService
    let clock = VirtualClock()

    init() async throws {
        let address = try PostgresServer.shared.get().newDatabase()
        let key = try #require(StoreKey(Secret(String(repeating: "k", count: 32))))
        store = try await PostgresAccountStore.open(address, creating: .random(), connections: 1)
        service = AccountService(
            store: store, hasher: FakePasswordHasher(), mailer: MemoryMailer(), clock: clock, random: .system, key: key)
        // As in the service, whose job seals the records.
        service.sealsAfterChanges = false
        for name in ["ada", "grace"] { try await create(name) }
    }

    private func create(_ name: String) async throws(AccountError) {
        _ = try await service.create(
            AccountDraft(username: name, email: name + "@example.org", password: Secret(Self.password)), by: .owner)
    }

    private func logIn(_ name: String, on device: DeviceClaim = .none) async throws -> SignIn {
        try await service.on(device).authenticate(identifier: name, password: Secret(Self.password))
    }

    /// The number of round trips of `body`, which has run once before, so that its statements are prepared.
    private func roundTrips(of body: () async throws -> Void) async throws -> Int {
        try await body()
        let before = await store.roundTrips
        try await body()
        return await store.roundTrips - before
    }

    @Test func `a login takes two round trips for each of its two transactions`() async throws {
        #expect(try await roundTrips { _ = try await logIn("ada") } == 4)
        let device = try #require(try await logIn("ada", on: .new).device)
        // The devices are read again after the attempt was taken off this one.
        #expect(try await roundTrips { _ = try await logIn("ada", on: .token(device)) } == 5)
    }

    @Test func `a refused login takes as many, and one to look for the sealing keys, for each name`() async throws {
        for name in ["ada", "nobody"] {
            let count = try await roundTrips {
                _ = try? await service.authenticate(identifier: name, password: Secret("wrong password"))
            }
            #expect(count == 5)
        }
    }

    @Test func `a session is checked in one round trip, and its use noted in two more`() async throws {
        let token = try await logIn("ada").token
        #expect(try await roundTrips { _ = try await service.session(for: token) } == 1)
        let noted = try await roundTrips {
            clock.advance(by: .seconds(120))
            _ = try await service.session(for: token)
        }
        #expect(noted == 3)
    }

    @Test func `the code of a second factor takes four`() async throws {
        let owner = FactorOwner.session(try await logIn("grace").token)
        let phone = try #require(Phone(try await service.beginAuthenticator(for: owner)))
        _ = try await service.confirmAuthenticator(for: owner, code: phone.code(clock))
        var challenges: [Secret] = []
        func askForCode() async throws {
            do throws(AccountError) {
                _ = try await service.authenticate(identifier: "grace", password: Secret(Self.password))
            } catch .factorRequired(let challenge) {
                challenges.append(try #require(challenge).token)
            }
        }
        #expect(try await roundTrips { try await askForCode() } == 4)
        let count = try await roundTrips {
            clock.advance(by: .seconds(30))
            let code = phone.code(clock)
            _ = try await service.finishLogin(pending: challenges.removeLast(), code: code)
        }
        // The throttles of codes are read again after the attempt was booked in them.
        #expect(count == 4)
    }

    @Test func `a row that was read in advance is read again after a change`() async throws {
        let throttle = Throttle.identifier(row: 7)
        _ = try await logIn("ada", on: .new)
        let ada = try #require(try await store.account(named: "ada"))
        let read = try await store.write { (transaction) throws(AccountError) in
            try transaction.expect([
                .throttle(throttle), .account(.id(ada.id)), .throttle(.account(ada.id)), .clock, .sessions(ada.id),
                .devices(ada.id),
            ])
            try transaction.setFailures(
                ThrottleFailures(count: 3, lastAt: Timestamp(milliseconds: 5)), in: throttle)
            var changed = ada
            changed.state = .disabled
            try transaction.update(changed)
            try transaction.setClockMark(
                ClockMark(seen: Timestamp(milliseconds: 7), highest: Timestamp(milliseconds: 8)))
            let state = try transaction.account(.id(ada.id))?.state
            let (count, seen) = (try transaction.failures(in: throttle)?.count, try transaction.clockMark.seen)
            _ = try transaction.deleteAccount(ada.id)
            let left = try transaction.sessions(of: ada.id).count + transaction.devices(of: ada.id).count
            return (state, count, seen, try transaction.account(.id(ada.id)), left)
        }
        #expect(
            read.0 == .disabled && read.1 == 3 && read.2 == Timestamp(milliseconds: 7) && read.3 == nil && read.4 == 0)
    }

    @Test func `a failed statement in a batch undoes the statements before it, and those after it do not run`()
        async throws
    {
        let stranger = try AccountID(from: .system)
        await #expect(throws: AccountError.noSuchAccount) {
            try await store.write { (transaction) throws(AccountError) in
                try transaction.setFailures(
                    ThrottleFailures(count: 1, lastAt: Timestamp(milliseconds: 1)), in: .identifier(row: 1))
                try transaction.setFailures(
                    ThrottleFailures(count: 1, lastAt: Timestamp(milliseconds: 1)), in: .account(stranger))
                try transaction.setFailures(
                    ThrottleFailures(count: 1, lastAt: Timestamp(milliseconds: 1)), in: .identifier(row: 2))
            }
        }
        for row: UInt16 in [1, 2] {
            let failures = try await store.read { (store) throws(AccountError) in
                try store.failures(in: .identifier(row: row))
            }
            #expect(failures == nil)
        }
        // The connection and its prepared statements still work.
        #expect(try await logIn("ada").account.username?.typed == "ada")
    }

    @Test func `a logout takes three, one of them to look for applications to notify`() async throws {
        var tokens: [Secret] = []
        for _ in 0..<2 { tokens.append(try await logIn("ada").token) }
        let count = try await roundTrips { _ = try await service.endSession(token: tokens.removeLast()) }
        #expect(count == 3)
    }
}
