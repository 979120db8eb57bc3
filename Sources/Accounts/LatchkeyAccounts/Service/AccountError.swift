public import LatchkeyForms

/// The reason why the service refused a call. It contains only codes and values; the message table contains the
/// sentences.
public enum AccountError: Error, Equatable, Sendable {
    /// The login failed. An unknown name, a wrong password and a disabled account get the same case, so that the
    /// response does not reveal the reason.
    case wrongCredentials
    /// Too many attempts. The call was refused before any hashing.
    case throttled(retryAfter: Duration)
    /// A rule or the policy refused these values. Nothing has changed.
    case refused([RuleFailure])
    /// Another account already has this unique value.
    case taken(field: FieldKey)
    /// The token has no session, because it never existed, has ended or has expired.
    case noSession
    /// The session may only change the password.
    case mustChangePassword
    /// The call requires a recent authentication.
    case reauthenticationNeeded
    /// The password is correct, but the account has a second factor. The challenge is nil if the call does not start a
    /// session.
    case factorRequired(FactorChallenge?)
    /// The password is correct, but the account must first add a second factor. The challenge is nil if the call does
    /// not start a session.
    case enrolmentRequired(FactorChallenge?)
    /// The account already has an authenticator.
    case factorExists
    /// The account does not exist. Only operators' calls throw this.
    case noSuchAccount
    /// The list of common passwords is not usable, so no password can be set.
    case blocklist(BlocklistError)
    /// The account is disabled, so the call would have no effect. Only operators' calls throw this.
    case accountDisabled
    /// The account's e-mail address is not verified yet. Only operators' calls throw this.
    case accountUnverified
    /// Only for operators' calls: the change would free or replace the username or address of an account that has a
    /// credential, and the operator must not take accounts over.
    case takeoverRefused
    /// Only for operators' calls: a group, or the groups of an account, cannot change.
    case group(GroupFailure)
    /// Too many passwords wait to be hashed.
    case overloaded
    /// The system does not have enough memory for a hash.
    case outOfMemory
    /// The system did not return random bytes.
    case noRandomness
    case store(StoreError)
}

extension AccountError {
    /// Maps a failure of the hasher.
    package init(_ error: HashError) {
        self =
            switch error {
            case .overloaded: .overloaded
            case .noRandomness: .noRandomness
            // The first two normally concern stored hashes. For a new hash, parameters above the limits count as too
            // little memory.
            case .unsupported, .costTooHigh, .outOfMemory: .outOfMemory
            case .store(let error): .store(error)
            }
    }
}
