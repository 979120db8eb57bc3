import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyAccounts
@testable import LatchkeyPostgres

/// Two services with one database, which every run brings back to the same state.
final class InterleavingStage {
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
        state.refresh = try #require(
            try await Self.redeem(Self.code(by: service, state.session), by: service)?.refresh)
        state.code = try await Self.code(by: service, state.session)
        state.clock.advance(by: .seconds(70))
        let tables = try texts(
            """
            SELECT table_name::text FROM information_schema.tables
                WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1
            """
        ).filter { !Self.kept.contains($0) }
        let copies =
            (tables + ["store"]).map { "CREATE TABLE base.\($0) AS SELECT * FROM \($0)" }
        try connection.execute(joining: "CREATE SCHEMA base; " + copies.joined(separator: "; "))
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
        known = Set(try texts(dump).flatMap { row in row.matches(of: Self.random).map { String($0.output) } })
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

    /// A random value as text.
    private static var random: Regex<Substring> { #/[0-9a-f]{16,}/# }

    /// The row without random values that are new, because a repeated transaction has other ones.
    private func withoutNewSecrets(_ row: String) -> String {
        row.replacing(Self.random) { known.contains(String($0.output)) ? String($0.output) : "new" }
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
                WHERE event <> 'audit_rotate'
                ORDER BY 1
            """)
        return Outcome(
            results: results, rows: try (texts(dump) + records).map(withoutNewSecrets).sorted(),
            statements: turns.statements, transactions: turns.transactions)
    }
}
