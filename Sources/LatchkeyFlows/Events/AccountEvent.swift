public import LatchkeyForms

/// One thing that happened, as a value. Never holds a secret, nor what anybody typed.
public enum AccountEvent: Equatable, Sendable {
    case call(CallEvent)
    case navigation(NavigationEvent)
    case session(SessionEvent)
}

/// Requests and their answers, tied by an id.
public enum CallEvent: Equatable, Sendable {
    case began(id: UInt64, call: AccountType)
    case ended(id: UInt64, call: AccountType, code: NetworkResponse.Code)
    /// The person did not wait. The call goes on, and its answer changes nothing on the screen.
    case abandoned(id: UInt64, call: AccountType)
}

/// Which flow is shown.
public enum NavigationEvent: Equatable, Sendable {
    case opened(AccountType)
    case moved(from: AccountType, to: AccountType, Reason)
    case left(AccountType)

    public enum Reason: String, Sendable {
        case link
        case back
        case answer
    }
}

/// What becomes of the session.
public enum SessionEvent: Equatable, Sendable {
    case signedIn
}
