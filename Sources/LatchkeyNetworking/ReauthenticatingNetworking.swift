public import LatchkeyAccounts
public import LatchkeyFlows
public import LatchkeyForms
import LatchkeySecrets

/// ``Networking`` for whoever is signed in and gives the password once more: to log in is that. Its form asks for
/// `current_password` alone.
public struct ReauthenticatingNetworking: Networking {
    private let service: AccountService
    private let keeper: any SessionKeeper
    private let other: LocalNetworking

    public init(service: AccountService, keeper: any SessionKeeper) {
        self.service = service
        self.keeper = keeper
        other = LocalNetworking(service: service, keeper: keeper)
    }

    public func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse {
        guard call == .login else { return await other.perform(call: call, with: credentials) }
        let token: Secret?
        do throws(SessionKeeperError) { token = try await keeper.token() } catch { return .unavailable(.storageFailed) }
        guard let token else { return .refused(.noSession) }
        do throws(AccountError) {
            let signIn = try await service.reauthenticate(
                token: token, password: credentials.secret(.currentPassword))
            return await keeper.kept(signIn, by: service)
        } catch {
            return NetworkResponse(error)
        }
    }
}
