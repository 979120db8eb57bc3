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
                // An index refuses two rows with the same key.
                _ = try? connection.run(
                    FuzzRows.updates[Int(head[0]) % FuzzRows.updates.count], .integer(Int64(head[1] % 16)),
                    FuzzRows.value(head[3], Array(value)), .integer(Int64(head[2] % 3)))
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
                INSERT INTO hash_kind (number, prefix, milliseconds, accounts)
                    VALUES (1, '$fuzz$', 100, 1), (2, '$sealed$v=1,k=0123456789abcdef$', 100, 1);
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
                UPDATE store SET flood_since = 1767225600000, flood_recorded = 1, flood_counted = 2, wrong_codes = 3;
                DROP TRIGGER audit_unchanged; DROP TRIGGER audit_dropped_from_its_start; DROP TRIGGER audit_without_gaps;
                DROP TRIGGER recovery_request_over;
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
            try connection.execute(
                """
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = replace(replace(replace(sql, 'STRICT, WITHOUT', 'WITHOUT'), 'STRICT', ''),
                    'NOT NULL', '') WHERE type = 'table'
                """)
        }
        return folder.read("rows-base")
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
        }
        _ = try? await service.exportPage(after: nil, limit: 10, withHashes: true)
        _ = try? await service.hashReport()
        _ = try? await service.sealingStatus()
        _ = try? await service.missingSealingKeys()
        _ = try? await service.metrics()
        _ = try? await service.clockLag()
        _ = try? await service.auditEnd()
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

    /// One statement for each table: ?1 is the column, ?2 its new value, ?3 the row.
    static let updates: [StaticString] = [
        """
        UPDATE account SET id = iif(?1 = 0, ?2, id), login_name = iif(?1 = 1, ?2, login_name),
            username_typed = iif(?1 = 2, ?2, username_typed), email = iif(?1 = 3, ?2, email),
            email_typed = iif(?1 = 4, ?2, email_typed), state = iif(?1 = 5, ?2, state),
            created_at = iif(?1 = 6, ?2, created_at), updated_at = iif(?1 = 7, ?2, updated_at),
            must_change_password = iif(?1 = 8, ?2, must_change_password),
            password_hash = iif(?1 = 9, ?2, password_hash), verify_by = iif(?1 = 10, ?2, verify_by),
            hash_kind = iif(?1 = 11, ?2, hash_kind), password_generation = iif(?1 = 12, ?2, password_generation),
            password_expires_at = iif(?1 = 13, ?2, password_expires_at),
            email_verified_at = iif(?1 = 14, ?2, email_verified_at), attributes = iif(?1 = 15, ?2, attributes)
            WHERE number = (SELECT number FROM account LIMIT 1 OFFSET ?3)
        """,
        """
        UPDATE hash_kind SET prefix = iif(?1 = 0, ?2, prefix), milliseconds = iif(?1 = 1, ?2, milliseconds),
            accounts = iif(?1 = 2, ?2, accounts) WHERE number = ?3 + 1
        """,
        """
        UPDATE session SET digest = iif(?1 = 0, ?2, digest), account = iif(?1 = 1, ?2, account),
            scope = iif(?1 = 2, ?2, scope), created_at = iif(?1 = 3, ?2, created_at),
            last_used_at = iif(?1 = 4, ?2, last_used_at), source = iif(?1 = 5, ?2, source),
            authenticated_at = iif(?1 = 6, ?2, authenticated_at)
            WHERE digest = (SELECT digest FROM session LIMIT 1 OFFSET ?3)
        """,
        """
        UPDATE recovery_request SET tag = iif(?1 = 0, ?2, tag), account = iif(?1 = 1, ?2, account),
            unknown_name = iif(?1 = 2, ?2, unknown_name), created_at = iif(?1 = 3, ?2, created_at),
            expires_at = iif(?1 = 4, ?2, expires_at), used_at = iif(?1 = 5, ?2, used_at),
            new_email = iif(?1 = 6, ?2, new_email), new_email_typed = iif(?1 = 7, ?2, new_email_typed)
            WHERE tag = (SELECT tag FROM recovery_request LIMIT 1 OFFSET ?3)
        """,
        """
        UPDATE throttle SET account = iif(?1 = 0, ?2, account), unknown_name = iif(?1 = 1, ?2, unknown_name),
            failures = iif(?1 = 2, ?2, failures), last_at = iif(?1 = 3, ?2, last_at), total = iif(?1 = 4, ?2, total),
            flood_since = iif(?1 = 5, ?2, flood_since), flood_recorded = iif(?1 = 6, ?2, flood_recorded),
            flood_counted = iif(?1 = 7, ?2, flood_counted), extra_at = iif(?1 = 8, ?2, extra_at)
            WHERE rowid = (SELECT rowid FROM throttle LIMIT 1 OFFSET ?3)
        """,
        """
        UPDATE throttle_source SET number = iif(?1 = 0, ?2, number), failures = iif(?1 = 1, ?2, failures),
            since = iif(?1 = 2, ?2, since), last_at = iif(?1 = 3, ?2, last_at), names = iif(?1 = 4, ?2, names)
            WHERE ?3 < 3
        """,
        """
        UPDATE outbox SET number = iif(?1 = 0, ?2, number), id = iif(?1 = 1, ?2, id),
            recipient = iif(?1 = 2, ?2, recipient), recipient_typed = iif(?1 = 3, ?2, recipient_typed),
            subject = iif(?1 = 4, ?2, subject), body = iif(?1 = 5, ?2, body),
            created_at = iif(?1 = 6, ?2, created_at), expires_at = iif(?1 = 7, ?2, expires_at),
            attempts = iif(?1 = 8, ?2, attempts), next_attempt_at = iif(?1 = 9, ?2, next_attempt_at),
            failure = iif(?1 = 10, ?2, failure)
            WHERE number = (SELECT number FROM outbox LIMIT 1 OFFSET ?3)
        """,
        """
        UPDATE sealing_key SET number = iif(?1 = 0, ?2, number), id = iif(?1 = 1, ?2, id),
            created_at = iif(?1 = 2, ?2, created_at) WHERE ?3 < 3
        """,
        """
        UPDATE store SET id = iif(?1 = 0, ?2, id), flood_since = iif(?1 = 1, ?2, flood_since),
            flood_recorded = iif(?1 = 2, ?2, flood_recorded), flood_counted = iif(?1 = 3, ?2, flood_counted),
            clock_seen = iif(?1 = 4, ?2, clock_seen), clock_highest = iif(?1 = 5, ?2, clock_highest),
            wrong_codes = iif(?1 = 6, ?2, wrong_codes), wrong_codes_since = iif(?1 = 7, ?2, wrong_codes_since)
            WHERE ?3 < 3
        """,
        """
        UPDATE audit SET sequence = iif(?1 = 0, ?2, sequence), time = iif(?1 = 1, ?2, time),
            event = iif(?1 = 2, ?2, event), account_id = iif(?1 = 3, ?2, account_id),
            actor_uid = iif(?1 = 4, ?2, actor_uid), request_id = iif(?1 = 5, ?2, request_id),
            reason = iif(?1 = 6, ?2, reason), hash = iif(?1 = 7, ?2, hash), version = iif(?1 = 8, ?2, version),
            since_boot = iif(?1 = 9, ?2, since_boot), boot_id = iif(?1 = 10, ?2, boot_id),
            acting_account_id = iif(?1 = 11, ?2, acting_account_id), process_uid = iif(?1 = 12, ?2, process_uid),
            source = iif(?1 = 13, ?2, source), app_version = iif(?1 = 14, ?2, app_version)
            WHERE sequence = (SELECT sequence FROM audit ORDER BY sequence DESC LIMIT 1 OFFSET ?3)
        """,
        """
        UPDATE throttle_identifier SET number = iif(?1 = 0, ?2, number), failures = iif(?1 = 1, ?2, failures),
            last_at = iif(?1 = 2, ?2, last_at), total = iif(?1 = 3, ?2, total), extra_at = iif(?1 = 4, ?2, extra_at),
            flood_since = iif(?1 = 5, ?2, flood_since), flood_recorded = iif(?1 = 6, ?2, flood_recorded),
            flood_counted = iif(?1 = 7, ?2, flood_counted)
            WHERE number = (SELECT number FROM throttle_identifier LIMIT 1 OFFSET ?3)
        """,
    ]
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
