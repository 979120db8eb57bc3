public import LatchkeyForms

/// Where a response leads.
public enum Destination: Equatable, Sendable {
    /// The same screen, with what the response says.
    case stay
    /// Another flow; the person can go back.
    case push(AccountType)
    /// Another flow that takes the place of the whole stack; the person cannot go back.
    case replace(AccountType)
    /// The flow before this one, if there is one.
    case back
    /// The person is signed in. The flows are over, unless another flow asked for the password and goes on.
    case signedIn
    /// The response belongs to a screen that is gone, or no call was made. Nothing changes.
    case ignored
}

extension AccountType {
    /// Where this flow leads after `response`.
    // No `default`: a new flow must not compile until its destination is written here.
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

    /// The credentials of the login that follows `response` without another form, so that the owner of a new account need
    /// not type the password again; nil if no login follows.
    ///
    /// - Parameter credentials: those of the call that `response` answers.
    public func login(after response: NetworkResponse, to credentials: Credentials) -> Credentials? {
        guard self == .setup, destination(after: response) == .replace(.login),
            let name = credentials.newUsername ?? credentials.text(.email), let password = credentials.secret(.password)
        else { return nil }
        return Credentials([.username: .text(name), .password: .secret(password)])
    }
}

/// When a run of the flows is finished.
public enum Goal: Equatable, Sendable {
    /// When the person is signed in.
    case signedIn
    /// When this flow has succeeded. A forgotten password counts as done when a new one is set.
    case success(of: AccountType)

    /// Whether the goal is reached when `type` leads to `destination`. Being signed in ends every run.
    func isReached(by type: AccountType, leadingTo destination: Destination) -> Bool {
        if destination == .signedIn { return true }
        // The flow itself succeeded, but another has to follow.
        switch destination {
        case .stay, .ignored, .back, .push(.changePassword), .push(.reauthenticate), .push(.secondFactor),
            .push(.addFactor):
            return false
        // The flow goes on with the code from the message.
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
