public import LatchkeyForms

/// The screen to show after a response.
public enum Destination: Equatable, Sendable {
    /// The same screen, with the response's message.
    case stay
    /// Another flow. The user can go back.
    case push(AccountType)
    /// Another flow that replaces the whole stack. The user cannot go back.
    case replace(AccountType)
    /// The previous flow, if there is one.
    case back
    /// The user is logged in. This finishes the flows, unless another flow required the password and now continues.
    case signedIn
    /// No call was made, or its screen is no longer visible. Nothing changes.
    case ignored
}

extension AccountType {
    /// The destination of this flow after `response`.
    // No `default`, so that a new flow does not compile until its destination is defined here.
    public func destination(after response: NetworkResponse) -> Destination {
        switch (self, response.outcome) {
        case (.setup, .success) where response.code == .codeSent: .replace(.resetPassword)
        case (.profile, .success) where response.code == .codeSent: .stay
        case (.addFactor, .success) where response.code == .enrolmentStarted: .stay
        case (.secondFactor, .success) where response.code == .passwordReset: .replace(.login)
        case (.login, .success), (.changePassword, .success), (.profile, .success), (.reauthenticate, .success),
            (.secondFactor, .success), (.addFactor, .success):
            .signedIn
        case (.setup, .success), (.resetPassword, .success), (.deleteAccount, .success): .replace(.login)
        case (.forgotPassword, .success): .push(.resetPassword)  // also for an unknown address
        case (.changePassword, .mustChangePassword): .stay
        case (_, .mustChangePassword): .push(.changePassword)
        case (_, .refused) where response.code == .factorRequired: .push(.secondFactor)
        case (_, .refused) where response.code == .enrolmentRequired: .push(.addFactor)
        case (.reauthenticate, .refused) where response.code == .reauthenticationRequired: .stay
        case (_, .refused) where response.code == .reauthenticationRequired: .push(.reauthenticate)
        case (.secondFactor, .refused) where response.code == .noSession: .back
        case (_, .refused), (_, .throttled), (_, .unavailable): .stay
        }
    }

    /// The credentials for an automatic login after `response`, so that the owner of a new account need not enter the
    /// password again. Nil if no login follows.
    ///
    /// - Parameter credentials: the credentials of the call that received `response`.
    public func login(after response: NetworkResponse, to credentials: Credentials) -> Credentials? {
        guard self == .setup, destination(after: response) == .replace(.login),
            let name = credentials.newUsername ?? credentials.text(.email), let password = credentials.secret(.password)
        else { return nil }
        return Credentials([.username: .text(name), .password: .secret(password)])
    }
}

/// The condition that finishes a run of the flows.
public enum Goal: Equatable, Sendable {
    /// The user is logged in.
    case signedIn
    /// This flow has succeeded. A forgotten password counts as complete when a new one is set.
    case success(of: AccountType)

    /// Whether navigating from `type` to `destination` reaches the goal. A login finishes every run.
    func isReached(by type: AccountType, leadingTo destination: Destination) -> Bool {
        if destination == .signedIn { return true }
        // The flow itself has succeeded, but another one must follow.
        switch destination {
        case .stay, .ignored, .back, .push(.changePassword), .push(.reauthenticate), .push(.secondFactor),
            .push(.addFactor):
            return false
        // The flow continues when the user enters the code from the message.
        case .replace(.resetPassword): return false
        case .push, .replace, .signedIn: break
        }
        switch self {
        case .signedIn: return false
        case .success(of: .setup): return type == .setup || type == .resetPassword || type == .secondFactor
        case .success(of: .forgotPassword), .success(of: .resetPassword):
            return type == .resetPassword || type == .secondFactor
        case .success(of: let wanted): return type == wanted
        }
    }
}
