/// The real reason of a record: a code, never what somebody typed.
struct AuditReason: Equatable, Sendable {
    let text: String

    static let none = AuditReason(text: "")
    static let wrongPassword = AuditReason(text: "wrong_password")
    static let unusablePassword = AuditReason(text: "unusable_password")
    static let noPassword = AuditReason(text: "no_password")
    static let disabled = AuditReason(text: "disabled")
    static let hashRefused = AuditReason(text: "hash_refused")
    /// Between the attempt and its verdict the account was changed, disabled or deleted.
    static let changedMeanwhile = AuditReason(text: "changed_meanwhile")
    /// The verdict never came: no slot, no memory.
    static let notJudged = AuditReason(text: "not_judged")
    static let throttled = AuditReason(text: "throttled")
    static let capped = AuditReason(text: "capped")
    static let malformed = AuditReason(text: "malformed")
    static let expired = AuditReason(text: "expired")
    static let evicted = AuditReason(text: "evicted")

    /// Nobody has the name; `tag` stands for it.
    static func unknown(tag: String) -> AuditReason { AuditReason(text: "unknown:" + tag) }
    /// Nobody has the code.
    static let unknownCode = AuditReason(text: "unknown")
}
