package import LatchkeyAccounts
import LatchkeyForms

extension SQLTransaction {
    package func insert(_ signUp: SignUp) throws(AccountError) {
        let attributes = signUp.attributes.isEmpty ? nil : JSONValue.object(values: signUp.attributes).encoded
        try write(
            """
            INSERT INTO sign_up (id, email, email_typed, username, username_typed, attributes, network, created_at,
                    expires_at, group_names)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
            """, .id(signUp.id), .text(signUp.email.folded), .text(signUp.email.typed),
            .text(signUp.username?.prepared), .text(signUp.username?.typed), .text(attributes), .bytes(signUp.network),
            .time(signUp.createdAt), .time(signUp.expiresAt), .groups(signUp.groups))
    }

    package func signUp(_ id: AccountID) throws(AccountError) -> SignUp? {
        try row(
            """
            SELECT id, email, email_typed, username, username_typed, attributes, network, created_at, expires_at,
                    group_names
                FROM sign_up WHERE id = ?1
            """, .id(id), make: signUp)
    }

    package func signUps(for address: EmailAddress) throws(AccountError) -> [SignUp] {
        try rows(
            """
            SELECT id, email, email_typed, username, username_typed, attributes, network, created_at, expires_at,
                    group_names
                FROM sign_up WHERE email = ?1 ORDER BY created_at, number
            """, .text(address.folded), make: signUp)
    }

    private func signUp(_ row: Engine.Row) throws(Failure) -> SignUp {
        var attributes: [String: FieldValue] = [:]
        if let text = try row.optionalText(5) {
            guard let values = JSONValue(line: text.utf8)?.fieldValues else { throw .corrupt }
            attributes = values
        }
        let username: Username? =
            row.isNull(3) ? nil : Username(storedAs: try row.text(4), prepared: try row.text(3))
        return SignUp(
            id: try row.accountID(0), email: EmailAddress(storedAs: try row.text(2), folded: try row.text(1)),
            username: username, attributes: attributes, groups: try row.groupNames(9), network: try row.bytes(6),
            createdAt: try row.time(7),
            expiresAt: try row.time(8))
    }

    package func hasSignUp(for username: Username, after time: Timestamp) throws(AccountError) -> Bool {
        try integer(
            "SELECT 1 FROM sign_up WHERE username = ?1 AND expires_at > ?2 LIMIT 1", .text(username.prepared),
            .time(time)) != nil
    }

    package func deleteSignUp(_ id: AccountID) throws(AccountError) {
        try write("DELETE FROM sign_up WHERE id = ?1", .id(id))
    }

    package func deleteSignUps(for address: EmailAddress) throws(AccountError) {
        try write("DELETE FROM sign_up WHERE email = ?1", .text(address.folded))
    }

    package func deleteSignUps(expiredBy time: Timestamp) throws(AccountError) {
        try write("DELETE FROM sign_up WHERE expires_at <= ?1", .time(time))
    }
}
