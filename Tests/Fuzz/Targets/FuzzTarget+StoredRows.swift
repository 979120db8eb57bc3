import LatchkeyAccounts
import LatchkeyProvisioning
import LatchkeySQL
import LatchkeySecrets

@testable import LatchkeySQLite

extension FuzzTarget {
    /// Changes to the rows of every table, through a schema that enforces nothing: for each, a byte for table, column,
    /// row, type and length, then the value. No reading call crashes, whatever a row contains.
    static let storedRows = FuzzTarget("stored-rows", upTo: 256) { bytes in
        guard let base = await FuzzRows.base, let folder = FuzzFolder.shared, folder.write(base, to: "stored-rows")
        else {
            return "no store to begin with"
        }
        defer { for suffix in ["", "-journal", ".lock", ".reserve"] { folder.remove("stored-rows" + suffix) } }
        let path = folder.path + "/stored-rows"
        do {
            let connection = try SQLiteConnection(opening: path)
            try connection.execute(
                "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA ignore_check_constraints = ON; BEGIN")
            var rest = bytes[...]
            while rest.count >= 5 {
                let head = rest.prefix(5).map { $0 }
                let value = rest.dropFirst(5).prefix(Int(head[4]) % 32)
                rest = rest.dropFirst(5 + value.count)
                let updates = FuzzRows.updates[Int(head[0]) % FuzzRows.updates.count]
                // An index refuses two rows with the same key.
                _ = try? connection.run(
                    joining: updates[Int(head[1]) % updates.count],
                    [FuzzRows.value(head[3], Array(value)), .integer(Int64(head[2] % 3))])
            }
            try connection.execute("COMMIT")
        } catch {
            return "the rows cannot be changed: \(error)"
        }
        do throws(AccountError) {
            let report = try StoreReport(of: path)
            let store = try await SQLiteAccountStore.open(path)
            await FuzzStore.look(at: store)
            let finding = await FuzzRows.look(at: FuzzRows.service(over: store))
            await store.close()
            return finding ?? (report.invalidValues.count > 20 ? "too many findings" : nil)
        } catch {
            guard case .store = error else { return "\(error)" }
            return nil
        }
    }
}

/// The starting point of the target that changes rows: one or two rows in each table, without constraints.
enum FuzzRows {
    static var base: [UInt8]? { get async { await made.value } }

    private static let made = Task { try? await make() }

    private static func make() async throws -> [UInt8]? {
        guard let store = await FuzzStore.base?.store, let folder = FuzzFolder.shared,
            folder.write(store, to: "rows-base")
        else { return nil }
        defer { folder.remove("rows-base") }
        do {
            let connection = try SQLiteConnection(opening: folder.path + "/rows-base")
            try connection.execute(
                """
                INSERT INTO hash_kind (number, prefix, milliseconds)
                    VALUES (1, '$fuzz$', 100), (2, '$sealed$v=1,k=0123456789abcdef$', 100);
                INSERT INTO hash_kind_count VALUES (1, 0, 1), (2, 0, 1);
                INSERT INTO code_failures VALUES (1, 3, 1767225600000);
                INSERT INTO account (number, id, login_name, username_typed, email, state, created_at,
                        must_change_password, password_generation, hash_kind, password_hash, attributes)
                    VALUES (1, x'0000000000004000800000000000000a', 'ada', 'Ada', 'ada@example.org', 0, 1767225600000, 0,
                        0, 1, 'fuzz', '{"company":"Analytical Engines"}'),
                    (2, x'0000000000004000800000000000000b', 'bo', NULL, 'bo@example.org', 0, 1767225600000, 1,
                        0, 2, 'x$y', NULL);
                INSERT INTO session (digest, account, scope, created_at, last_used_at, authenticated_at, source)
                    VALUES (x'0000000000000000000000000000000000000000000000000000000000000001', 1, 0, 1767225600000,
                        1767225600000, 1767225600000, '192.0.2.1'),
                    (x'0000000000000000000000000000000000000000000000000000000000000002', 2, 0, 1767225600000,
                        1767225600000, NULL, '');
                INSERT INTO recovery_request (tag, account, unknown_name, created_at, expires_at)
                    VALUES (x'0000000000000000000000000000000000000000000000000000000000000003', 1, NULL, 1767225600000,
                        1767226200000),
                    (x'0000000000000000000000000000000000000000000000000000000000000004', NULL, 7, 1767225600000,
                        1767226200000);
                INSERT INTO throttle (account, failures, last_at, total, flood_since, flood_recorded, flood_counted)
                    VALUES (1, 2, 1767225600000, 3, 1767225600000, 4, 5);
                INSERT INTO throttle_source (number, failures, since, last_at, names)
                    VALUES (9, 2, 1767225600000, 1767225600000, x'00000001');
                INSERT INTO outbox (id, recipient, recipient_typed, subject, body, created_at, expires_at, attempts)
                    VALUES ('m1', 'ada@example.org', 'ada@example.org', 'Code', 'Body', 1767225600000, 1767226200000, 1),
                    ('m2', NULL, NULL, '', '', 1767225600000, NULL, 0);
                INSERT INTO sealing_key (id, created_at) VALUES ('0123456789abcdef', 1767225600000);
                UPDATE store SET flood_since = 1767225600000, flood_recorded = 1, flood_counted = 2;
                DROP TRIGGER audit_unchanged; DROP TRIGGER audit_dropped_from_its_start; DROP TRIGGER audit_without_gaps;
                """)
            // All throttles except the first are blocked, so that a login also reads the time of the last extra
            // attempt.
            let time = Timestamp(milliseconds: 1_767_225_600_000)
            let transaction = SQLiteTransaction(on: connection, mayWrite: true)
            for name in names {
                guard let throttle = key?.throttle(ofIdentifier: name) else { continue }
                let refusals = AuditFlood(since: time, recorded: 4, counted: 5)
                try transaction.setFailures(
                    ThrottleFailures(count: name == names[0] ? 2 : 20, lastAt: time, refusals: refusals, extraAt: time),
                    in: throttle)
            }
            try fillEmptyTables(connection)
            try connection.execute(
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = replace(replace(replace(sql, 'STRICT, WITHOUT', 'WITHOUT'), 'STRICT', ''),
                    'NOT NULL', '') WHERE type = 'table'
                """)
        }
        return folder.read("rows-base")
    }

    /// Inserts a row into each table that has none, with values of the columns' types that refer to the first account.
    private static func fillEmptyTables(_ connection: SQLiteConnection) throws(SQLiteError) {
        try connection.execute("PRAGMA ignore_check_constraints = ON")
        for table in StoredTable.all {
            let count = try connection.rows(joining: "SELECT count(*) FROM \(table.name)") {
                (row) throws(SQLiteError) in
                try row.integer(0)
            }
            guard count == [0] else { continue }
            let types = try connection.rows(
                joining: "SELECT name, type FROM pragma_table_info('\(table.name)')"
            ) { (row) throws(SQLiteError) in (name: try row.text(0), type: try row.text(1)) }
            let values = types.map { (column) -> SQLiteValue in
                switch column.type {
                case "INTEGER": .integer(1)
                case "TEXT": .text("0123456789abcdef")
                default: .bytes([UInt8](repeating: 9, count: column.name.hasSuffix("id") ? 16 : 32))
                }
            }
            let parameters = values.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
            try connection.run(
                joining: """
                    INSERT INTO \(table.name) (\(types.map(\.name).joined(separator: ", "))) VALUES (\(parameters))
                    """, values)
        }
    }

    /// The statements of ``updates`` that do not find a row in the base.
    static func unreached() async throws -> [String] {
        guard let base = await base, let folder = FuzzFolder.shared, folder.write(base, to: "rows-reached") else {
            return ["no store to begin with"]
        }
        defer { for suffix in ["", "-journal"] { folder.remove("rows-reached" + suffix) } }
        let connection = try SQLiteConnection(opening: folder.path + "/rows-reached")
        try connection.execute("PRAGMA ignore_check_constraints = ON; BEGIN")
        return try updates.joined().filter { update in
            // A row that is found but cannot be changed, because another one has its key, counts.
            guard (try? connection.run(joining: update, [.integer(3), .integer(0)])) != nil else { return false }
            return try connection.rows(joining: "SELECT changes()") { (row) throws(SQLiteError) in
                try row.integer(0)
            } == [0]
        }
    }

    /// A value of any type: extreme, huge, or of the input's bytes.
    static func value(_ type: UInt8, _ bytes: [UInt8]) -> SQLiteValue {
        switch type % 8 {
        case 4: .integer(extremes[Int(bytes.first ?? 0) % extremes.count])
        case 5: .text(String(repeating: bytes.repairedText, count: 10_000))
        case 6: .bytes([UInt8](repeating: bytes.first ?? 0, count: 300_000))
        case 7: .text(AccountID.sample + bytes.repairedText)
        default: FuzzStore.value(type, bytes)
        }
    }

    private static let extremes: [Int64] =
        [.min, .min + 1, -1, 0, 1, .max - 1, .max] + [1 << 31, 1 << 32, 1 << 53, -(1 << 53)]
        + [-62_167_219_200_000, 253_402_300_799_999].flatMap { [$0 - 1, $0, $0 + 1] }

    private static let key = StoreKey(Secret(copying: [UInt8](repeating: 7, count: 32).span))
    private static let names = ["ada", "bo@example.org", "nobody"]

    static func service(over store: SQLiteAccountStore) -> AccountService? {
        key.map { key in
            AccountService(
                store: store, hasher: FuzzHasher(), mailer: FuzzMailer(), clock: FuzzClock(), random: .system, key: key)
        }
    }

    /// Makes the calls of the reading commands, then those of commands that read before they write. Failures are
    /// allowed.
    static func look(at service: AccountService?) async -> String? {
        guard let service else { return "no key" }
        let accounts = (try? await service.accounts(after: nil, limit: 10)) ?? []
        for account in accounts {
            let times = [
                account.createdAt, account.updatedAt, account.verifyBy, account.passwordExpiresAt,
                account.emailVerifiedAt,
            ]
            for case let time? in times where time.rfc3339Milliseconds.utf8.count != 24 {
                return "a time that RFC 3339 cannot write"
            }
            _ = try? await service.throttle(of: .id(account.id))
            _ = try? await service.sessions(of: .id(account.id))
            _ = try? await service.factors(of: .id(account.id))
            _ = try? await service.appPasswords(of: .id(account.id))
        }
        _ = try? await service.exportPage(after: nil, limit: 10, withHashes: true)
        _ = try? await service.hashReport()
        _ = try? await service.sealingStatus()
        _ = try? await service.missingSealingKeys()
        _ = try? await service.metrics()
        _ = try? await service.clockLag()
        _ = try? await service.auditEnd()
        _ = try? await service.tokens()
        for name in names {
            _ = try? await service.verifyCredentials(identifier: name, password: Secret(copying: "fuzz".utf8Span.span))
            try? await service.beginRecovery(email: name)
        }
        if let ada = AccountLookup("ada") {
            _ = try? await service.setPassword(
                of: ada, to: Secret(copying: "correct horse battery".utf8Span.span), mustChangePassword: false,
                by: .owner)
        }
        _ = try? await service.maintain(by: .owner)
        return nil
    }

    /// One statement for each table and column: ?1 is its new value, ?2 the row.
    static let updates: [[String]] = (StoredTable.all + [StoredTable.store]).map { table in
        // Like the ID of the store, which is not copied from one store to another.
        let isStore = "\(table.name)" == "store"
        let key = table.order[0]
        let condition =
            isStore
            ? "?2 < 3" : "\(key) IS (SELECT \(key) FROM \(table.name) ORDER BY \(key) DESC LIMIT 1 OFFSET ?2)"
        return (table.columns.map(\.description) + (isStore ? ["id"] : [])).map {
            "UPDATE \(table.name) SET \($0) = ?1 WHERE \(condition)"
        }
    }
}

extension AccountID {
    fileprivate static let sample = "00000000-0000-4000-8000-00000000000"
}

/// A password hash is its own password.
private struct FuzzHasher: PasswordHasher {
    let decoy = PasswordHash(phc: "decoy", milliseconds: 1)

    func hash(_ password: Secret) async throws(HashError) -> PasswordHash { PasswordHash(phc: "fuzz", milliseconds: 1) }

    func parse(_ stored: PasswordHash) throws(HashError) -> ParsedHash {
        guard stored.phc == "fuzz" || stored.phc == "decoy" else { throw .unsupported }
        let traits = HashTraits(scheme: "fuzz", parameters: [], status: .current, milliseconds: 1)
        let isReal = stored.phc == "fuzz"
        return ParsedHash(traits: traits) { (_, _) async throws(HashError) in isReal ? 0 : nil }
    }
}

private struct FuzzMailer: Mailer {
    func deliver(_ message: OutboxMessage) async throws(MailerError) {}
}

private struct FuzzClock: Clock {
    func now() -> Timestamp { Timestamp(milliseconds: 1_767_225_700_000) }
}
