/// What an audit record tells, in the words of the OWASP Logging Vocabulary where it has one. docs/audit-events.md is the
/// inventory: when each is written, by which call and with which reasons.
///
/// A record in a store may have a name that a newer version gave: ``AuditRecord/name`` has it as it stands.
public enum AuditEvent: String, CaseIterable, Sendable {
    case loginSucceeded = "authn_login_success"
    case loginSucceededAfterFailures = "authn_login_successafterfail"
    case loginFailed = "authn_login_fail"
    /// The failure after which the delay is the longest, and each one more.
    case loginFailedAtMost = "authn_login_fail_max"
    case loginThrottled = "excess_rate_limit_exceeded"
    case hashRefused = "authn_hash_refused"
    /// A hash that should have been renewed at a login, and was not.
    case rehashFailed = "authn_rehash_fail"
    /// The key that a hash is sealed with is not there.
    case pepperMissing = "crypt_pepper_missing"
    case pepperAdded = "pepper_added"
    case pepperRotated = "pepper_rotated"
    case pepperRetired = "pepper_retired"
    case passwordChanged = "authn_password_change"
    case passwordChangeFailed = "authn_password_change_fail"
    case userCreated = "user_created"
    case userDeleted = "user_deleted"
    case userUpdated = "user_updated"
    /// A batch of accounts that an operator's file has made or changed.
    case accountsImported = "import_batch"
    /// What an operator did that has no event of its own.
    case administered = "authz_admin"
    case sessionCreated = "session_created"
    /// A new session has taken the place of the one that asked.
    case sessionRenewed = "session_renewed"
    case sessionEnded = "session_logout"
    case sessionExpired = "session_expired"
    case sessionUsedAfterExpiry = "session_use_after_expire"
    case recoveryRequested = "recovery_requested"
    case recoveryUsed = "recovery_used"
    case recoveryFailed = "recovery_failed"
    case inputRefused = "input_validation_fail"
    /// The clock is more than 5 minutes behind what the store has seen.
    case clockWentBack = "sys_clock_regression"
    /// An operator has said that a clock behind that is right.
    case clockAccepted = "sys_clock_accepted"
    case backupRestored = "backup_restore"
    /// A segment of the trail is closed, and the next begins with this record.
    case auditRotated = "audit_rotate"
    /// So many failures of a minute were counted and not recorded one by one.
    case auditGap = "audit_gap"

    /// Whether it tells of something that was tried and did not come about, or that went wrong.
    public var isFailure: Bool {
        switch self {
        case .loginFailed, .loginFailedAtMost, .loginThrottled, .hashRefused, .rehashFailed, .pepperMissing,
            .passwordChangeFailed, .sessionUsedAfterExpiry, .recoveryFailed, .inputRefused, .clockWentBack, .auditGap:
            true
        case .loginSucceeded, .loginSucceededAfterFailures, .pepperAdded, .pepperRotated, .pepperRetired,
            .passwordChanged, .userCreated, .userDeleted, .userUpdated, .accountsImported, .administered,
            .sessionCreated, .sessionRenewed, .sessionEnded, .sessionExpired, .recoveryRequested, .recoveryUsed,
            .clockAccepted, .backupRestored, .auditRotated:
            false
        }
    }

    /// How much attention a record wants.
    public enum Level: String, Sendable {
        case info, warning, critical
    }

    public var level: Level {
        switch self {
        case .loginSucceeded, .passwordChanged, .sessionCreated, .sessionRenewed, .sessionEnded, .sessionExpired,
            .recoveryRequested, .auditRotated:
            .info
        case .loginSucceededAfterFailures, .loginFailed, .loginThrottled, .passwordChangeFailed, .userCreated,
            .userDeleted, .userUpdated, .accountsImported, .administered, .sessionUsedAfterExpiry, .recoveryUsed,
            .recoveryFailed, .inputRefused, .clockWentBack, .clockAccepted, .backupRestored, .rehashFailed,
            .pepperAdded, .pepperRotated, .pepperRetired:
            .warning
        // A hash that we cannot have written, a key without which nobody whose hash it seals can log in, an attack that
        // goes on, and records that are missing.
        case .hashRefused, .pepperMissing, .loginFailedAtMost, .auditGap: .critical
        }
    }

    /// Whether anybody can bring it about as often as they like, having proved nothing: such records are counted, where
    /// there are too many of them, so that nobody can fill the disk or push older records out.
    var canFlood: Bool {
        switch self {
        case .loginFailed, .loginFailedAtMost, .loginThrottled, .hashRefused, .passwordChangeFailed,
            .sessionUsedAfterExpiry, .recoveryRequested, .recoveryFailed, .inputRefused, .pepperMissing:
            true
        case .loginSucceeded, .loginSucceededAfterFailures, .passwordChanged, .userCreated, .userDeleted,
            .userUpdated, .accountsImported, .administered, .sessionCreated, .sessionRenewed, .sessionEnded,
            .sessionExpired, .recoveryUsed, .clockWentBack, .clockAccepted, .backupRestored, .rehashFailed,
            .pepperAdded, .pepperRotated, .pepperRetired, .auditRotated, .auditGap:
            false
        }
    }
}
