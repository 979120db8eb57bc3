package import LatchkeyAccounts

extension ExpectedRow {
    /// The statements that read the row, which are those of ``SQLTransaction``.
    package func queries<Engine: SQLEngine>(for engine: Engine.Type) -> [SQLQuery<Engine.Value>] {
        switch self {
        case .account(let lookup): [StoredAccountRow.query(lookup)]
        case .throttle(.device(let digest)): [SQLQuery(RowStatement.device, .bytes(digest))]
        case .throttle(let throttle): ThrottleStatements<Engine>(throttle).map { [$0.query] } ?? []
        case .throttleOfAccount(let lookup): [Self.throttleQuery(lookup)]
        case .source(let number): [SQLQuery(RowStatement.source, .integer(Int64(number)))]
        case .device(let digest):
            [SQLQuery(RowStatement.device, .bytes(digest)), SQLQuery(RowStatement.devicesOfDevice, .bytes(digest))]
        case .devices(let account): [SQLQuery(RowStatement.devices, .id(account))]
        case .session(let digest):
            [
                SQLQuery(RowStatement.session, .bytes(digest.bytes)),
                SQLQuery(RowStatement.accountOfSession, .bytes(digest.bytes)),
            ]
        case .sessions(let account): [SQLQuery(RowStatement.sessions, .id(account))]
        case .factors(let account):
            [SQLQuery(RowStatement.authenticator, .id(account)), SQLQuery(RowStatement.passkeys, .id(account))]
        case .pendingLogin(let digest):
            [
                SQLQuery(RowStatement.pendingLogin, .bytes(digest)),
                SQLQuery(RowStatement.accountOfPendingLogin, .bytes(digest)),
            ]
        case .hashCosts: [SQLQuery(RowStatement.hashCosts)]
        case .clock: [SQLQuery(RowStatement.clock)]
        }
    }

    private static func throttleQuery<Value: SQLValue>(_ lookup: AccountLookup) -> SQLQuery<Value> {
        switch lookup {
        case .id(let id): SQLQuery(RowStatement.throttleByID, .id(id))
        case .username(let name): SQLQuery(RowStatement.throttleByLoginName, .text(name.prepared))
        case .email(let address): SQLQuery(RowStatement.throttleByEmail, .text(address.folded))
        }
    }
}

extension SQLTransaction {
    /// The pairs of queries whose second one reads what the first has read: a row that was found by something else
    /// than its account's ID. Call it after the engine has read the rows.
    package func equalQueries(
        for rows: [ExpectedRow]
    ) throws(AccountError) -> [(SQLQuery<Engine.Value>, SQLQuery<Engine.Value>)] {
        var pairs: [(SQLQuery<Engine.Value>, SQLQuery<Engine.Value>)] = []
        for row in rows {
            let read = row.queries(for: Engine.self)
            switch row {
            case .throttleOfAccount(let lookup):
                guard let account = try account(lookup) else { continue }
                pairs += zip(read, ExpectedRow.throttle(.account(account.id)).queries(for: Engine.self))
            case .device(let digest):
                guard let device = try device(digest) else { continue }
                pairs += zip(read.dropFirst(), ExpectedRow.devices(device.account).queries(for: Engine.self))
            case .session(let digest):
                guard let session = try session(digest) else { continue }
                pairs += zip(read.dropFirst(), ExpectedRow.account(.id(session.account)).queries(for: Engine.self))
            case .pendingLogin(let digest):
                guard let pending = try pendingLogin(digest) else { continue }
                pairs += zip(read.dropFirst(), ExpectedRow.account(.id(pending.account)).queries(for: Engine.self))
            default: continue
            }
        }
        return pairs
    }
}

extension StoredAccountRow {
    /// The query for an account.
    @inlinable
    package static func query<Value: SQLValue>(_ lookup: AccountLookup) -> SQLQuery<Value> {
        switch lookup {
        case .id(let id): SQLQuery(byID, .id(id))
        case .username(let name): SQLQuery(byLoginName, .text(name.prepared))
        case .email(let address): SQLQuery(byEmail, .text(address.folded))
        }
    }
}

/// The statements for rows that a store may read before the transaction asks for them.
///
/// Each names every table that its result depends on. A change of one of them makes the store read the row again.
enum RowStatement {
    static let source: StaticString = "SELECT failures, since, last_at, names FROM throttle_source WHERE number = ?1"

    static let throttleByID: StaticString = """
        SELECT failures, last_at, total, extra_at, flood_since, flood_recorded, flood_counted
            FROM throttle WHERE account = (SELECT number FROM account WHERE id = ?1)
        """
    static let throttleByLoginName: StaticString = """
        SELECT failures, last_at, total, extra_at, flood_since, flood_recorded, flood_counted
            FROM throttle WHERE account = (SELECT number FROM account WHERE login_name = ?1)
        """
    static let throttleByEmail: StaticString = """
        SELECT failures, last_at, total, extra_at, flood_since, flood_recorded, flood_counted
            FROM throttle WHERE account = (SELECT number FROM account WHERE email = ?1)
        """

    static let device: StaticString = """
        SELECT digest, id, last_used_at, failures, tag FROM device JOIN account ON number = account WHERE digest = ?1
        """
    static let devices: StaticString = """
        SELECT digest, id, last_used_at, failures, tag FROM device JOIN account ON number = account WHERE id = ?1
        """
    static let devicesOfDevice: StaticString = """
        SELECT digest, id, last_used_at, failures, tag FROM device JOIN account ON number = account
            WHERE account = (SELECT account FROM device WHERE digest = ?1)
        """

    static let session: StaticString = """
        SELECT digest, id, scope, session.created_at, last_used_at, authenticated_at, source, methods, tag, sid
            FROM session JOIN account ON number = account WHERE digest = ?1
        """
    static let sessions: StaticString = """
        SELECT digest, id, scope, session.created_at, last_used_at, authenticated_at, source, methods, tag, sid
            FROM session JOIN account ON number = account WHERE id = ?1 ORDER BY last_used_at, digest
        """
    static let accountOfSession: StaticString =
        "SELECT * FROM stored_account WHERE number = (SELECT account FROM session WHERE digest = ?1)"

    static let authenticator: StaticString = """
        SELECT sealing_key, secret, authenticator.created_at, is_confirmed, last_step, last_used_at
            FROM authenticator JOIN account ON number = account WHERE id = ?1
        """
    static let passkeys: StaticString = """
        SELECT credential, public_key, sign_count, is_backup_eligible, is_backed_up, transports, id, name,
                passkey.created_at, last_used_at, tag
            FROM passkey JOIN account ON account.number = account WHERE id = ?1
            ORDER BY passkey.created_at, credential
        """

    static let pendingLogin: StaticString = """
        SELECT digest, id, network, pending_login.password_generation, pending_login.created_at, expires_at,
            session, recovery_tag, sealing_key, new_password, tag
            FROM pending_login JOIN account ON number = account WHERE digest = ?1
        """
    static let accountOfPendingLogin: StaticString =
        "SELECT * FROM stored_account WHERE number = (SELECT account FROM pending_login WHERE digest = ?1)"

    static let hashCosts: StaticString = """
        SELECT min(milliseconds), max(milliseconds) FROM hash_kind
            WHERE (SELECT sum(CAST(accounts AS double precision)) FROM hash_kind_count WHERE kind = number) > 0
        """
    static let clock: StaticString = "SELECT clock_seen, clock_highest FROM store"
}
