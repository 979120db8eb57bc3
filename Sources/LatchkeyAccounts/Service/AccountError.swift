public import LatchkeyForms

/// Why the service did not do what it was asked. Codes and values; the message table has the sentences.
public enum AccountError: Error, Equatable, Sendable {
    /// One case for an unknown name, a wrong password, a disabled account and all the rest: the answer must not tell.
    case wrongCredentials
    /// Refused before anything was hashed.
    case throttled(retryAfter: Duration)
    /// Rules or the policy refuse values; nothing was changed.
    case refused([RuleFailure])
    /// The unique value of another account.
    case taken(field: FieldKey)
    /// No session goes with the token: never made, ended, or too old.
    case noSession
    /// The session may do nothing but change the password.
    case mustChangePassword
    /// The password was given too long ago for what is asked.
    case reauthenticationNeeded
    /// For operators' calls only.
    case noSuchAccount
    /// A list of common passwords cannot be used, and so no password may be set.
    case blocklist(BlocklistError)
    /// For operators' calls only: what was asked is of no use to an account that is disabled.
    case accountDisabled
    /// More waits for the hashing threads than may wait.
    case overloaded
    /// The system has no memory for a hash.
    case outOfMemory
    /// The system gave no random bytes.
    case noRandomness
    case store(StoreError)
}

extension AccountError {
    /// What hashing failed with, as the service says it.
    package init(_ error: HashError) {
        self =
            switch error {
            case .overloaded: .overloaded
            case .noRandomness: .noRandomness
            // The first two are of stored hashes. A hasher whose own parameters exceed its caps has no memory either.
            case .unsupported, .costTooHigh, .outOfMemory: .outOfMemory
            case .store(let error): .store(error)
            }
    }
}
