public import LatchkeyForms

/// The reason why the service refused a call. It contains codes and values; the message table has the sentences.
public enum AccountError: Error, Equatable, Sendable {
    /// The same case for an unknown name, a wrong password and a disabled account, so that the response does not reveal
    /// which.
    case wrongCredentials
    /// Refused before anything was hashed.
    case throttled(retryAfter: Duration)
    /// A rule or the policy refused these values. Nothing was changed.
    case refused([RuleFailure])
    /// Another account has this unique value.
    case taken(field: FieldKey)
    /// The token has no session: it never existed, was ended, or has expired.
    case noSession
    /// The session may only change the password.
    case mustChangePassword
    /// The owner authenticated too long ago for this call.
    case reauthenticationNeeded
    /// The password is correct, and the account has a second factor. The challenge is nil if the call starts no
    /// session.
    case factorRequired(FactorChallenge?)
    /// The password is correct, but the account must first add a second factor. The challenge is nil if the call starts
    /// no session.
    case enrolmentRequired(FactorChallenge?)
    /// The account has an authenticator already.
    case factorExists
    /// Only for operators' calls.
    case noSuchAccount
    /// The list of common passwords cannot be used, so no password may be set.
    case blocklist(BlocklistError)
    /// Only for operators' calls: the account is disabled, so the call would have no effect.
    case accountDisabled
    /// Only for operators' calls: the account has not verified its e-mail address yet.
    case accountUnverified
    /// Only for operators' calls: the change would free or replace the username or address of an account that has a
    /// credential, and the operator must not take accounts over.
    case takeoverRefused
    /// Too many passwords wait to be hashed.
    case overloaded
    /// The system has too little memory for a hash.
    case outOfMemory
    /// The system returned no random bytes.
    case noRandomness
    case store(StoreError)
}

extension AccountError {
    /// Translates a failure of the hasher.
    package init(_ error: HashError) {
        self =
            switch error {
            case .overloaded: .overloaded
            case .noRandomness: .noRandomness
            // The first two concern stored hashes. A hasher whose own parameters exceed its limits also lacks memory.
            case .unsupported, .costTooHigh, .outOfMemory: .outOfMemory
            case .store(let error): .store(error)
            }
    }
}
