package import LatchkeyAccounts
import LatchkeyForms

/// A row of the view `stored_account`.
///
/// An engine reads this row with its own types: going through ``SQLEngine`` and ``SQLRow`` would add 20 % of
/// instructions to each look-up, and every login and request with a session needs one.
package struct StoredAccountRow {
    // Without `@usableFromInline`, a generic query for an account would cost 2 % of a look-up.
    @usableFromInline package static let byID: StaticString = "SELECT * FROM stored_account WHERE id = ?1"
    @usableFromInline
    package static let byLoginName: StaticString = "SELECT * FROM stored_account WHERE login_name = ?1"
    @usableFromInline package static let byEmail: StaticString = "SELECT * FROM stored_account WHERE email = ?1"

    /// Reads a column; nil for NULL.
    package typealias Reader<Value> = (AccountColumn) throws(DamagedRow) -> Value?

    private let integer: Reader<Int64>
    private let text: Reader<String>
    private let bytes: Reader<[UInt8]>

    package init(
        integer: @escaping Reader<Int64>, text: @escaping Reader<String>, bytes: @escaping Reader<[UInt8]>
    ) {
        (self.integer, self.text, self.bytes) = (integer, text, bytes)
    }

    /// Converts the row into an account. All values must be allowed by the schema.
    package func account() throws(DamagedRow) -> Account {
        guard let id = AccountID(bytes: try required(bytes(.id))), let createdAt = try time(.createdAt) else {
            throw DamagedRow()
        }
        let email = try required(text(.email))
        var account = Account(
            id: id, username: try username(),
            email: EmailAddress(storedAs: try text(.emailTyped) ?? email, folded: email),
            state: try required(integer(.state, in: .flag)) == 0 ? .active : .disabled, createdAt: createdAt,
            mustChangePassword: try required(integer(.mustChangePassword, in: .flag)) == 1,
            verifyBy: try time(.verifyBy), passwordHash: try passwordHash())
        account.emailVerifiedAt = try time(.emailVerifiedAt)
        account.passwordGeneration = Int(try required(integer(.passwordGeneration, in: .count)))
        account.passwordExpiresAt = try time(.passwordExpiresAt)
        account.updatedAt = try time(.updatedAt) ?? createdAt
        account.lastLoginAt = try time(.lastLoginAt)
        if let attributes = try text(.attributes) {
            account.attributes = try required(JSONValue(line: attributes.utf8)?.fieldValues)
        }
        return account
    }

    /// Nil if the login name is an e-mail address, because a username cannot be one.
    private func username() throws(DamagedRow) -> Username? {
        let prepared = try required(text(.loginName))
        guard !LoginName(stored: prepared).isAddress else { return nil }
        return Username(storedAs: try text(.usernameTyped) ?? prepared, prepared: prepared)
    }

    /// If there is no kind, another program has written the row: the stored text is then the whole hash, and its cost
    /// is unknown.
    private func passwordHash() throws(DamagedRow) -> PasswordHash? {
        guard let rest = try text(.passwordHash) else { return nil }
        guard try integer(.hashKind) != nil else { return PasswordHash(phc: rest) }
        return PasswordHash(
            phc: try required(text(.prefix)) + rest, milliseconds: Int(try required(integer(.milliseconds, in: .cost))))
    }

    private func integer(_ column: AccountColumn, in range: StoredRange) throws(DamagedRow) -> Int64? {
        guard let number = try integer(column) else { return nil }
        guard range.values ~= number else { throw DamagedRow() }
        return number
    }

    private func time(_ column: AccountColumn) throws(DamagedRow) -> Timestamp? {
        try integer(column, in: .time).map { Timestamp(milliseconds: $0) }
    }

    private func required<Value>(_ value: Value?) throws(DamagedRow) -> Value {
        guard let value else { throw DamagedRow() }
        return value
    }
}

/// A value that the schema does not allow.
package struct DamagedRow: Error {
    package init() {}
}

/// The columns of the view `stored_account`, in order.
package enum AccountColumn: Int32, CaseIterable {
    case number, id, loginName, usernameTyped, email, emailTyped, state, createdAt, updatedAt, emailVerifiedAt
    case verifyBy, mustChangePassword, passwordGeneration, passwordExpiresAt, hashKind, prefix, milliseconds
    case passwordHash, attributes, lastLoginAt

    /// The index of the first column after `SELECT *`.
    static let count = Int32(allCases.count)
}
