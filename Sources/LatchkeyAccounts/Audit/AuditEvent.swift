/// What an audit record tells, in the words of the OWASP Logging Vocabulary where it has one.
public struct AuditEvent: RawRepresentable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let loginSucceeded = AuditEvent(rawValue: "authn_login_success")
    public static let loginFailed = AuditEvent(rawValue: "authn_login_fail")
    public static let loginThrottled = AuditEvent(rawValue: "excess_rate_limit_exceeded")
    public static let hashRefused = AuditEvent(rawValue: "authn_hash_refused")
    public static let passwordChanged = AuditEvent(rawValue: "authn_password_change")
    public static let passwordChangeFailed = AuditEvent(rawValue: "authn_password_change_fail")
    public static let userCreated = AuditEvent(rawValue: "user_created")
    public static let userDeleted = AuditEvent(rawValue: "user_deleted")
    public static let sessionEnded = AuditEvent(rawValue: "session_logout")
    public static let sessionExpired = AuditEvent(rawValue: "session_expired")
    public static let recoveryRequested = AuditEvent(rawValue: "recovery_requested")
    public static let recoveryUsed = AuditEvent(rawValue: "recovery_used")
    public static let recoveryFailed = AuditEvent(rawValue: "recovery_failed")
}
