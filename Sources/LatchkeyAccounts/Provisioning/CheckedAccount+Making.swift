import LatchkeyForms

extension CheckedAccount {
    /// The account that there is none of yet, as an operator makes it.
    ///
    /// - Parameters:
    ///   - hash: of the row's plain password, if it has one.
    ///   - seal: of the transaction that stores it.
    func newAccount(
        _ hash: BareHash?, at now: Timestamp, sealedWith seal: Seal?, by service: AccountService
    ) throws(AccountError) -> Account {
        let id = if let id { id } else { try service.newAccountID() }
        var account = Account(
            id: id, username: username, email: email,
            attributes: attributes.isEmpty ? [:] : attributes.filter { !$0.value.isEmpty }, state: state ?? .active,
            createdAt: createdAt ?? now, mustChangePassword: mustChangePassword ?? false, passwordHash: nil)
        account.updatedAt = now
        account.passwordHash = try newHash(hash, for: id, sealedWith: seal, by: service)
        if account.passwordHash != nil, service.settings.preset.operatorPasswordsMustChange {
            account.mustChangePassword = true
        }
        return account
    }

    /// What is stored of the row's password; nil where it has none.
    func newHash(
        _ hash: BareHash?, for id: AccountID, sealedWith seal: Seal?, by service: AccountService
    ) throws(AccountError) -> PasswordHash? {
        switch password {
        case .unsaid, .none: return nil
        case .hash(let given): return try service.sealed(given, for: id, with: seal)
        case .plain:
            return try hash.map { (hash) throws(AccountError) in
                try service.sealed(hash.hash, for: id, with: seal)
            }
        }
    }
}
