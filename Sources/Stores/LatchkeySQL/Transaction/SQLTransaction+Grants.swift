package import LatchkeyAccounts

extension SQLTransaction {
    package func insert(_ grant: AccessGrant) throws(AccountError) {
        try writeRow(
            """
            INSERT INTO access_grant (id, account, client, sid, scopes, auth_time, methods, created_at, expires_at, tag)
                SELECT ?1, account.number, client.number, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM account, client
                    WHERE account.id = ?2 AND client_id = ?3
            """, .bytes(grant.id), .id(grant.account), .text(grant.client), .bytes(grant.sid),
            .text(grant.scopes.joined(separator: " ")), .time(grant.authenticatedAt),
            .integer(Int64(grant.methods.rawValue)), .time(grant.createdAt), .time(grant.expiresAt), .tag(grant))
    }

    package func insert(_ token: GrantToken) throws(AccountError) {
        let count = try run(
            """
            INSERT INTO grant_token (digest, access_grant, kind, details, created_at, expires_at, used_at, tag)
                SELECT ?1, number, ?3, ?4, ?5, ?6, ?7, ?8 FROM access_grant WHERE id = ?2
            """, .bytes(token.digest), .bytes(token.grant), .integer(Int64(token.kind.rawValue)), .text(token.details),
            .time(token.createdAt), .time(token.expiresAt), .integer(token.usedAt?.milliseconds), .tag(token))
        guard count > 0 else { throw .noSession }
    }

    package func grantToken(_ digest: [UInt8]) throws(AccountError) -> (token: GrantToken, grant: AccessGrant)? {
        try row(
            """
            SELECT access_grant.id, account.id, client_id, sid, scopes, auth_time, methods, access_grant.created_at,
                    access_grant.expires_at, access_grant.tag, digest, kind, details, grant_token.created_at,
                    grant_token.expires_at, grant_token.used_at, grant_token.tag
                FROM grant_token JOIN access_grant ON access_grant.number = access_grant
                    JOIN account ON account.number = access_grant.account
                    JOIN client ON client.number = access_grant.client
                WHERE digest = ?1
            """, .bytes(digest)
        ) { (row) throws(Failure) in
            let grant = try grant(row)
            var token = GrantToken(
                digest: try row.bytes(10), grant: grant.id, kind: try row.value(11, in: GrantToken.Kind.allCases),
                details: try row.text(12), createdAt: try row.time(13), expiresAt: try row.time(14),
                usedAt: try row.optionalTime(15))
            token.tag = try row.tag(16)
            return (token, grant)
        }
    }

    package func grant(_ id: [UInt8]) throws(AccountError) -> AccessGrant? {
        try row(
            """
            SELECT access_grant.id, account.id, client_id, sid, scopes, auth_time, methods, access_grant.created_at,
                    access_grant.expires_at, access_grant.tag
                FROM access_grant JOIN account ON account.number = access_grant.account
                    JOIN client ON client.number = access_grant.client
                WHERE access_grant.id = ?1
            """, .bytes(id), make: grant)
    }

    package func grants(of account: AccountID) throws(AccountError) -> [AccessGrant] {
        try rows(
            """
            SELECT access_grant.id, account.id, client_id, sid, scopes, auth_time, methods, access_grant.created_at,
                    access_grant.expires_at, access_grant.tag
                FROM access_grant JOIN account ON account.number = access_grant.account
                    JOIN client ON client.number = access_grant.client
                WHERE account.id = ?1 ORDER BY access_grant.number
            """, .id(account), make: grant)
    }

    package func spendGrantToken(_ digest: [UInt8], at time: Timestamp) throws(AccountError) -> Bool {
        try run(
            "UPDATE grant_token SET used_at = ?2 WHERE digest = ?1 AND used_at IS NULL", .bytes(digest), .time(time))
            > 0
    }

    package func accessTokens(of grant: [UInt8], since time: Timestamp) throws(AccountError) -> Int {
        let count = try integer(
            """
            SELECT count(*) FROM grant_token
                WHERE access_grant = (SELECT number FROM access_grant WHERE id = ?1) AND kind = 1 AND created_at >= ?2
            """, .bytes(grant), .time(time))
        return Int(clamping: count ?? 0)
    }

    package func deleteGrantToken(_ digest: [UInt8]) throws(AccountError) -> Bool {
        try run("DELETE FROM grant_token WHERE digest = ?1", .bytes(digest)) > 0
    }

    package func deleteGrant(_ id: [UInt8]) throws(AccountError) -> Bool {
        try run("DELETE FROM access_grant WHERE id = ?1", .bytes(id)) > 0
    }

    package func deleteGrants(of account: AccountID) throws(AccountError) -> Int {
        try run("DELETE FROM access_grant WHERE account = (SELECT number FROM account WHERE id = ?1)", .id(account))
    }

    package func deleteGrants(expiredBy time: Timestamp, usedBy use: Timestamp) throws(AccountError) {
        try write("DELETE FROM access_grant WHERE expires_at <= ?1", .time(time))
        // This reads all tokens. An index by their end would take as much room as a third of them.
        try write(
            "DELETE FROM grant_token WHERE expires_at <= ?1 OR kind = 2 AND used_at <= ?2", .time(time), .time(use))
        try write(
            """
            DELETE FROM access_grant WHERE created_at <= ?1
                AND NOT EXISTS (SELECT 1 FROM grant_token WHERE access_grant = access_grant.number)
                AND (
                    NOT EXISTS (
                        SELECT 1 FROM session WHERE session.account = access_grant.account
                            AND session.sid = access_grant.sid)
                    OR EXISTS (
                        SELECT 1 FROM access_grant AS newer WHERE newer.account = access_grant.account
                            AND newer.client = access_grant.client AND newer.sid = access_grant.sid
                            AND newer.number > access_grant.number))
            """, .time(time))
    }

    private func grant(_ row: Engine.Row) throws(Failure) -> AccessGrant {
        var grant = AccessGrant(
            id: try row.bytes(0), account: try row.accountID(1), client: try row.text(2), sid: try row.bytes(3),
            scopes: try row.text(4).split(separator: " ").map(String.init), authenticatedAt: try row.time(5),
            methods: AuthenticationMethods(rawValue: UInt8(truncatingIfNeeded: try row.integer(6, in: .methods))),
            createdAt: try row.time(7), expiresAt: try row.time(8))
        grant.tag = try row.tag(9)
        return grant
    }
}

// MARK: Devices

extension SQLTransaction {
    package func insert(_ request: DeviceRequest) throws(AccountError) -> Bool {
        guard try integer("SELECT 1 FROM client WHERE client_id = ?1", .text(request.client)) != nil else {
            throw .noSession
        }
        return try run(
            """
            INSERT INTO device_request (digest, code_tag, client, scopes, state, access_grant, source, created_at,
                    polled_at, interval, tag)
                SELECT ?1, ?2, number, ?4, ?5, (SELECT number FROM access_grant WHERE id = ?6), ?7, ?8, ?9, ?10, ?11
                    FROM client WHERE client_id = ?3
                ON CONFLICT DO NOTHING
            """, .bytes(request.digest), .bytes(request.codeTag), .text(request.client),
            .text(request.scopes.joined(separator: " ")), .integer(Int64(request.state.rawValue)),
            .bytes(request.grant), .text(request.source), .time(request.createdAt),
            .integer(request.polledAt?.milliseconds), .integer(Int64(request.interval)), .tag(request)) > 0
    }

    package var deviceRequestCount: Int {
        get throws(AccountError) { Int(clamping: try integer("SELECT count(*) FROM device_request") ?? 0) }
    }

    package func deviceRequest(_ digest: [UInt8]) throws(AccountError) -> DeviceRequest? {
        try row(
            """
            SELECT digest, code_tag, client_id, device_request.scopes, state, id, source, device_request.created_at,
                    polled_at, interval, device_request.tag
                FROM device_request JOIN client ON client.number = device_request.client
                    LEFT JOIN access_grant ON access_grant.number = access_grant
                WHERE digest = ?1
            """, .bytes(digest), make: deviceRequest)
    }

    package func deviceRequest(withCode tag: [UInt8]) throws(AccountError) -> DeviceRequest? {
        try row(
            """
            SELECT digest, code_tag, client_id, device_request.scopes, state, id, source, device_request.created_at,
                    polled_at, interval, device_request.tag
                FROM device_request JOIN client ON client.number = device_request.client
                    LEFT JOIN access_grant ON access_grant.number = access_grant
                WHERE code_tag = ?1
            """, .bytes(tag), make: deviceRequest)
    }

    package func update(_ request: DeviceRequest) throws(AccountError) {
        try write(
            """
            UPDATE device_request SET state = ?2, access_grant = (SELECT number FROM access_grant WHERE id = ?3),
                    polled_at = ?4, interval = ?5, tag = ?6
                WHERE digest = ?1
            """, .bytes(request.digest), .integer(Int64(request.state.rawValue)), .bytes(request.grant),
            .integer(request.polledAt?.milliseconds), .integer(Int64(request.interval)), .tag(request))
    }

    package func deleteDeviceRequest(_ digest: [UInt8]) throws(AccountError) -> Bool {
        try run("DELETE FROM device_request WHERE digest = ?1", .bytes(digest)) > 0
    }

    package func deleteDeviceRequests(createdBy time: Timestamp) throws(AccountError) {
        try write("DELETE FROM device_request WHERE created_at <= ?1", .time(time))
    }

    private func deviceRequest(_ row: Engine.Row) throws(Failure) -> DeviceRequest {
        var request = DeviceRequest(
            digest: try row.bytes(0), codeTag: try row.bytes(1), client: try row.text(2),
            scopes: try row.text(3).split(separator: " ").map(String.init),
            state: try row.value(4, in: DeviceRequest.State.allCases), grant: row.isNull(5) ? nil : try row.bytes(5),
            source: try row.text(6), createdAt: try row.time(7), polledAt: try row.optionalTime(8),
            interval: Int(try row.integer(9, in: .count)))
        request.tag = try row.tag(10)
        return request
    }
}
