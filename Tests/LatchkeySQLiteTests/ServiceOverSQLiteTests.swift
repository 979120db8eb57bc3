import Foundation
import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeySQLite

/// The service's guarantees over a real store, in addition to those over the in-memory one.
@Suite(.timeLimit(.minutes(60)))
struct ServiceOverSQLiteTests {
    private static let password = "correct horse battery"
    private static let new = "a wholly new password"

    let folder: TemporaryFolder
    let path: String
    let hasher = FakePasswordHasher()
    let mailer = MemoryMailer()
    let clock = VirtualClock()

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "accounts.sqlite")
    }

    private func service() async throws -> AccountService {
        let key = try #require(StoreKey(Secret(String(repeating: "k", count: 32))))
        return AccountService(
            store: try await SQLiteAccountStore.open(path, create: true), hasher: hasher, mailer: mailer, clock: clock,
            random: .system, key: key)
    }

    private func draft(_ name: String, email: String? = nil) -> AccountDraft {
        AccountDraft(username: name, email: email ?? name + "@example.org", password: Secret(Self.password))
    }

    private func code(_ service: AccountService) async throws -> Secret {
        let before = mailer.delivered.count
        try await service.beginRecovery(email: "ada@example.org")
        let body = try #require(mailer.delivered.dropFirst(before).first).body
        let line = try #require(body.split(separator: "\n").first { RecoveryCode(typed: Secret(String($0))) != nil })
        return Secret(String(line))
    }

    private func failure(_ body: () async throws(AccountError) -> Void) async -> AccountError? {
        do {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    /// All rows of the other tables, one line for each row.
    private func rows(but left: Set<String> = []) throws -> [String] {
        let connection = try SQLiteConnection(opening: path)
        var rows: [String] = []
        let columns: [(String, StaticString)] = [
            (
                "account",
                "SELECT hex(id) || login_name || state || coalesce(updated_at, '') || coalesce(password_hash, '') FROM account"
            ),
            ("session", "SELECT hex(digest) || account || created_at || last_used_at FROM session"),
            ("recovery_request", "SELECT hex(tag) || coalesce(used_at, '') FROM recovery_request"),
            ("throttle", "SELECT coalesce(account, unknown_name) || ' ' || failures FROM throttle"),
            ("identifier", "SELECT number || ' ' || failures FROM throttle_identifier"),
            ("outbox", "SELECT id || subject FROM outbox"),
            ("audit", "SELECT sequence || event || hex(hash) FROM audit"),
        ]
        for (table, sql) in columns where !left.contains(table) {
            rows += try connection.rows(sql) { (row) throws(SQLiteError) in table + " " + (try row.text(0)) }
        }
        return rows.sorted()
    }

    /// S-203, S-209.
    @Test func `of many clients, one redeems a code, and all refresh to the same token`() async throws {
        let race = try await GrantRace(on: [try await service()])
        try await race.raceForCode(64)
        try await race.raceForRefresh(16)
        try await race.raceForRefresh(64)
    }

    @Test func `of 32 concurrent responses to one challenge, one succeeds`() async throws {
        let services = [try await service(), try await service()]
        let account = try await services[0].create(draft("ada"), by: .owner)
        let token = try await services[0].authenticate(identifier: "ada", password: Secret(Self.password)).token
        var key = SoftwareAuthenticator()
        key.userHandle = account.id.bytes
        let registration = key.register(try await services[0].beginPasskey(for: .session(token)).challenge)
        _ = try await services[1].addPasskey(for: .session(token), registration, named: "Phone", at: World.party)
        let assertion = key.assert(try await services[0].beginPasskeyLogin(pending: nil).challenge)
        let winners = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<32 {
                group.addTask {
                    await failure { () async throws(AccountError) in
                        _ = try await services[number % 2].logIn(with: assertion, at: World.party)
                    } == nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(winners == 1)
        let sessions = try await services[0].sessions(of: .id(account.id))
        #expect(sessions.map(\.methods.names).contains(["pop"]) && sessions.count == 2)
    }

    /// S-43.
    @Test func `of 32 concurrent sign-ups with one name, one creates an account`() async throws {
        let services = [try await service(), try await service()]
        let outcomes = await withTaskGroup(of: AccountError?.self) { group in
            for number in 0..<32 {
                group.addTask {
                    await failure { () async throws(AccountError) in
                        _ = try await services[number % 2].create(
                            draft("ada", email: "ada\(number)@example.org"), by: .owner)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == nil } == 1)
        #expect(outcomes.count { $0 == .taken(field: .username) } == 31)
        #expect(try await services[0].accounts(after: nil, limit: 40).count == 1)
        #expect(try rows().count { $0.contains("user_created") } == 1)
    }

    /// S-55, S-60.
    @Test func `of 64 concurrent uses of one code, one sets a password`() async throws {
        let services = [try await service(), try await service()]
        _ = try await services[0].create(draft("ada"), by: .owner)
        let token = try await services[0].authenticate(identifier: "ada", password: Secret(Self.password)).token
        let code = try await code(services[0])
        let winners = await withTaskGroup(of: Int?.self) { group in
            for number in 0..<64 {
                group.addTask {
                    let failure = await failure { () async throws(AccountError) in
                        try await services[number % 2].finishRecovery(
                            code: code, password: Secret("new password \(number)"))
                    }
                    return failure == nil ? number : nil
                }
            }
            return await group.reduce(into: []) { all, number in number.map { all.append($0) } }
        }
        #expect(winners.count == 1)
        #expect(try rows().count { $0.contains("recovery_used") } == 1)
        #expect(try rows().count { $0.hasPrefix("session") } == 0)
        #expect(
            await failure { () async throws(AccountError) in _ = try await services[1].session(for: token) }
                == .noSession)
        let password = Secret("new password \(try #require(winners.first))")
        _ = try await services[1].authenticate(identifier: "ada", password: password)
    }

    /// S-17, S-46: the throttles of the identifiers are separate, and all guesses count for the account.
    @Test func `of 64 concurrent guesses, only those that the schedule allows are verified`() async throws {
        let services = [try await service(), try await service()]
        _ = try await services[0].create(draft("ada"), by: .owner)
        hasher.forgetWork()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask {
                    _ = await failure { () async throws(AccountError) in
                        _ = try await services[number % 2].authenticate(
                            identifier: number % 3 == 0 ? "ada@example.org" : "ada", password: Secret("wrong"))
                    }
                }
            }
        }
        #expect(hasher.work.count == 8)
        #expect(hasher.work.count { $0 == .verify(decoy: false) } == 4)
    }

    enum Operation: CaseIterable {
        case create, delete, signIn, failToSignIn, beginRecovery, finishRecovery, failToFinish, changePassword
        case failToChange, endSession, expireSession, maintain
    }

    /// S-97: every operation that writes a record, with a database that refuses it.
    @Test(arguments: Operation.allCases)
    func `a change is rolled back if its audit record cannot be written`(operation: Operation) async throws {
        let service = try await service()
        let account = try await service.create(draft("ada"), by: .owner)
        let token = try await service.authenticate(identifier: "ada", password: Secret(Self.password)).token
        let code = try await code(service)
        if [.expireSession, .maintain].contains(operation) { clock.advance(by: .seconds(8 * 86400)) }
        func run() async -> AccountError? {
            await failure { () async throws(AccountError) in
                switch operation {
                case .create: _ = try await service.create(draft("bo"), by: .owner)
                case .delete: try await service.delete(.id(account.id), by: .owner)
                case .signIn: _ = try await service.authenticate(identifier: "ada", password: Secret(Self.password))
                case .failToSignIn: _ = try await service.authenticate(identifier: "ada", password: Secret("wrong"))
                case .beginRecovery: try await service.beginRecovery(email: "ada@example.org")
                case .finishRecovery: try await service.finishRecovery(code: code, password: Secret(Self.new))
                case .failToFinish: try await service.finishRecovery(code: nil, password: Secret(Self.new))
                case .changePassword:
                    _ = try await service.changePassword(
                        token: token, current: Secret(Self.password), new: Secret(Self.new))
                case .failToChange:
                    _ = try await service.changePassword(
                        token: token, current: Secret("wrong"), new: Secret(Self.new))
                case .endSession: _ = try await service.endSession(token: token)
                case .expireSession: _ = try await service.session(for: token)
                case .maintain: _ = try await service.maintain(by: .owner)
                }
            }
        }
        // An attempt is booked in a separate commit before it is verified, and that booking must remain (S-46).
        let before = try rows(but: ["throttle", "identifier"])
        let saboteur = try SQLiteConnection(opening: path)
        try saboteur.execute(
            "CREATE TRIGGER fault BEFORE INSERT ON audit BEGIN SELECT raise(ABORT, 'fault'); END")
        guard case .store(.failed) = await run() else {
            Issue.record("it was not refused")
            return
        }
        #expect(try rows(but: ["throttle", "identifier"]) == before)
        #expect(mailer.delivered.count == 1)
        try saboteur.execute("DROP TRIGGER fault")
        let expected: AccountError? =
            switch operation {
            case .failToSignIn: .wrongCredentials
            case .failToFinish: .refused([RuleFailure(code: .recovery, field: .code)])
            case .failToChange: .refused([RuleFailure(code: .wrongPassword, field: .currentPassword)])
            case .expireSession: .noSession
            default: nil
            }
        #expect(await run() == expected)
        #expect(try rows(but: ["throttle", "identifier"]) != before)
    }
}
