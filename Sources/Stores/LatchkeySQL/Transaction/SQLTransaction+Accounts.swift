package import LatchkeyAccounts
package import LatchkeyForms
import LatchkeyText

extension SQLTransaction {
    package var hasAccounts: Bool {
        get throws(AccountError) {
            try integer("SELECT 1 FROM account LIMIT 1") != nil
        }
    }

    package func account(_ lookup: AccountLookup) throws(AccountError) -> Account? {
        try reading { (database) throws(Failure) in try database.account(lookup) }
    }

    package func hasAccount(
        _ username: Username?, _ email: EmailAddress, _ id: AccountID?
    ) throws(AccountError) -> Bool {
        try reading { (database) throws(Failure) in
            // A comparison with NULL matches nothing.
            try database.integer(
                """
                SELECT 1 WHERE EXISTS (SELECT 1 FROM account WHERE login_name = ?1)
                    OR EXISTS (SELECT 1 FROM account WHERE email = ?2) OR EXISTS (SELECT 1 FROM account WHERE id = ?3)
                """, .text(username?.prepared), .text(email.folded), .bytes(id?.bytes)) != nil
        }
    }

    package func accounts(
        matching filter: AccountFilter, after name: LoginName?, limit: Int
    ) throws(AccountError) -> AccountPage {
        guard !filter.isBeginning else { return try search(filter, after: name, limit: limit) }
        return try reading { (database) throws(Failure) in
            // Names are never empty, so every name comes after the empty one.
            let values: [Engine.Value] = [
                .text(name?.text ?? ""), .integer(Int64(max(limit, 0))), .text(filter.state?.rawValue),
                .text(filter.partOfName), .text(filter.partOfAddress), .integer(filter.hasNoFactor ? Int64(1) : nil),
            ]
            let rows = try database.rows(
                filter.group == nil ? Engine.accountPage : Engine.memberPage,
                values: values + (filter.group.map { [.text($0.text)] } ?? [])
            ) { (row) throws(Failure) in try matchingAccount(row) }
            return AccountPage(accounts: rows.compactMap(\.account), last: rows.last?.name)
        }
    }

    /// Finds names and addresses by their beginning.
    private func search(
        _ filter: AccountFilter, after name: LoginName?, limit: Int
    ) throws(AccountError) -> AccountPage {
        let (names, addresses) = (filter.partOfName ?? "", filter.partOfAddress ?? "")
        // The last character of all sorts after every continuation.
        let (endOfNames, endOfAddresses) = (names + "\u{10FFFF}", addresses + "\u{10FFFF}")
        return try reading { (database) throws(Failure) in
            let rows = try database.rows(
                Engine.searchPage,
                values: [
                    .text(name?.text ?? ""), .integer(Int64(max(limit, 0))), .text(filter.state?.rawValue),
                    .text(names), .text(addresses), .integer(filter.hasNoFactor ? Int64(1) : nil),
                    .text(filter.group?.text), .text(endOfNames), .text(endOfAddresses),
                ]
            ) { (row) throws(Failure) in try matchingAccount(row) }
            let found = try database.integer(
                """
                SELECT COUNT(*) FROM (SELECT 1 FROM account WHERE email >= ?1 AND email < ?2 LIMIT ?3) AS found
                """, .text(addresses), .text(endOfAddresses), .integer(Int64(AccountPage.searchLimit) + 1))
            return AccountPage(
                accounts: rows.compactMap(\.account), last: rows.last?.name,
                isIncomplete: found ?? 0 > AccountPage.searchLimit)
        }
    }

    /// A row of a page: its name, and the account if the filter selects it.
    private func matchingAccount(
        _ row: Engine.Row
    ) throws(Failure) -> (name: LoginName, account: Account?) {
        let isMatch = try row.integer(AccountColumn.count) != 0
        return (
            LoginName(stored: try row.text(AccountColumn.loginName.rawValue)), isMatch ? try Engine.account(row) : nil
        )
    }

    package func unverifiedAccounts(expiredBy time: Timestamp, limit: Int) throws(AccountError) -> [AccountID] {
        try rows(
            "SELECT id FROM account WHERE verify_by <= ?1 ORDER BY verify_by, id LIMIT ?2", .time(time),
            .integer(Int64(max(limit, 0)))
        ) { (row) throws(Failure) in try row.accountID(0) }
    }

    package func insert(_ account: Account) throws(AccountError) { try Engine.insert(account, by: self) }

    package func insert(_ accounts: [Account]) throws(AccountError) -> [Int: FieldKey] {
        try Engine.insert(accounts, by: self)
    }

    package func update(_ account: Account) throws(AccountError) { try Engine.update(account, by: self) }

    package func noteLogin(of account: AccountID, at time: Timestamp) throws(AccountError) {
        try write("UPDATE account SET last_login_at = ?2 WHERE id = ?1", .id(account), .time(time))
    }

    package func deleteAccount(_ id: AccountID) throws(AccountError) -> Bool {
        try writing { (database) throws(Failure) in
            guard let old = try hashKind(of: id, in: database) else { return false }
            hashKinds.add(-1, to: old)
            return try database.run("DELETE FROM account WHERE id = ?1", .id(id)) > 0
        }
    }
}
