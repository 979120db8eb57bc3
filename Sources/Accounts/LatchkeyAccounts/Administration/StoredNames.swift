import LatchkeyText

/// Prepares stored usernames again after a change of ``UsernameCaseMapped``: an older version lower-cased each letter
/// without its neighbors.
package enum StoredNames {
    /// Two accounts whose names are equal now. Both keep their stored names.
    package struct Collision: Sendable {
        /// The account whose stored name differs from its prepared one. It can log in with the stored name or its
        /// address.
        package let account: Account
        /// The account that the prepared name belongs to.
        package let other: Account
    }

    private static let pageSize = 500

    /// Stores each name as it is compared now, unless another account has that name. If it is interrupted, the next run
    /// continues.
    ///
    /// - Returns: the names that collide.
    package static func prepare(in store: any AccountStore) async throws(AccountError) -> [Collision] {
        var collisions: [Collision] = []
        var last: LoginName?
        repeat {
            let page = try await store.read { [last] (transaction) throws(AccountError) in
                // Only the final sigma is prepared in another way.
                try transaction.accounts(matching: AccountFilter(matching: "σ"), after: last, limit: pageSize)
            }
            for account in page.accounts {
                guard let old = account.username, let new = prepared(old) else { continue }
                let other = try await store.write { (transaction) throws(AccountError) -> Account? in
                    if let other = try transaction.account(.username(new)) { return other }
                    guard var current = try transaction.account(.id(account.id)), current.username == old else {
                        return nil
                    }
                    current.username = new
                    try transaction.update(current)
                    return nil
                }
                if let other { collisions.append(Collision(account: account, other: other)) }
            }
            last = page.last
        } while last != nil
        return collisions
    }

    /// The name as it is compared now; nil if that is how it is stored.
    private static func prepared(_ name: Username) -> Username? {
        let new = Username(mapping: name.typed)
        return new == name ? nil : new
    }
}
