public import LatchkeyForms

/// What a run of the flows is for: it ends when that is reached.
public enum Goal: Equatable, Sendable {
    case signedIn
    /// Until this flow has succeeded. To have forgotten one's password is over when a new one is set.
    case success(of: AccountType)

    /// Whether `type` having led to `destination` reaches it. To be signed in is the end of every run.
    func isReached(by type: AccountType, leadingTo destination: Destination) -> Bool {
        if destination == .signedIn { return true }
        // The flow succeeded only to be told that another has to follow.
        if destination == .stay || destination == .push(.changePassword) { return false }
        // What has been begun with it goes on with a code.
        if destination == .replace(.resetPassword) { return false }
        switch self {
        case .signedIn: return false
        case .success(of: .setup): return type == .setup || type == .resetPassword
        case .success(of: .forgotPassword): return type == .resetPassword
        case .success(of: let wanted): return type == wanted
        }
    }
}
