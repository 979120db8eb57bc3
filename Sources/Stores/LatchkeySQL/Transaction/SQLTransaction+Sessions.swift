package import LatchkeyAccounts

extension SQLTransaction {
    package func insert(_ session: Session) throws(AccountError) {
        try writeRow(
            """
            INSERT INTO session (digest, account, scope, created_at, last_used_at, authenticated_at, source,
                methods, tag, sid) SELECT ?1, number, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10 FROM account WHERE id = ?2
            """, .bytes(session.digest.bytes), .id(session.account),
            .integer(session.scope == .changePassword ? 1 : 0), .time(session.createdAt),
            .time(session.lastUsedAt), .integer(session.authenticatedAt?.milliseconds), .text(session.source),
            .integer(Int64(session.methods.rawValue)), .tag(session), .bytes(session.sid))
    }

    package func session(_ digest: SessionDigest) throws(AccountError) -> Session? {
        try row(RowStatement.session, .bytes(digest.bytes), make: session)
    }

    package func sessions(after place: SessionPlace?, limit: Int) throws(AccountError) -> [Session] {
        let count = Engine.Value.integer(Int64(max(limit, 0)))
        guard let place else {
            return try rows(
                """
                SELECT digest, id, scope, session.created_at, last_used_at, authenticated_at, source, methods, tag, sid
                    FROM session JOIN account ON number = account ORDER BY last_used_at DESC, digest DESC LIMIT ?1
                """, count, make: session)
        }
        return try rows(
            """
            SELECT digest, id, scope, session.created_at, last_used_at, authenticated_at, source, methods, tag, sid
                FROM session JOIN account ON number = account WHERE (last_used_at, digest) < (?1, ?2)
                ORDER BY last_used_at DESC, digest DESC LIMIT ?3
            """, .time(place.lastUsedAt), .bytes(place.digest.bytes), count, make: session)
    }

    package func sessions(of account: AccountID) throws(AccountError) -> [Session] {
        try rows(RowStatement.sessions, .id(account), make: session)
    }

    package func sessions(
        createdBy created: Timestamp, orUsedBy used: Timestamp, limit: Int
    ) throws(AccountError) -> [Session] {
        try rows(
            """
            SELECT digest, id, scope, session.created_at, last_used_at, authenticated_at, source, methods, tag, sid
                FROM session JOIN account ON number = account
                WHERE session.created_at <= ?1 OR last_used_at <= ?2 ORDER BY last_used_at, digest LIMIT ?3
            """, .time(created), .time(used), .integer(Int64(max(limit, 0))), make: session)
    }

    package func touch(_ session: Session) throws(AccountError) {
        try write(
            "UPDATE session SET last_used_at = ?2, tag = ?3 WHERE digest = ?1", .bytes(session.digest.bytes),
            .time(session.lastUsedAt), .tag(session))
    }

    package func deleteSession(_ digest: SessionDigest) throws(AccountError) {
        try write("DELETE FROM session WHERE digest = ?1", .bytes(digest.bytes))
    }

    package func deleteSessions(of account: AccountID) throws(AccountError) -> Int {
        try run(
            "DELETE FROM session WHERE account = (SELECT number FROM account WHERE id = ?1)", .id(account))
    }

    private func session(_ row: Engine.Row) throws(Failure) -> Session {
        var session = Session(
            digest: SessionDigest(bytes: try row.bytes(0)), account: try row.accountID(1),
            scope: try row.value(2, in: [Session.Scope.full, .changePassword]), createdAt: try row.time(3),
            lastUsedAt: try row.time(4), authenticatedAt: try row.optionalTime(5),
            methods: AuthenticationMethods(rawValue: UInt8(truncatingIfNeeded: try row.integer(7, in: .methods))),
            source: try row.text(6), sid: row.isNull(9) ? nil : try row.bytes(9))
        session.tag = try row.tag(8)
        return session
    }

    package func deleteSessions(createdBy creation: Timestamp, lastUsedBy use: Timestamp) throws(AccountError) -> Int {
        try run(
            "DELETE FROM session WHERE created_at <= ?1 OR last_used_at <= ?2", .time(creation), .time(use))
    }
}
