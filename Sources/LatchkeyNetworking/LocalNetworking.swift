public import LatchkeyAccounts
public import LatchkeyFlows
public import LatchkeyForms
public import LatchkeySecrets

/// ``Networking`` over an account service in this process: each flow is one call of the service.
public struct LocalNetworking: Networking {
    private let service: AccountService
    private let sessionStore: any SessionStore
    private let actor: AuditActor
    private let newAccountsMustChangePassword: Bool
    private let newAccountsPasswordHash: PasswordHash?
    private let newAccountsGeneratedPassword: Secret?
    private let newAccountsID: AccountID?

    /// - Parameters:
    ///   - actor: who the audit trail says has made accounts.
    ///   - newAccountsMustChangePassword: whether their owners must choose another password at the first login, since
    ///     somebody else knows the one they have.
    ///   - newAccountsPasswordHash: what another program has made of the password of the one account that is to be made.
    ///   - newAccountsGeneratedPassword: the password of that account, as ``AccountService/newPassword()`` has made it.
    ///   - newAccountsID: the id of that account; nil for a random one.
    public init(
        service: AccountService, sessionStore: any SessionStore, actor: AuditActor = .owner,
        newAccountsMustChangePassword: Bool = false, newAccountsPasswordHash: PasswordHash? = nil,
        newAccountsGeneratedPassword: Secret? = nil, newAccountsID: AccountID? = nil
    ) {
        self.service = service
        self.sessionStore = sessionStore
        self.actor = actor
        self.newAccountsMustChangePassword = newAccountsMustChangePassword
        self.newAccountsPasswordHash = newAccountsPasswordHash
        self.newAccountsGeneratedPassword = newAccountsGeneratedPassword
        self.newAccountsID = newAccountsID
    }

    public func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse {
        do throws(AccountError) {
            switch call {
            case .login: return try await logIn(credentials)
            case .setup: return try await setUp(credentials)
            case .forgotPassword: return try await forgotPassword(credentials)
            case .resetPassword: return try await resetPassword(credentials)
            case .changePassword: return try await changePassword(credentials)
            case .profile: return try await changeProfile(credentials)
            case .deleteAccount: return try await deleteAccount(credentials)
            }
        } catch {
            return NetworkResponse(error)
        }
    }

    private func logIn(_ credentials: Credentials) async throws(AccountError) -> NetworkResponse {
        let signIn = try await service.authenticate(
            identifier: credentials.text(.username), password: credentials.secret(.password),
            // Whoever cannot read the old one has no more of it than a stranger.
            replacing: try? await sessionStore.token())
        return await sessionStore.save(signIn, of: service)
    }

    private func setUp(_ credentials: Credentials) async throws(AccountError) -> NetworkResponse {
        var draft = AccountDraft(
            username: credentials.text(.username) ?? "", email: credentials.text(.email) ?? "",
            attributes: credentials.attributes, password: newAccountsGeneratedPassword ?? credentials.secret(.password),
            mustChangePassword: newAccountsMustChangePassword)
        draft.isPasswordGenerated = newAccountsGeneratedPassword != nil
        draft.passwordHash = newAccountsPasswordHash
        draft.id = newAccountsID
        let account = try await service.create(draft, by: actor)
        return account.verifyBy == nil ? .success(AccountSummary(account)) : .codeSent(AccountSummary(account))
    }

    private func forgotPassword(_ credentials: Credentials) async throws(AccountError) -> NetworkResponse {
        try await service.beginRecovery(email: credentials.text(.email))
        return .success()
    }

    private func resetPassword(_ credentials: Credentials) async throws(AccountError) -> NetworkResponse {
        guard let password = credentials.secret(.password) else {
            throw .refused([RuleFailure(code: .required, field: .password)])
        }
        try await service.finishRecovery(code: credentials.secret(.code), password: password)
        return .success()
    }

    private func changePassword(_ credentials: Credentials) async throws(AccountError) -> NetworkResponse {
        guard let password = credentials.secret(.password) else {
            throw .refused([RuleFailure(code: .required, field: .password)])
        }
        return try await withToken { (token) async throws(AccountError) in
            let signIn = try await service.changePassword(
                token: token, current: credentials.secret(.currentPassword), new: password)
            return await sessionStore.save(signIn, of: service)
        }
    }

    private func changeProfile(_ credentials: Credentials) async throws(AccountError) -> NetworkResponse {
        let draft = ProfileDraft(
            username: credentials.text(.username), email: credentials.text(.email),
            attributes: credentials.attributesWithEmpty, code: credentials.secret(.code))
        return try await withToken { (token) async throws(AccountError) in
            switch try await service.updateProfile(token: token, draft) {
            case .done(let account): .success(AccountSummary(account))
            case .codeSent(let account): .codeSent(AccountSummary(account))
            }
        }
    }

    private func deleteAccount(_ credentials: Credentials) async throws(AccountError) -> NetworkResponse {
        try await withToken { (token) async throws(AccountError) in
            try await service.deleteOwnAccount(token: token, current: credentials.secret(.currentPassword))
            // The session is gone from the store, which is what counts.
            try? await sessionStore.forget()
            return .success()
        }
    }

    /// Calls with the token that is kept.
    private func withToken(
        _ call: (Secret) async throws(AccountError) -> NetworkResponse
    ) async throws(AccountError) -> NetworkResponse {
        let token: Secret?
        do throws(SessionStoreError) { token = try await sessionStore.token() } catch {
            return .unavailable(.storageFailed)
        }
        guard let token else { throw .noSession }
        return try await call(token)
    }
}
