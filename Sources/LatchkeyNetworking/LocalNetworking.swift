public import LatchkeyAccounts
public import LatchkeyFlows
public import LatchkeyForms
import LatchkeySecrets

/// ``Networking`` over an account service in this process: each flow is one call of the service.
public struct LocalNetworking: Networking {
    private let service: AccountService
    private let keeper: any SessionKeeper
    private let actor: AuditActor
    private let newAccountsMustChangePassword: Bool

    /// - Parameters:
    ///   - actor: who the audit trail says has made accounts.
    ///   - newAccountsMustChangePassword: whether their owners must choose another password at the first login, since
    ///     somebody else knows the one they have.
    public init(
        service: AccountService, keeper: any SessionKeeper, actor: AuditActor = .owner,
        newAccountsMustChangePassword: Bool = false
    ) {
        self.service = service
        self.keeper = keeper
        self.actor = actor
        self.newAccountsMustChangePassword = newAccountsMustChangePassword
    }

    public func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse {
        do throws(AccountError) {
            switch call {
            case .login: return try await logIn(credentials)
            case .setup: return try await setUp(credentials)
            case .forgotPassword: return try await forgotPassword(credentials)
            case .resetPassword: return try await resetPassword(credentials)
            case .changePassword: return try await changePassword(credentials)
            }
        } catch {
            return NetworkResponse(error)
        }
    }

    private func logIn(_ credentials: Credentials) async throws(AccountError) -> NetworkResponse {
        let signIn = try await service.authenticate(
            identifier: credentials.text(.username), password: credentials.secret(.password))
        return await kept(signIn)
    }

    private func setUp(_ credentials: Credentials) async throws(AccountError) -> NetworkResponse {
        let draft = AccountDraft(
            username: credentials.text(.username) ?? "", email: credentials.text(.email) ?? "",
            attributes: credentials.attributes, password: credentials.secret(.password),
            mustChangePassword: newAccountsMustChangePassword)
        return .success(AccountSummary(try await service.create(draft, by: actor)))
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
        let token: Secret?
        do throws(SessionKeeperError) { token = try await keeper.token() } catch { return .unavailable(.storageFailed) }
        guard let token else { throw .noSession }
        let signIn = try await service.changePassword(
            token: token, current: credentials.secret(.currentPassword), new: password)
        return await kept(signIn)
    }

    /// Hands the token to the keeper. Where it cannot be kept, the session is ended again: nobody would have it.
    private func kept(_ signIn: SignIn) async -> NetworkResponse {
        do throws(SessionKeeperError) {
            try await keeper.keep(signIn.token)
        } catch {
            _ = try? await service.endSession(token: signIn.token)
            return .unavailable(.storageFailed)
        }
        let summary = AccountSummary(signIn.account)
        return signIn.mustChangePassword ? .changeRequired(summary) : .success(summary)
    }
}
