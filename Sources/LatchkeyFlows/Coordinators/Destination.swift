public import LatchkeyForms

/// Where a flow leads.
public enum Destination: Equatable, Sendable {
    /// The same screen, with what the answer says.
    case stay
    /// Another flow, from which one can come back.
    case push(AccountType)
    /// Another flow; what led here is finished and gone.
    case replace(AccountType)
    case signedIn
    /// The answer came for a screen that is no longer there, or the call was not made: nothing changes.
    case ignored
}

extension AccountType {
    /// Where this flow leads after `response`.
    // No `default`: a new flow must not compile until somebody has said where it leads.
    public func destination(after response: NetworkResponse) -> Destination {
        switch (self, response.outcome) {
        case (.setup, .success) where response.code == .codeSent: .replace(.resetPassword)
        case (.profile, .success) where response.code == .codeSent: .stay
        case (.login, .success), (.changePassword, .success), (.profile, .success): .signedIn
        case (.setup, .success), (.resetPassword, .success), (.deleteAccount, .success): .replace(.login)
        case (.forgotPassword, .success): .push(.resetPassword)  // also for an address nobody has
        case (.changePassword, .mustChangePassword): .stay
        case (_, .mustChangePassword): .push(.changePassword)
        case (_, .refused), (_, .throttled), (_, .unavailable): .stay
        }
    }
}
