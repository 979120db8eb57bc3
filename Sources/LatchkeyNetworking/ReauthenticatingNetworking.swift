public import LatchkeyAccounts
public import LatchkeyFlows
public import LatchkeyForms
import LatchkeySecrets

/// ``Networking`` for whoever is signed in and gives the password once more: to log in is that. Its form asks for
/// `current_password` alone.
public struct ReauthenticatingNetworking: Networking {
    private let service: AccountService
    private let sessionStore: any SessionStore
    private let other: LocalNetworking

    public init(service: AccountService, sessionStore: any SessionStore) {
        self.service = service
        self.sessionStore = sessionStore
        other = LocalNetworking(service: service, sessionStore: sessionStore)
    }

    public func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse {
        guard call == .login else { return await other.perform(call: call, with: credentials) }
        let token: Secret?
        do throws(SessionStoreError) { token = try await sessionStore.token() } catch {
            return .unavailable(.storageFailed)
        }
        guard let token else { return .refused(.noSession) }
        do throws(AccountError) {
            let signIn = try await service.reauthenticate(
                token: token, password: credentials.secret(.currentPassword))
            return await sessionStore.save(signIn, of: service)
        } catch {
            return NetworkResponse(error)
        }
    }
}
