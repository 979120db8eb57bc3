import LatchkeyForms

/// The real reason of a record: a code, with a number or a tag behind a colon, and never what somebody typed.
struct AuditReason: Equatable, Sendable {
    let text: String

    static let none = AuditReason(text: "")
    static let wrongPassword = AuditReason(text: "wrong_password")
    static let unusablePassword = AuditReason(text: "unusable_password")
    /// The generated password was not used in time.
    static let passwordExpired = AuditReason(text: "password_expired")
    /// So many failures that only a recovery opens the account.
    static let recoveryNeeded = AuditReason(text: "recovery_needed")
    static let noPassword = AuditReason(text: "no_password")
    static let disabled = AuditReason(text: "disabled")
    static let hashRefused = AuditReason(text: "hash_refused")
    static let keyMissing = AuditReason(text: "key_missing")
    static let storeFailed = AuditReason(text: "store_failed")
    /// Between the attempt and its verdict the account was changed, disabled or deleted.
    static let changedMeanwhile = AuditReason(text: "changed_meanwhile")
    /// The verdict never came: no slot, no memory.
    static let noVerdict = AuditReason(text: "not_judged")
    static let throttled = AuditReason(text: "throttled")
    static let capped = AuditReason(text: "capped")
    static let malformed = AuditReason(text: "malformed")
    static let expired = AuditReason(text: "expired")
    /// A new session has taken the place of this one.
    static let replaced = AuditReason(text: "replaced")
    static let revoked = AuditReason(text: "revoked")
    /// The owner of a session gave the password once more.
    static let reauthenticated = AuditReason(text: "reauthenticated")
    static let unlocked = AuditReason(text: "unlocked")
    static let enabled = AuditReason(text: "enabled")
    static let changeRequired = AuditReason(text: "change_required")
    static let compromised = AuditReason(text: "compromised")
    static let byOperator = AuditReason(text: "by_operator")
    /// The address was not proved in time.
    static let unverified = AuditReason(text: "unverified")
    static let emailRequested = AuditReason(text: "email_requested")
    static let emailChanged = AuditReason(text: "email_changed")
    static let evicted = AuditReason(text: "evicted")

    /// An operator has put the account into this state.
    static func became(_ state: AccountState) -> AuditReason { state == .disabled ? .disabled : .enabled }
    /// Nobody has the name; `tag` stands for it.
    static func unknown(tag: String) -> AuditReason { AuditReason(text: "unknown:" + tag) }
    static func key(_ id: SealingKeyID) -> AuditReason { AuditReason(text: "key:" + id.text) }
    static func counts(sealed: Int, refused: Int) -> AuditReason {
        AuditReason(text: "sealed:\(sealed),refused:\(refused)")
    }
    /// What a batch has made and changed.
    static func imported(created: Int, updated: Int) -> AuditReason {
        AuditReason(text: "created:\(created),updated:\(updated)")
    }
    /// Nobody has the code.
    static let unknownCode = AuditReason(text: "unknown")

    /// So many failures came before.
    static func failures(_ count: Int) -> AuditReason { AuditReason(text: "failures:\(count)") }
    /// So many more were counted than recorded.
    static func repeated(_ count: Int) -> AuditReason { AuditReason(text: "repeated:\(count)") }
    /// What a closed segment was.
    static func closed(_ rotation: AuditRotation) -> AuditReason { AuditReason(text: rotation.text) }

    /// A rule refused a value. The code alone: a program on top may make codes of its own, and a strange one is left out.
    static func refused(by code: RuleFailure.Code?) -> AuditReason {
        guard let text = code?.rawValue, (1...64).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F })
        else { return AuditReason(text: "refused") }
        return AuditReason(text: text)
    }
}
