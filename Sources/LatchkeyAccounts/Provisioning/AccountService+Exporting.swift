/// Some of the accounts of a store, for an export.
public struct ExportPage: Sendable {
    public struct Entry: Sendable {
        public let account: Account
        /// As it was before it was sealed; nil where there is none, or hashes were not asked for.
        public let passwordHash: PasswordHash?
    }

    /// In the order of the bytes of the prepared usernames.
    public let entries: [Entry]
    /// Where the page ended; nil where there are no more.
    public let last: Username?
    /// How many accounts were left out whose owners have still to prove their addresses: what is imported counts as
    /// proved.
    public let unproved: Int
    /// How many hashes cannot be opened, and so were left out.
    public let unopened: Int
}

extension AccountService {
    /// The accounts after `name`, at most `limit`; from the first where `name` is nil.
    ///
    /// A password that was generated and not changed yet has no hash here: it would open the account for good.
    ///
    /// - Throws: ``StoreError/sealingKeysMissing(_:)`` where hashes are asked for and a key is not there.
    public func exportPage(
        after name: Username?, limit: Int, withHashes: Bool
    ) async throws(AccountError) -> ExportPage {
        let accounts = try await accounts(after: name, limit: limit)
        var entries: [ExportPage.Entry] = []
        entries.reserveCapacity(accounts.count)
        var (unproved, unopened) = (0, 0)
        for account in accounts {
            guard account.verifyBy == nil else {
                unproved += 1
                continue
            }
            var hash: PasswordHash?
            if withHashes, account.passwordExpiresAt == nil {
                switch opened(account.passwordHash, of: account.id) {
                case .none: break
                case .hash(let bare): hash = bare
                case .refused: unopened += 1
                case .keyMissing:
                    let key = account.passwordHash.flatMap { SealedHash($0) }.map(\.key.text)
                    throw .store(.sealingKeysMissing(key.map { [$0] } ?? []))
                }
            }
            entries.append(ExportPage.Entry(account: account, passwordHash: hash))
        }
        return ExportPage(entries: entries, last: accounts.last?.username, unproved: unproved, unopened: unopened)
    }
}
