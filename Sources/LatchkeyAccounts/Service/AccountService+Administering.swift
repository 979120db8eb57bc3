extension AccountService {
    /// Whether there is any account yet.
    public func hasAccounts() async throws(AccountError) -> Bool {
        try await store.read { (transaction) throws(AccountError) in try transaction.hasAccounts }
    }

    /// - Throws: ``AccountError/noSuchAccount``.
    public func account(_ lookup: AccountLookup) async throws(AccountError) -> Account {
        try await store.read { (transaction) throws(AccountError) in
            guard let account = try transaction.account(lookup) else { throw .noSuchAccount }
            return account
        }
    }

    /// At most `limit` accounts after `name`, ordered by the bytes of the prepared username; from the first where `name`
    /// is nil.
    public func accounts(after name: Username?, limit: Int) async throws(AccountError) -> [Account] {
        try await store.read { (transaction) throws(AccountError) in
            try transaction.accounts(after: name, limit: limit)
        }
    }

    /// The next piece of the list, of which ``AccountPage/accounts`` are those that `filter` admits.
    ///
    /// - Parameters:
    ///   - name: where the last piece ended; nil for the first.
    ///   - count: how many accounts are looked at: while a store is read, nobody can write to it.
    public func accounts(
        matching filter: AccountFilter, after name: Username?, lookingAt count: Int
    ) async throws(AccountError) -> AccountPage {
        try await store.read { (transaction) throws(AccountError) in
            try transaction.accounts(matching: filter, after: name, limit: count)
        }
    }

    /// Removes an account with its sessions and codes.
    ///
    /// - Throws: ``AccountError/noSuchAccount``.
    public func delete(_ lookup: AccountLookup, by actor: AuditActor) async throws(AccountError) {
        let trail = try newTrail(by: actor)
        try await store.writeWithReserve { [self] (transaction) throws(AccountError) in
            guard let account = try transaction.account(lookup) else { throw .noSuchAccount }
            try remove(account.id, at: clock.now(), trail, in: transaction)
        }
    }

    func remove(
        _ id: AccountID, at now: Timestamp, _ trail: AuditTrail, in transaction: any StoreTransaction
    ) throws(AccountError) {
        try ThrottleLane.account(id).clear(recording: trail, about: id, at: now, in: transaction)
        guard try transaction.deleteAccount(id) else { throw .noSuchAccount }
        try trail.append(.userDeleted, about: id, at: now, in: transaction)
    }
}
