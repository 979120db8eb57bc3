/// The type of an audit record. The names come from the OWASP Logging Vocabulary if it has the term.
///
/// docs/audit-events.md documents when each event is written, by which call and with which reasons. A stored record may
/// have an event name from a newer version, which ``AuditRecord/name`` preserves.
public enum AuditEvent: String, CaseIterable, Sendable {
    /// A login.
    case loginSucceeded = "authn_login_success"
    /// A login after at least one failure.
    case loginSucceededAfterFailures = "authn_login_successafterfail"
    /// A refused login.
    case loginFailed = "authn_login_fail"
    /// A login failed while the throttle was at its longest delay.
    case loginFailedAtMost = "authn_login_fail_max"
    /// A login that must wait.
    case loginThrottled = "excess_rate_limit_exceeded"
    /// A stored hash that costs too much to verify.
    case hashRefused = "authn_hash_refused"
    /// The password could not be rehashed after a login.
    case rehashFailed = "authn_rehash_fail"
    /// The key for a sealed hash is missing.
    case pepperMissing = "crypt_pepper_missing"
    /// A password-hash engine computed a wrong tag in its self-test. Latchkey uses libargon2 instead.
    case hashEngineFailed = "crypt_hash_engine_fail"
    /// A row did not have the tag of the store's key: another program has written or changed it.
    case rowRefused = "crypt_row_refused"
    /// A first sealing key.
    case pepperAdded = "pepper_added"
    /// A new sealing key.
    case pepperRotated = "pepper_rotated"
    /// A removed sealing key.
    case pepperRetired = "pepper_retired"
    /// A new password.
    case passwordChanged = "authn_password_change"
    /// A refused new password.
    case passwordChangeFailed = "authn_password_change_fail"
    /// The password was correct, and the login is waiting for the second factor.
    case factorRequested = "authn_factor_requested"
    /// A second factor proved the login.
    case factorUsed = "authn_factor_success"
    /// A refused second factor.
    case factorFailed = "authn_factor_fail"
    /// A new second factor.
    case factorAdded = "factor_added"
    /// The owner received new codes for a lost authenticator.
    case savedCodesCreated = "factor_codes_created"
    /// A removed second factor.
    case factorRemoved = "factor_removed"
    /// An operator removed an account's factors.
    case factorsReset = "factor_reset"
    /// The owner created a password for a program that cannot ask for a second factor.
    case appPasswordAdded = "app_password_added"
    /// A revoked app password.
    case appPasswordRevoked = "app_password_revoked"
    /// A sign-up waits for its code.
    case signUpRequested = "sign_up_requested"
    /// A new account.
    case userCreated = "user_created"
    /// A deleted account.
    case userDeleted = "user_deleted"
    /// A changed account.
    case userUpdated = "user_updated"
    /// An operator imported a batch of accounts.
    case accountsImported = "import_batch"
    /// An operator created a token for another program.
    case tokenCreated = "token_created"
    /// A revoked token or invitation.
    case tokenRevoked = "token_revoked"
    /// An invitation was used for a sign-up.
    case tokenUsed = "token_used"
    /// A new application.
    case clientAdded = "client_added"
    /// A changed application.
    case clientChanged = "client_changed"
    /// A removed application.
    case clientRemoved = "client_removed"
    /// A new signing key.
    case signingKeyAdded = "signing_key_added"
    /// A retired signing key.
    case signingKeyRetired = "signing_key_retired"
    /// A login let an application have tokens.
    case grantCreated = "oidc_grant_created"
    /// A code or a refresh token was used again, so its grant ended.
    case grantReused = "oidc_grant_reused"
    /// The end of an application's access.
    case grantEnded = "oidc_grant_ended"
    /// An application confirmed that it has logged its user out.
    case logoutConfirmed = "oidc_logout_confirmed"
    /// An application refused a logout notice, or did not confirm it in three attempts.
    case logoutFailed = "oidc_logout_fail"
    /// A consent.
    case consentGiven = "oidc_consent_given"
    /// A withdrawn consent.
    case consentWithdrawn = "oidc_consent_withdrawn"
    /// An approved device.
    case deviceApproved = "device_approved"
    /// A denied device.
    case deviceDenied = "device_denied"
    /// An operator created a group.
    case groupCreated = "group_created"
    /// An operator changed the name or the title of a group.
    case groupRenamed = "group_renamed"
    /// A deleted group.
    case groupDeleted = "group_deleted"
    /// An account joined groups: by an operator, an invitation or the setting `groups.initial`.
    case groupMemberAdded = "group_member_added"
    /// An account that left a group.
    case groupMemberRemoved = "group_member_removed"
    /// An operator's change that has no more specific event.
    case administered = "authz_admin"
    /// A new session.
    case sessionCreated = "session_created"
    /// A new session replaced the session that requested it.
    case sessionRenewed = "session_renewed"
    /// A session that was ended.
    case sessionEnded = "session_logout"
    /// A session that became too old.
    case sessionExpired = "session_expired"
    /// The use of a session that had expired.
    case sessionUsedAfterExpiry = "session_use_after_expire"
    /// A request for a code.
    case recoveryRequested = "recovery_requested"
    /// A password that was set with a code.
    case recoveryUsed = "recovery_used"
    /// A refused code.
    case recoveryFailed = "recovery_failed"
    /// Input that only a program sends.
    case inputRefused = "input_validation_fail"
    /// The mail server permanently refused a message, which was deleted.
    case messageRefused = "mail_refused"
    /// The clock is more than 5 minutes behind the newest time in the store.
    case clockWentBack = "sys_clock_regression"
    /// An operator confirmed a clock that is behind the store.
    case clockAccepted = "sys_clock_accepted"
    /// A restored backup.
    case backupRestored = "backup_restore"
    /// The first record of a new segment, written when the previous one is closed.
    case auditRotated = "audit_rotate"
    /// A summary of failures that were counted, not recorded, in one minute.
    case auditGap = "audit_gap"
    /// The trail did not end where the store's key had sealed it: another program has changed or removed its end.
    case auditEndChanged = "audit_end_changed"

    /// Whether the event is a failed attempt or a fault.
    public var isFailure: Bool {
        switch self {
        case .loginFailed, .loginFailedAtMost, .loginThrottled, .hashRefused, .rehashFailed, .pepperMissing,
            .hashEngineFailed, .rowRefused, .passwordChangeFailed, .sessionUsedAfterExpiry, .recoveryFailed,
            .inputRefused,
            .messageRefused, .clockWentBack, .auditGap, .auditEndChanged, .factorFailed, .grantReused,
            .logoutFailed:
            true
        case .loginSucceeded, .loginSucceededAfterFailures, .pepperAdded, .pepperRotated, .pepperRetired,
            .factorRequested, .factorUsed, .factorAdded, .savedCodesCreated, .factorRemoved, .factorsReset,
            .appPasswordAdded, .appPasswordRevoked, .passwordChanged, .userCreated, .userDeleted, .userUpdated,
            .accountsImported, .administered,
            .tokenCreated, .tokenRevoked, .tokenUsed, .sessionCreated, .sessionRenewed, .sessionEnded, .sessionExpired,
            .signUpRequested, .recoveryRequested, .recoveryUsed, .groupCreated, .groupRenamed, .groupDeleted,
            .groupMemberAdded, .groupMemberRemoved, .clientAdded, .clientChanged, .clientRemoved, .signingKeyAdded,
            .signingKeyRetired, .grantCreated, .grantEnded, .consentGiven, .consentWithdrawn, .deviceApproved,
            .deviceDenied, .logoutConfirmed,
            .clockAccepted, .backupRestored, .auditRotated:
            false
        }
    }

    /// The severity of a record.
    public enum Level: String, Sendable {
        /// Something usual.
        case info
        /// Something that changes who has access.
        case warning
        /// Something that needs attention at once.
        case critical
    }

    /// The severity of this event.
    public var level: Level {
        switch self {
        case .loginSucceeded, .passwordChanged, .sessionCreated, .sessionRenewed, .sessionEnded, .sessionExpired,
            .signUpRequested, .recoveryRequested, .auditRotated, .factorRequested, .factorUsed, .grantCreated,
            .grantEnded, .consentGiven, .consentWithdrawn, .deviceApproved, .deviceDenied, .logoutConfirmed:
            .info
        case .loginSucceededAfterFailures, .loginFailed, .loginThrottled, .passwordChangeFailed, .userCreated,
            .userDeleted, .userUpdated, .accountsImported, .administered, .tokenCreated, .tokenRevoked,
            .tokenUsed, .sessionUsedAfterExpiry, .recoveryUsed,
            .recoveryFailed, .inputRefused, .messageRefused, .clockWentBack, .clockAccepted, .backupRestored,
            .rehashFailed, .pepperAdded, .pepperRotated, .pepperRetired, .factorFailed, .factorAdded,
            .savedCodesCreated, .factorRemoved, .factorsReset, .appPasswordAdded, .appPasswordRevoked, .groupCreated,
            .groupRenamed, .groupDeleted, .groupMemberAdded, .groupMemberRemoved, .clientAdded, .clientChanged,
            .clientRemoved, .signingKeyAdded, .signingKeyRetired, .logoutFailed:
            .warning
        // An unexpected hash, a row that Latchkey cannot have written, a missing key that locks accounts out, a processor
        // or build that computes incorrectly, an ongoing attack, a stolen token, or missing records.
        case .hashRefused, .pepperMissing, .hashEngineFailed, .rowRefused, .loginFailedAtMost, .auditGap, .grantReused,
            .auditEndChanged:
            .critical
        }
    }

    /// Whether an attacker without credentials can trigger the event at will.
    ///
    /// Above a limit, the service counts such records instead of writing them. They then cannot fill the disk or push
    /// older records out.
    var canFlood: Bool {
        switch self {
        case .loginFailed, .loginFailedAtMost, .loginThrottled, .hashRefused, .passwordChangeFailed,
            .sessionUsedAfterExpiry, .signUpRequested, .recoveryRequested, .recoveryFailed, .inputRefused,
            .messageRefused, .pepperMissing, .hashEngineFailed, .rowRefused, .factorFailed:
            true
        case .factorRequested, .factorUsed, .factorAdded, .savedCodesCreated, .factorRemoved, .factorsReset,
            .appPasswordAdded, .appPasswordRevoked, .loginSucceeded, .loginSucceededAfterFailures, .passwordChanged,
            .userCreated, .userDeleted,
            .userUpdated, .accountsImported, .administered, .tokenCreated, .tokenRevoked, .tokenUsed, .sessionCreated,
            .sessionRenewed, .sessionEnded, .sessionExpired, .recoveryUsed, .clockWentBack, .clockAccepted,
            .backupRestored, .rehashFailed,
            .pepperAdded, .pepperRotated, .pepperRetired, .groupCreated, .groupRenamed, .groupDeleted,
            .groupMemberAdded, .groupMemberRemoved, .auditRotated, .auditGap, .auditEndChanged, .clientAdded,
            .clientChanged, .clientRemoved, .signingKeyAdded, .signingKeyRetired, .grantCreated, .grantReused,
            .grantEnded,
            .consentGiven, .consentWithdrawn, .deviceApproved, .deviceDenied, .logoutConfirmed, .logoutFailed:
            false
        }
    }
}
