public import LatchkeyAccounts
public import LatchkeyFlows
public import LatchkeyForms
import LatchkeySecrets

/// `Networking` over an account service in this process. Each flow makes one call to the service.
public struct LocalNetworking: Networking {
    let service: AccountService
    private let sessionStore: any SessionStore
    private let outbox: @Sendable () -> String?

    /// - Parameters:
    ///   - sessionStore: stores the session's token between calls.
    ///   - outbox: the folder of waiting messages if no mailer is configured; nil if the caller may not learn it.
    ///   - service: the account service.
    public init(
        service: AccountService, sessionStore: any SessionStore, outbox: @escaping @Sendable () -> String? = { nil }
    ) {
        self.service = service
        self.sessionStore = sessionStore
        self.outbox = outbox
    }

    /// Calls the service and returns its response.
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
            case .reauthenticate: return try await reauthenticate(credentials)
            case .secondFactor: return try await giveSecondFactor(credentials)
            case .addFactor: return try await addFactor(credentials)
            }
        } catch {
            if let challenge = error.challenge { await sessionStore.save(pendingLogin: challenge.token) }
            return NetworkResponse(error)
        }
    }

    private func logIn(_ credentials: Credentials) async throws(AccountError) -> NetworkResponse {
        let signIn = try await serviceOnDevice().authenticate(
            identifier: credentials.text(.username), password: credentials.secret(.password),
            // If the token is unreadable, the old session remains.
            replacing: try? await sessionStore.token())
        return await sessionStore.save(signIn, of: service)
    }

    private func setUp(_ credentials: Credentials) async throws(AccountError) -> NetworkResponse {
        let draft = AccountDraft(
            username: credentials.newUsername, email: credentials.text(.email) ?? "",
            attributes: credentials.attributes, password: credentials.secret(.password))
        let account = try await service.create(draft, by: .owner)
        return account.verifyBy == nil ? .success(AccountSummary(account)) : codeSent(account)
    }

    private func forgotPassword(_ credentials: Credentials) async throws(AccountError) -> NetworkResponse {
        try await service.beginRecovery(email: credentials.text(.email))
        return .success().inOutbox(outbox())
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
            let signIn = try await serviceOnDevice().changePassword(
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
            case .codeSent(let account): codeSent(account)
            }
        }
    }

    private func codeSent(_ account: Account) -> NetworkResponse {
        .codeSent(AccountSummary(account)).inOutbox(outbox())
    }

    private func deleteAccount(_ credentials: Credentials) async throws(AccountError) -> NetworkResponse {
        try await withToken { (token) async throws(AccountError) in
            try await serviceOnDevice().deleteOwnAccount(token: token, current: credentials.secret(.currentPassword))
            // The session is already deleted, so a remaining token is useless.
            try? await sessionStore.forget()
            return .success()
        }
    }

    private func reauthenticate(_ credentials: Credentials) async throws(AccountError) -> NetworkResponse {
        try await withToken { (token) async throws(AccountError) in
            let signIn = try await serviceOnDevice().reauthenticate(
                token: token, password: credentials.secret(.currentPassword))
            return await sessionStore.save(signIn, of: service)
        }
    }

    private func giveSecondFactor(_ credentials: Credentials) async throws(AccountError) -> NetworkResponse {
        guard let pending = await sessionStore.pendingLogin() else { throw .noSession }
        let result: FactorResult
        do throws(AccountError) {
            result = try await serviceOnDevice().finishLogin(
                pending: pending, code: credentials.secret(.code), replacing: try? await sessionStore.token())
        } catch .refused(let failures) where failures.map(\.code) == [.secondFactor] {
            return .refused(.invalidCode, failures)
        }
        switch result {
        case .signedIn(let signIn): return await sessionStore.save(signIn, of: service)
        case .passwordReset:
            await sessionStore.save(pendingLogin: nil)
            return .passwordReset
        }
    }

    private func addFactor(_ credentials: Credentials) async throws(AccountError) -> NetworkResponse {
        let pending = await sessionStore.pendingLogin()
        let token = try? await sessionStore.token()
        guard let owner = pending.map(FactorOwner.pending) ?? token.map(FactorOwner.session) else { throw .noSession }
        if credentials.entry(.code) == nil || credentials.secret(.code)?.isEmpty == true {
            return try await beginAuthenticator(owner)
        }
        let addition = try await serviceOnDevice().confirmAuthenticator(
            for: owner, code: credentials.secret(.code), replacing: token)
        let response = await sessionStore.save(addition.signIn, of: service)
        return addition.savedCodes.isEmpty ? response : response.disclosing(.savedCodes(addition.savedCodes))
    }

    private func beginAuthenticator(_ owner: FactorOwner) async throws(AccountError) -> NetworkResponse {
        let new = try await service.beginAuthenticator(for: owner)
        return .enrolmentStarted(.authenticator(uri: new.uri, secret: new.typeableSecret))
    }

    /// The service for calls that verify a password, with the device of the user.
    private func serviceOnDevice() async -> AccountService { service.on(await sessionStore.device()) }

    /// Makes a call with the stored token.
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

extension AccountError {
    /// The challenge for the second factor that the error demands; nil for any other error.
    fileprivate var challenge: FactorChallenge? {
        switch self {
        case .factorRequired(let challenge), .enrolmentRequired(let challenge): challenge
        default: nil
        }
    }
}
