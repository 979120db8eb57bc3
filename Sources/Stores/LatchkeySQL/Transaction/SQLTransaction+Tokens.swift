package import LatchkeyAccounts

extension SQLTransaction {
    package func insert(_ token: OperatorToken) throws(AccountError) {
        let scopes = OperatorToken.Scope.allCases.enumerated().reduce(Int64(0)) { bits, scope in
            token.scopes.contains(scope.element) ? bits | 1 << scope.offset : bits
        }
        try write(
            """
            INSERT INTO operator_token (digest, name, scopes, created_at, expires_at, last_used_at, id, tag,
                    group_names)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """, .bytes(token.digest), .text(token.name), .integer(scopes), .time(token.createdAt),
            .integer(token.expiresAt?.milliseconds), .integer(token.lastUsedAt?.milliseconds), .text(token.id),
            .tag(token), .groups(token.groups))
    }

    package func operatorToken(_ digest: [UInt8]) throws(AccountError) -> OperatorToken? {
        try row(
            """
            SELECT digest, name, scopes, created_at, expires_at, last_used_at, id, tag, group_names
                FROM operator_token WHERE digest = ?1
            """, .bytes(digest), make: operatorToken)
    }

    package var operatorTokens: [OperatorToken] {
        get throws(AccountError) {
            try rows(
                """
                SELECT digest, name, scopes, created_at, expires_at, last_used_at, id, tag, group_names
                    FROM operator_token ORDER BY number
                """, make: operatorToken)
        }
    }

    package func touchOperatorToken(_ digest: [UInt8], at time: Timestamp) throws(AccountError) {
        try write(
            "UPDATE operator_token SET last_used_at = ?2 WHERE digest = ?1", .bytes(digest), .time(time))
    }

    package func deleteOperatorToken(_ digest: [UInt8]) throws(AccountError) -> Bool {
        try run("DELETE FROM operator_token WHERE digest = ?1", .bytes(digest)) > 0
    }

    private func operatorToken(_ row: Engine.Row) throws(Failure) -> OperatorToken {
        var token = OperatorToken(
            digest: try row.bytes(0), id: try row.text(6), name: try row.text(1),
            scopes: OperatorToken.Scope.set(try row.integer(2, in: .scopes)), groups: try row.groupNames(8),
            createdAt: try row.time(3), expiresAt: try row.optionalTime(4), lastUsedAt: try row.optionalTime(5))
        token.tag = try row.tag(7)
        return token
    }
}
