import CSQLite
import LatchkeyAccounts
import LatchkeySQL
import TestSupport
import Testing

@testable import LatchkeySQLite

/// S-139: integers that Latchkey cannot have written.
@Suite(.timeLimit(.minutes(60)))
struct StoredRangeTests {
    private let folder: TemporaryFolder
    private let connection: SQLiteConnection
    private static let ada = AccountID("00000000-0000-4000-8000-00000000000a")

    /// A store with a row in every table.
    init() throws {
        folder = try TemporaryFolder()
        let path = folder.path(of: "accounts.sqlite")
        connection = try StoreFile(at: path, options: StoreFile.Options()).open(create: true)
        try connection.execute(
            """
            INSERT INTO hash_kind (number, prefix, milliseconds) VALUES (1, '', 5);
            INSERT INTO hash_kind_count VALUES (1, 0, 1);
            INSERT INTO code_failures VALUES (1, 1, 5);
            INSERT INTO account (id, login_name, username_typed, email, state, created_at, updated_at,
                    email_verified_at, must_change_password, password_generation, hash_kind, password_hash, verify_by,
                    password_expires_at)
                VALUES (x'0000000000004000800000000000000a', 'ada', 'Ada', 'a@example.org', 0, 5, 6, 6, 0, 0, 1, 'x', 7,
                    8);
            INSERT INTO session (digest, account, scope, created_at, last_used_at, authenticated_at, source)
                VALUES (x'0000000000000000000000000000000000000000000000000000000000000001', 1, 0, 5, 6, 5, '');
            INSERT INTO device (digest, account, last_used_at, failures)
                VALUES (x'0000000000000000000000000000000000000000000000000000000000000004', 1, 5, 1);
            INSERT INTO authenticator (account, secret, created_at, is_confirmed, last_step, last_used_at)
                VALUES (1, zeroblob(60), 5, 1, 2, 70);
            INSERT INTO saved_code (tag, account)
                VALUES (x'0000000000000000000000000000000000000000000000000000000000000005', 1);
            INSERT INTO app_password (tag, account, name, created_at, last_used_at)
                VALUES (x'0000000000000000000000000000000000000000000000000000000000000007', 1, 'Mail', 5, 6);
            INSERT INTO passkey (credential, account, name, public_key, sign_count, is_backup_eligible, is_backed_up,
                    transports, created_at, last_used_at)
                VALUES (x'08', 1, 'Phone', x'00', 7, 1, 0, 'usb', 5, 6);
            INSERT INTO passkey_challenge (challenge, account, network, expires_at)
                VALUES (x'0000000000000000000000000000000000000000000000000000000000000009', 1, x'', 305);
            INSERT INTO throttle_code (account, failures, last_at, total, flood_since, flood_recorded, flood_counted)
                VALUES (1, 1, 5, 1, 6, 1, 1);
            INSERT INTO throttle_code_network (number, failures, last_at, total, flood_since, flood_recorded,
                    flood_counted)
                VALUES (7, 1, 5, 1, 6, 1, 1);
            INSERT INTO pending_login (digest, account, network, password_generation, created_at, expires_at)
                VALUES (x'0000000000000000000000000000000000000000000000000000000000000006', 1, x'', 0, 5, 305);
            INSERT INTO sign_up (number, id, email, email_typed, network, created_at, expires_at)
                VALUES (1, x'0000000000004000800000000000000b', 'b@example.org', 'b@example.org', x'', 5, 6);
            INSERT INTO reserved_name VALUES ('bob', x'0000000000004000800000000000000b', 6);
            INSERT INTO recovery_request (tag, unknown_name, created_at, expires_at, sign_up)
                VALUES (x'0000000000000000000000000000000000000000000000000000000000000002', 7, 5, 6, 1);
            INSERT INTO throttle (unknown_name, failures, last_at, total, flood_since, flood_recorded, flood_counted)
                VALUES (7, 1, 5, 1, 6, 1, 1);
            INSERT INTO throttle_identifier (number, failures, last_at, total, flood_since, flood_recorded, flood_counted)
                VALUES (7, 1, 5, 1, 6, 1, 1);
            INSERT INTO throttle_source (number, failures, since, last_at, names) VALUES (7, 1, 5, 6, x'');
            INSERT INTO outbox (id, recipient, recipient_typed, subject, body, created_at, expires_at)
                VALUES ('m', 'a@example.org', 'a@example.org', '', '', 5, 6);
            INSERT INTO operator_token (digest, id, name, scopes, created_at, expires_at, last_used_at)
                VALUES (x'0000000000000000000000000000000000000000000000000000000000000003', '00000000', 'ci', 1, 5,
                    6, 6);
            INSERT INTO client (client_id, name, settings, is_disabled, pkce_logins, created_at, used_at,
                    keys_fetched_at)
                VALUES ('wiki', 'Wiki', '{"name":"Wiki"}', 0, 1, 5, 6, 7);
            INSERT INTO signing_key (kid, algorithm, public, sealed_private, created_at, active_at, retired_at)
                VALUES ('abcdefghijklmnopqrstuv', 'RS256', x'01', zeroblob(41), 5, 6, 7);
            INSERT INTO authorization_request (digest, browser, network, client, parameters, created_at)
                VALUES (x'0000000000000000000000000000000000000000000000000000000000000011', zeroblob(32), x'', 1, '{}', 5);
            INSERT INTO consent (account, client, scopes, at) VALUES (1, 1, 'openid', 5);
            INSERT INTO access_grant (id, account, client, sid, scopes, auth_time, methods, created_at, expires_at)
                VALUES (zeroblob(16), 1, 1, zeroblob(16), 'openid', 5, 1, 6, 90);
            INSERT INTO grant_token (digest, access_grant, kind, details, created_at, expires_at, used_at)
                VALUES (x'00000000000000000000000000000012', 1, 0, '', 5, 60, 6);
            INSERT INTO device_request (digest, code_tag, client, scopes, state, access_grant, source, created_at, polled_at, interval)
                VALUES (x'0000000000000000000000000000000000000000000000000000000000000013', zeroblob(32), 1, '', 0, 1, '', 5, 6, 5);
            INSERT INTO user_group VALUES (1, x'0000000000004000800000000000000c', 'admins', 'Admins', 5);
            INSERT INTO group_member VALUES (1, 1);
            INSERT INTO sealing_key (id, created_at) VALUES ('0123456789abcdef', 5);
            UPDATE store SET flood_since = 1, flood_recorded = 1, flood_counted = 1;
            PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF; DROP TRIGGER audit_unchanged;
            """)
        let transaction = SQLiteTransaction(on: connection, mayWrite: true)
        var chain = AuditChain(storeID: try transaction.storeID)
        let record = AuditRecord(
            sequence: 1, time: Timestamp(milliseconds: 5), name: "authn_login_fail", account: nil,
            actor: .operatingSystemUser(1000), requestID: "0123456789abcdef", reason: "",
            context: AuditContext(
                sinceBoot: 1, bootID: "b", actingAccount: nil, processUser: 1000, source: "", version: "0"))
        try transaction.append(record, hash: chain.add(record))
    }

    private func run(_ sql: String) throws {
        let code = unsafe sqlite3_exec(connection.handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteError(code: code) }
    }

    private static let tables = StoredTable.all + [.store]

    @Test func `every integer column of every table has a listed range`() throws {
        let stored = try connection.rows(
            """
            SELECT tables.name || '.' || columns.name
                FROM sqlite_schema AS tables JOIN pragma_table_info(tables.name) AS columns
                WHERE tables.type = 'table' AND columns.type = 'INTEGER'
            """
        ) { (row) throws(SQLiteError) in try row.text(0) }
        let listed = Self.tables.flatMap { table in table.integers.map { "\(table.name).\($0.column)" } }
        #expect(listed.sorted() == stored.sorted())
    }

    /// Columns that no statement reads.
    private static let unread: Set = [
        "store.number", "outbox.number", "outbox.next_attempt_at", "sealing_key.number", "recovery_request.used_at",
        "hash_kind_count.kind", "hash_kind_count.lane", "hash_kind_count.accounts", "code_failures.number",
        "device.account", "authenticator.account", "saved_code.account", "throttle_code.account",
        "pending_login.account", "app_password.account", "passkey.account", "passkey.number",
        "passkey_challenge.account",
        "sign_up.number", "recovery_request.sign_up", "throttle_source.number", "hash_kind.number", "account.number",
        "client.number", "signing_key.number", "authorization_request.client",
        "consent.account", "consent.client", "access_grant.number", "access_grant.account", "access_grant.client",
        "grant_token.access_grant", "device_request.client", "device_request.access_grant",
        "operator_token.number", "user_group.number", "group_member.user_group", "group_member.account",
    ]

    @Test func `a value out of range is reported by the check and by every reader`() throws {
        #expect(try connection.invalidValues() == [])
        #expect(readers().allSatisfy { $0 == nil })
        for table in Self.tables {
            for column in table.integers {
                let range = column.range.values
                let values = [
                    Int64.min, range.lowerBound.subtractingReportingOverflow(1).partialValue,
                    range.upperBound.addingReportingOverflow(1).partialValue, .max,
                ].filter { !range.contains($0) }
                for value in values {
                    let place = "\(table.name).\(column.column) = \(value)"
                    try run("BEGIN")
                    defer { try? run("ROLLBACK") }
                    try run("UPDATE \(table.name) SET \(column.column) = \(value)")
                    let found = try connection.invalidValues()
                    #expect(found.map { $0.table + "." + $0.column } == ["\(table.name).\(column.column)"], "\(place)")
                    let failures = readers().compactMap(\.self)
                    #expect(failures.allSatisfy { $0 == .store(.corrupt) }, "\(place): \(failures)")
                    #expect(failures.isEmpty == Self.unread.contains("\(table.name).\(column.column)"), "\(place)")
                }
                // A hash without its kind counts as damaged, whatever its number.
                let isFree = ![
                    "audit.", "hash_kind.number", "hash_kind_count.kind", "code_failures.number", "account.hash_kind",
                ].contains {
                    "\(table.name).\(column.column)".hasPrefix($0)
                }
                for value in [range.lowerBound, range.upperBound] where isFree {
                    try run("BEGIN")
                    defer { try? run("ROLLBACK") }
                    try run("UPDATE \(table.name) SET \(column.column) = \(value)")
                    #expect(try connection.invalidValues() == [], "\(table.name).\(column.column) = \(value)")
                    #expect(readers().allSatisfy { $0 == nil }, "\(table.name).\(column.column) = \(value)")
                }
            }
        }
    }

    /// The failure of each reading call; nil if it succeeds.
    private func readers() -> [AccountError?] {
        func failure(_ body: (SQLiteTransaction) throws(AccountError) -> Void) -> AccountError? {
            do throws(AccountError) {
                try body(SQLiteTransaction(on: connection, mayWrite: false))
                return nil
            } catch {
                return error
            }
        }
        guard let ada = Self.ada else { return [] }
        let tag = RecoveryCodeTag(bytes: Array(repeating: 0, count: 31) + [2])
        let digest = SessionDigest(bytes: Array(repeating: 0, count: 31) + [1])
        return [
            failure { (store) throws(AccountError) in _ = try store.account(.id(ada)) },
            failure { (store) throws(AccountError) in _ = try store.accounts(after: nil, limit: 10) },
            failure { (store) throws(AccountError) in _ = try store.hashCosts },
            failure { (store) throws(AccountError) in
                _ = try store.hashes(notSealedWith: nil, after: nil, limit: 10)
            },
            failure { (store) throws(AccountError) in _ = try store.session(digest) },
            failure { (store) throws(AccountError) in _ = try store.sessions(of: ada) },
            failure { (store) throws(AccountError) in _ = try store.authenticator(of: ada) },
            failure { (store) throws(AccountError) in _ = try store.failures(in: .codes(ada)) },
            failure { (store) throws(AccountError) in _ = try store.failures(in: .codesFromNetwork(row: 7)) },
            failure { (store) throws(AccountError) in _ = try store.appPasswords(of: ada) },
            failure { (store) throws(AccountError) in _ = try store.passkey([8]) },
            failure { (store) throws(AccountError) in _ = try store.passkeys(of: ada) },
            failure { (_) throws(AccountError) in
                // This call deletes what it reads.
                try? run("SAVEPOINT reader")
                defer { try? run("ROLLBACK TO reader; RELEASE reader") }
                _ = try SQLiteTransaction(on: connection, mayWrite: true)
                    .takePasskeyChallenge(Array(repeating: 0, count: 31) + [9], of: ada)
            },
            failure { (store) throws(AccountError) in
                _ = try store.pendingLogin(Array(repeating: 0, count: 31) + [6])
            },
            failure { (store) throws(AccountError) in
                _ = try store.device(Array(repeating: 0, count: 31) + [4])
            },
            failure { (store) throws(AccountError) in _ = try store.recoveryRequest(tag) },
            failure { (store) throws(AccountError) in
                _ = try store.signUps(for: EmailAddress(storedAs: "b@example.org", folded: "b@example.org"))
            },
            failure { (store) throws(AccountError) in _ = try store.reservedName("bob") },
            failure { (store) throws(AccountError) in
                let all = Timestamp(milliseconds: .max)
                _ = try store.throttlesWithUnrecordedRefusals(since: all, limit: 10)
            },
            failure { (store) throws(AccountError) in _ = try store.failures(in: .unknownName(row: 7)) },
            failure { (store) throws(AccountError) in _ = try store.failures(in: .identifier(row: 7)) },
            failure { (store) throws(AccountError) in _ = try store.failures(ofSource: 7) },
            failure { (store) throws(AccountError) in _ = try store.codeFailures },
            failure { (store) throws(AccountError) in _ = try store.waitingMessages(limit: 10) },
            failure { (store) throws(AccountError) in _ = try store.sealingKeys },
            failure { (store) throws(AccountError) in _ = try store.operatorTokens },
            failure { (store) throws(AccountError) in _ = try store.clients },
            failure { (store) throws(AccountError) in _ = try store.signingKeys },
            failure { (store) throws(AccountError) in
                _ = try store.waitingAuthorization(Array(repeating: 0, count: 31) + [0x11])
            },
            failure { (store) throws(AccountError) in _ = try store.consents(of: ada) },
            failure { (store) throws(AccountError) in _ = try store.grants(of: ada) },
            failure { (store) throws(AccountError) in
                _ = try store.grantToken(Array(repeating: 0, count: 15) + [0x12])
            },
            failure { (store) throws(AccountError) in
                _ = try store.deviceRequest(Array(repeating: 0, count: 31) + [0x13])
            },
            failure { (store) throws(AccountError) in _ = try store.groups },
            failure { (store) throws(AccountError) in _ = try store.auditFlood },
            failure { (store) throws(AccountError) in _ = try store.clockMark },
            failure { (store) throws(AccountError) in
                // The trail reports an unreadable record by its number.
                if try AuditVerification(in: store).finding != .intact { throw .store(.corrupt) }
            },
            failure { (store) throws(AccountError) in _ = try store.auditHead },
            failure { (store) throws(AccountError) in
                _ = try store.counts(
                    ofSessions: SessionWindow(
                        createdAfter: Timestamp(milliseconds: 0), usedAfter: Timestamp(milliseconds: 0),
                        latest: Timestamp(milliseconds: 9)), at: Timestamp(milliseconds: 5))
            },
        ]
    }
}
