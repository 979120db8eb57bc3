import Foundation
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyAccounts
@testable import LatchkeyPostgres

/// S-247: two calls at the same time have the same effect as one after the other, wherever one of them interrupts the other.
///
/// For each pair of calls, both run on the same rows. The first one runs some statements, then the second one some, then
/// the first one the rest, then the second one. The results and all rows must be those of one of the two orders.
/// `scripts/interleavings` tries all pairs.
@Suite(.enabled(if: PostgresServer.isInstalled, PostgresServer.reason), .serialized, .timeLimit(.minutes(600)))
struct InterleavingTests {
    /// The number of pairs, of which the sample is drawn, and of interleavings of each; nil for all pairs.
    private static let (pairs, interleavings): (Int?, Int) = {
        let given = ProcessInfo.processInfo.environment["LATCHKEY_INTERLEAVINGS"].flatMap { Int($0) }
        return given.map { (nil, $0) } ?? (16, 3)
    }()

    @Test func `two calls have the same effect as one after the other`() async throws {
        let stage = try await Stage()
        var generator = SeededGenerator(seed: UInt64(Date.now.timeIntervalSince1970))
        var all: [(Stage.Call, Stage.Call)] = []
        for (number, first) in Stage.calls.enumerated() {
            for second in Stage.calls[number...] { all.append((first, second)) }
        }
        if let count = Self.pairs { all = Array(all.shuffled(using: &generator).prefix(count)) }
        var counts = (runs: 0, switched: 0)
        for (first, second) in all {
            let serial = try await stage.run(first, second, [Turns.Turn(client: 0, count: .max)])
            var orders = try await [serial, stage.run(first, second, [Turns.Turn(client: 1, count: .max)])]
            for _ in 0..<Self.interleavings {
                let lengths = serial.statements
                let plan = [
                    Turns.Turn(client: 0, count: Int.random(in: 0...lengths[0], using: &generator)),
                    Turns.Turn(client: 1, count: Int.random(in: 1...max(lengths[1], 1), using: &generator)),
                    Turns.Turn(client: 0, count: .max),
                ]
                let outcome = try await stage.run(first, second, plan)
                counts.runs += 1
                if outcome.statements != lengths { counts.switched += 1 }
                if orders.contains(outcome) { continue }
                // A call may consist of several transactions. Then it is also right if all ran one after the other.
                for order in Self.orders(of: serial.transactions) {
                    let other = try await stage.run(first, second, order, of: .transactions)
                    if !orders.contains(other) { orders.append(other) }
                    if other == outcome { break }
                }
                if !orders.contains(outcome) {
                    Issue.record(
                        """
                        \(first.name) and \(second.name), after \(plan.dropLast().map(\.count)) of \(lengths) statements:
                        \(outcome.results), not \(orders.map(\.results))
                        \(orders.map { outcome.difference(from: $0) }.joined(separator: "\n  or\n"))
                        """)
                }
            }
        }
        #expect(try await stage.isIntact())
        print("Interleavings: \(all.count) pairs, \(counts.runs), in \(counts.switched) of which a call ran again")
    }
}

extension InterleavingTests {
    /// All orders of the transactions of both clients.
    private static func orders(of counts: [Int]) -> [[Turns.Turn]] {
        guard counts[0] > 0 else { return [[Turns.Turn(client: 1, count: .max)]] }
        guard counts[1] > 0 else { return [[Turns.Turn(client: 0, count: .max)]] }
        return (0..<2).flatMap { client in
            var rest = counts
            rest[client] -= 1
            return orders(of: rest).map { [Turns.Turn(client: client, count: 1)] + $0 }
        }
    }
}

/// Two services with one database, which every run brings back to the same state.
private final class Stage {
    struct Call: Sendable {
        let name: String
        let run: @Sendable (AccountService, State) async throws -> String
    }

    /// What the calls need.
    struct State: Sendable {
        var session = Secret(""), other = Secret(""), recovery = Secret(""), refresh = Secret(""), code = Secret("")
        var phone: Phone?
        var appPassword = "", token = ""
        let clock = VirtualClock()
    }

    struct Outcome: Equatable {
        let results: [String]
        let rows: [String]
        let statements: [Int]
        let transactions: [Int]

        static func == (left: Outcome, right: Outcome) -> Bool {
            left.results == right.results && left.rows == right.rows
        }

        func difference(from other: Outcome) -> String {
            let (mine, others) = (Set(rows), Set(other.rows))
            return
                (rows.filter { !others.contains($0) }.map { "+ " + $0 }
                + other.rows.filter { !mine.contains($0) }.map { "- " + $0 })
                .joined(separator: "\n")
        }
    }

    private let turns = Locked<Turns?>(nil)
    private let gates: [PostgresGate]
    private let stores: [PostgresAccountStore]
    private let connection: PostgresConnection
    private let sealing = MemorySealingKeys()
    private var state = State()
    private var reset = ""
    private var dump = ""
    /// The random values in the rows before the calls.
    private var known: Set<String> = []

    init() async throws {
        let server = try PostgresServer.shared.get()
        let address = try server.newDatabase()
        connection = try PostgresConnection(to: try PostgresAddress(address))
        let identity = try StoreIdentity.random()
        var (gates, stores): ([PostgresGate], [PostgresAccountStore]) = ([], [])
        for client in 0..<2 {
            let completed: @Sendable (String) -> Void = { [turns] sql in
                turns.withLock(\.self)?.completed(sql, by: client)
            }
            let gate = try PostgresGate(before: server, completed: completed) { [turns] _ in
                turns.withLock(\.self)?.pass(client)
                return .pass
            }
            gates.append(gate)
            stores.append(
                try await PostgresAccountStore.open(gate.address(of: address), creating: identity, connections: 1))
        }
        (self.gates, self.stores) = (gates, stores)
        try await prepare()
    }

    deinit { for gate in gates { gate.close() } }

    private func service(_ client: Int, seed: UInt64) -> AccountService {
        var service = AccountService(
            store: stores[client], hasher: FakePasswordHasher(), mailer: MemoryMailer(), clock: state.clock,
            random: .seeded(seed), key: World.key, sealing: sealing)
        service.sealsAfterChanges = false
        return service
    }

    func isIntact() async throws -> Bool { try await service(0, seed: 1).verifyAudit().finding == .intact }

    // MARK: Rows

    /// The tables of the audit trail, whose ends the services know, are not brought back.
    private static let kept: Set = ["store", "store_lock", "writer", "lane_sealed", "audit", "audit_pending"]

    private func texts(_ sql: String) throws -> [String] {
        let result = try connection.result(joining: sql, [])
        return try (0..<result.rowCount).map { try PostgresRow(result: result, number: $0).text(0) }
    }

    private func prepare() async throws {
        let service = service(0, seed: 1)
        for name in ["ada", "grace"] {
            let draft = AccountDraft(username: name, email: name + "@example.org", password: Self.password)
            _ = try await service.create(draft, by: .owner)
        }
        for name in [Self.staff, Self.crew] { _ = try await service.createGroup(name, by: .owner) }
        _ = try await service.setMembership(of: Self.ada, in: Self.staff, to: true, by: .owner)
        state.session = try await service.authenticate(identifier: "ada", password: Self.password).token
        state.other = try await service.authenticate(identifier: "ada", password: Self.password).token
        state.recovery = try #require(try await service.issueRecoveryCode(for: Self.ada, isSent: false, by: .owner))
        state.phone = Phone(try await service.beginAuthenticator(for: .session(state.session)))
        state.appPassword = try #require(try await service.createAppPassword(token: state.session, name: "Mail")).0.id
        state.token = try #require(
            try await service.createToken("robot", scopes: [.readAccounts], lifetime: nil, by: .owner)
        ).0.id
        var settings = ClientSettings(name: "Wiki")
        settings.redirectURIs = [Self.redirectURI]
        settings.consent = .skip
        _ = try await service.addClient("wiki", settings, by: .owner)
        state.refresh = try #require(try await redeem(code(by: service), by: service)?.refresh)
        state.code = try await code(by: service)
        state.clock.advance(by: .seconds(70))
        let tables = try texts(
            """
            SELECT table_name::text FROM information_schema.tables
                WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1
            """
        ).filter { !Self.kept.contains($0) }
        let copies =
            tables.map { "CREATE TABLE base.\($0) AS SELECT * FROM \($0)" } + [
                "CREATE TABLE base.store AS SELECT * FROM store"
            ]
        try connection.execute(joining: "SET jit = off; CREATE SCHEMA base; " + copies.joined(separator: "; "))
        let numbers = try texts(
            """
            SELECT format('SELECT setval(%L, %s, %L)', sequencename, coalesce(last_value, 1), last_value IS NOT NULL)
                FROM pg_sequences WHERE sequencename NOT LIKE 'writer%' AND sequencename NOT LIKE 'audit%'
            """)
        let rows = tables.map {
            "DELETE FROM \($0); INSERT INTO \($0) OVERRIDING SYSTEM VALUE SELECT * FROM base.\($0)"
        }
        let store = """
            UPDATE store SET clock_seen = base.clock_seen, clock_highest = base.clock_highest, flood_since = base.flood_since,
                flood_recorded = base.flood_recorded, flood_counted = base.flood_counted FROM base.store AS base
            """
        reset = (["BEGIN", "SET LOCAL session_replication_role = replica"] + rows + [store] + numbers + ["COMMIT"])
            .joined(separator: "; ")
        dump = tables.map(Self.dump).joined(separator: " UNION ALL ")
        known = Set(try texts(dump).flatMap { row in row.matches(of: #/[0-9a-f]{16,}/#).map { String($0.output) } })
    }

    /// A query for all rows of a table as text. Numbers that are assigned in the order of the rows are left out.
    private static func dump(_ table: String) -> String {
        switch table {
        case "hash_kind_count":
            "SELECT concat('hash_kind_count ', kind, ' ', sum(accounts)) FROM hash_kind_count GROUP BY kind"
        case "throttle_source", "throttle_identifier": "SELECT concat('\(table) ', to_jsonb(t)) FROM \(table) AS t"
        default:
            """
            SELECT concat('\(table) ', to_jsonb(t) - 'number' - 'account' - 'access_grant' || jsonb_build_object('account',
                    (SELECT convert_from(login_name, 'UTF8') FROM account
                        WHERE account.number = CAST(to_jsonb(t) ->> 'account' AS bigint))))
                FROM \(table) AS t
            """
        }
    }

    /// The row without random values that are new, because a repeated transaction has other ones.
    private func withoutNewSecrets(_ row: String) -> String {
        row.replacing(#/[0-9a-f]{16,}/#) { match in known.contains(String(match.output)) ? String(match.output) : "new"
        }
    }

    /// Runs both calls on the same rows.
    func run(
        _ first: Call, _ second: Call, _ plan: [Turns.Turn], of unit: Turns.Unit = .statements
    ) async throws -> Outcome {
        turns.withLock { $0 = nil }
        try await service(0, seed: 1).sealAudit()
        try connection.execute(joining: reset)
        let last = try texts("SELECT coalesce(max(sequence), 0)::text FROM audit")[0]
        let turns = Turns(plan, of: unit)
        self.turns.withLock { $0 = turns }
        let services = [service(0, seed: 2), service(1, seed: 3)]
        let state = state
        let results = await withTaskGroup(of: (Int, String).self) { group in
            for (client, call) in [first, second].enumerated() {
                group.addTask {
                    let result: String
                    do { result = try await call.run(services[client], state) } catch { result = "\(error)" }
                    turns.end(client)
                    return (client, result)
                }
            }
            return await group.reduce(into: ["", ""]) { $0[$1.0] = $1.1 }
        }
        self.turns.withLock { $0 = nil }
        let records = try texts(
            """
            SELECT concat_ws(' ', 'audit', event, account_id, acting_account_id, reason)
                FROM (SELECT event, account_id, acting_account_id, reason FROM audit WHERE sequence > \(last)
                    UNION ALL SELECT event, account_id, acting_account_id, reason FROM audit_pending) AS records
                ORDER BY 1
            """)
        return Outcome(
            results: results, rows: try (texts(dump) + records).map(withoutNewSecrets).sorted(),
            statements: turns.statements, transactions: turns.transactions)
    }

    // MARK: Calls

    private static let password = Secret("correct horse battery")
    private static let new = Secret("another horse battery")
    private static let ada = AccountLookup("ada")!
    private static let staff = GroupName("staff")!
    private static let crew = GroupName("crew")!
    private static let redirectURI = "https://wiki.example.org/cb"

    private func code(by service: AccountService) async throws -> Secret {
        try await Self.code(by: service, state.session)
    }

    private static func code(by service: AccountService, _ session: Secret) async throws -> Secret {
        let request = CodeRequest(
            client: "wiki", scopes: ["openid", "offline_access"], redirectURI: redirectURI, challenge: "challenge")
        guard case .code(let code) = try await service.authorize(request, session: session, withConsent: false) else {
            throw AccountError.noSession
        }
        return code
    }

    private func redeem(_ code: Secret, by service: AccountService) async throws -> IssuedTokens? {
        try? await service.redeem(code, by: "wiki", redirectURI: Self.redirectURI) { _ in true }.get()
    }

    private static func call(
        _ name: String, _ run: @escaping @Sendable (AccountService, State) async throws -> Any?
    ) -> Call {
        Call(name: name) { (service, state) in
            let result = try await run(service, state)
            return (result as? Bool).map { "\($0)" } ?? (result == nil ? "nothing" : "done")
        }
    }

    static let calls: [Call] = [
        call("login") { (service, _) in try await service.authenticate(identifier: "ada", password: password) },
        call("login by address") { (service, _) in
            try await service.authenticate(identifier: "ada@example.org", password: password)
        },
        call("wrong password") { (service, _) in
            try await service.authenticate(identifier: "ada", password: new)
        },
        call("unknown name") { (service, _) in
            try await service.authenticate(identifier: "nobody", password: password)
        },
        call("login with an app password") { (service, _) in
            try await service.verifyAppLogin(identifier: "ada", password: password)
        },
        call("sign-up") { (service, _) in
            try await service.create(
                AccountDraft(username: "new", email: "new@example.org", password: password), by: .owner)
        },
        call("check") { (service, state) in try await service.session(for: state.session) },
        call("reauthentication") { (service, state) in
            try await service.reauthenticate(token: state.session, password: password)
        },
        call("password change") { (service, state) in
            try await service.changePassword(token: state.session, current: password, new: new)
        },
        call("password of an operator") { (service, _) in
            try await service.setPassword(of: ada, to: new, mustChangePassword: false, by: .owner)
        },
        call("demand for a new password") { (service, _) in
            try await service.requirePasswordChange(of: ada, isCompromised: true, by: .owner)
        },
        call("recovery") { (service, state) in
            try await service.finishRecovery(code: state.recovery, password: new)
        },
        call("request for recovery") { (service, _) in try await service.beginRecovery(email: "ada@example.org") },
        call("code of an operator") { (service, _) in
            try await service.issueRecoveryCode(for: ada, isSent: true, by: .owner)
        },
        call("logout") { (service, state) in try await service.endSession(token: state.session) },
        call("logout elsewhere") { (service, state) in
            try await service.endSessions(.others, token: state.session)
        },
        call("end of all sessions") { (service, _) in try await service.endSessions(.all, of: ada, by: .owner) },
        call("disabling") { (service, _) in
            try await service.set(.disabled, of: ada, mayLeaveNone: true, by: .owner)
        },
        call("unlocking") { (service, _) in try await service.unlock(ada, by: .owner) },
        call("deletion") { (service, _) in try await service.delete(ada, by: .owner, mayLeaveNone: true) },
        call("own deletion") { (service, state) in
            try await service.deleteOwnAccount(token: state.other, current: password)
        },
        call("new address") { (service, state) in
            try await service.updateProfile(token: state.session, ProfileDraft(email: "new@example.org"))
        },
        call("new name") { (service, _) in
            try await service.update(ada, ProfileDraft(username: "new"), by: .owner)
        },
        call("new authenticator") { (service, state) in
            try await service.beginAuthenticator(for: .session(state.session))
        },
        call("confirmed authenticator") { (service, state) in
            try await service.confirmAuthenticator(
                for: .session(state.session), code: state.phone?.code(state.clock, steps: -2))
        },
        call("reset of factors") { (service, _) in try await service.resetFactors(of: ada, by: .owner) },
        call("new app password") { (service, state) in
            try await service.createAppPassword(token: state.session, name: "Calendar")
        },
        call("revoked app password") { (service, state) in
            try await service.revokeAppPassword(state.appPassword, token: state.session)
        },
        call("new member") { (service, _) in
            try await service.setMembership(of: ada, in: crew, to: true, by: .owner)
        },
        call("left group") { (service, _) in
            try await service.setMembership(of: ada, in: staff, to: false, by: .owner)
        },
        call("new name of a group") { (service, _) in
            try await service.changeGroup(staff, to: GroupName("team")!, by: .owner)
        },
        call("deleted group") { (service, _) in try await service.deleteGroup(crew, force: true, by: .owner) },
        call("operator token") { (service, _) in
            try await service.createToken("other", scopes: [.readAccounts], lifetime: nil, by: .owner)
        },
        call("revoked token") { (service, state) in try await service.revokeToken(state.token, by: .owner) },
        call("code of an application") { (service, state) in try await code(by: service, state.session) },
        call("redeemed code") { (service, state) in
            try? await service.redeem(state.code, by: "wiki", redirectURI: redirectURI) { _ in true }.get()
        },
        call("refreshed token") { (service, state) in
            try? await service.refresh(state.refresh, by: "wiki", scopes: nil).get()
        },
        call("removed application") { (service, _) in try await service.removeClient("wiki", by: .owner) },
        call("maintenance") { (service, _) in try await service.maintain(by: .owner) },
        call("sealing") { (service, _) in
            _ = try await service.sealAudit()
            return "done"
        },
    ]
}
