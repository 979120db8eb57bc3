import LatchkeyForms

extension AccountService {
    /// Makes an account.
    ///
    /// - Parameter actor: who asks: whoever will be its owner, or an operator.
    /// - Throws: ``AccountError/refused(_:)`` with a failure for each field that is not right;
    ///   ``AccountError/taken(field:)``; what hashing and the store fail with. Nothing is made then.
    public func create(_ draft: AccountDraft, by actor: AuditActor) async throws(AccountError) -> Account {
        let trail = try newTrail(by: actor)
        return try await recordingRefusals(about: nil, trail) { () async throws(AccountError) in
            try await make(CheckedDraft(draft, policy: policy, international: settings.internationalAddresses), trail)
        }
    }

    private func make(_ draft: CheckedDraft, _ trail: AuditTrail) async throws(AccountError) -> Account {
        // Saves the hash where a name is taken; the unique index decides, when the account goes in.
        try await store.read { (transaction) throws(AccountError) in
            if try transaction.account(.username(draft.username)) != nil { throw .taken(field: .username) }
            if try transaction.account(.email(draft.email)) != nil { throw .taken(field: .email) }
        }
        var passwordHash: PasswordHash?
        if let password = draft.password { passwordHash = try await hash(password) }
        let now = clock.now()
        let account = Account(
            id: try newAccountID(), username: draft.username, email: draft.email, attributes: draft.attributes,
            createdAt: now, mustChangePassword: draft.mustChangePassword, passwordHash: passwordHash)
        try await store.write { (transaction) throws(AccountError) in
            try transaction.insert(account)
            try trail.append(.userCreated, about: account.id, at: now, in: transaction)
        }
        return account
    }

    private func newAccountID() throws(AccountError) -> AccountID {
        do { return try AccountID(from: random) } catch { throw .noRandomness }
    }
}
