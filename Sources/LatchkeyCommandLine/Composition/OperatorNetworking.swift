import LatchkeyFlows
import LatchkeyForms

/// Calls that an operator makes on somebody's behalf: those that succeed are told.
struct OperatorNetworking: Networking {
    private let networking: any Networking
    private let tell: @Sendable (AccountSummary?) -> Void

    /// - Parameter tell: hears whose account a call was about, where the answer says it.
    init(_ networking: any Networking, _ tell: @escaping @Sendable (AccountSummary?) -> Void) {
        self.networking = networking
        self.tell = tell
    }

    func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse {
        let response = await networking.perform(call: call, with: credentials)
        if response.outcome == .success { tell(response.account) }
        return response
    }
}
