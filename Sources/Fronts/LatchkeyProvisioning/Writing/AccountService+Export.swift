package import LatchkeyAccounts
package import LatchkeySecrets

/// One page of the accounts of a store, for an export.
package struct ExportPage: Sendable {
    /// One exported account.
    package struct Entry: Sendable {
        /// The account as stored.
        package let account: Account
        /// The unsealed hash; nil if the account has none or hashes were not requested.
        package let passwordHash: PasswordHash?
        /// The groups of the account, in order.
        package let groups: [GroupName]
        /// The secret of the authenticator app, 20 bytes; nil if there is none or hashes were not requested.
        package let totpSecret: Secret?
    }

    /// The entries, ordered by login name.
    package let entries: [Entry]
    /// The last login name of the page; nil if there are no more accounts.
    package let last: LoginName?
    /// The number of accounts left out because their address is not verified. An import would mark the address as
    /// verified.
    package let unverified: Int
    /// The number of hashes and secrets left out because they cannot be unsealed, or because they are bare in a store
    /// with sealed hashes.
    package let unopened: Int
}

extension AccountService {
    /// A page of accounts for an export.
    ///
    /// It omits the hash of a generated password that has not been changed yet, because the password would never expire
    /// after an import.
    ///
    /// - Parameters:
    ///   - name: the last login name of the previous page; nil for the first page.
    ///   - limit: the maximum number of accounts on the page.
    ///   - withHashes: whether to export password hashes and the secrets of authenticator apps.
    /// - Throws: ``StoreError/sealingKeysMissing(_:)`` if hashes are requested and a sealing key is missing.
    package func exportPage(
        after name: LoginName?, limit: Int, withHashes: Bool
    ) async throws(AccountError) -> ExportPage {
        let (accounts, authenticators, groups) = try await store.read { (transaction) throws(AccountError) in
            let accounts = try transaction.accounts(after: name, limit: limit)
            var authenticators: [AccountID: Authenticator] = [:]
            for account in accounts where withHashes {
                authenticators[account.id] = try transaction.authenticator(of: account.id)
            }
            return (accounts, authenticators, try transaction.groups(of: accounts.map(\.id)))
        }
        var entries: [ExportPage.Entry] = []
        entries.reserveCapacity(accounts.count)
        var (unverified, unopened) = (0, 0)
        for account in accounts {
            guard account.verifyBy == nil else {
                unverified += 1
                continue
            }
            var hash: PasswordHash?
            if withHashes, account.passwordExpiresAt == nil {
                switch opened(account.passwordHash, of: account.id) {
                case .none: break
                case .hash(let bare): hash = bare
                case .refused, .notSealed: unopened += 1
                case .keyMissing(let key): throw .store(.sealingKeysMissing([key.text]))
                }
            }
            var secret: Secret?
            if let authenticator = authenticators[account.id], authenticator.isConfirmed {
                secret = try open(authenticator, of: account.id)
                if secret == nil { unopened += 1 }
            }
            entries.append(
                ExportPage.Entry(
                    account: account, passwordHash: hash, groups: groups[account.id] ?? [], totpSecret: secret))
        }
        return ExportPage(entries: entries, last: accounts.last?.loginName, unverified: unverified, unopened: unopened)
    }
}
