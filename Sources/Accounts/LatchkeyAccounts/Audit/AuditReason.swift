import LatchkeyForms

/// The internal reason in a record: a code, optionally with a number or a tag after a colon. It never contains user
/// input.
package struct AuditReason: Equatable, Sendable {
    let text: String

    package static let none = AuditReason(text: "")
    static let wrongPassword = AuditReason(text: "wrong_password")
    static let unusablePassword = AuditReason(text: "unusable_password")
    /// The generated password has expired.
    static let passwordExpired = AuditReason(text: "password_expired")
    /// Too many failures: only a recovery unlocks the account.
    static let recoveryNeeded = AuditReason(text: "recovery_needed")
    static let noPassword = AuditReason(text: "no_password")
    static let disabled = AuditReason(text: "disabled")
    static let hashRefused = AuditReason(text: "hash_refused")
    /// The stored hash is bare in a store that requires sealed hashes.
    static let hashNotSealed = AuditReason(text: "hash_not_sealed")
    static let keyMissing = AuditReason(text: "key_missing")
    static let storeFailed = AuditReason(text: "store_failed")
    /// The account was changed, disabled or deleted during the attempt.
    static let changedMeanwhile = AuditReason(text: "changed_meanwhile")
    /// The password was not verified, because no thread or memory was available.
    static let noVerdict = AuditReason(text: "not_judged")
    static let throttled = AuditReason(text: "throttled")
    static let capped = AuditReason(text: "capped")
    static let malformed = AuditReason(text: "malformed")
    static let expired = AuditReason(text: "expired")
    /// A new session replaced this one.
    static let replaced = AuditReason(text: "replaced")
    static let revoked = AuditReason(text: "revoked")
    /// The owner of a session entered the password again.
    static let reauthenticated = AuditReason(text: "reauthenticated")
    static let unlocked = AuditReason(text: "unlocked")
    static let enabled = AuditReason(text: "enabled")
    static let changeRequired = AuditReason(text: "change_required")
    static let compromised = AuditReason(text: "compromised")
    package static let byOperator = AuditReason(text: "by_operator")
    /// The address was not verified in time.
    static let unverified = AuditReason(text: "unverified")
    static let emailRequested = AuditReason(text: "email_requested")
    package static let emailChanged = AuditReason(text: "email_changed")
    /// The account has or requires a second factor, but the program cannot ask for it.
    static let factorRequired = AuditReason(text: "factor_required")
    /// A one-time password from an authenticator app.
    static let oneTimePassword = AuditReason(text: "otp")
    /// A one-time password that was used before.
    static let replayed = AuditReason(text: "replayed")
    static let wrongCode = AuditReason(text: "wrong_code")
    /// A saved code, and the number of codes that are left.
    static func savedCode(left: Int) -> AuditReason { AuditReason(text: "saved_code,left:\(left)") }
    static func passkey(_ passkey: Passkey) -> AuditReason { AuditReason(text: "passkey:" + passkey.id) }
    /// The reason why a passkey's response was refused.
    static func passkey(_ failure: PasskeyFailure) -> AuditReason { AuditReason(text: "passkey_" + failure.rawValue) }
    static func row(_ kind: RowKind) -> AuditReason { AuditReason(text: kind.rawValue) }
    static let evicted = AuditReason(text: "evicted")

    /// An operator changed the account to this state.
    package static func became(_ state: AccountState) -> AuditReason { state == .disabled ? .disabled : .enabled }
    /// No account has this name. `tag` is recorded instead of the name.
    static func unknown(tag: String) -> AuditReason { AuditReason(text: "unknown:" + tag) }
    static func key(_ id: SealingKeyID) -> AuditReason { AuditReason(text: "key:" + id.text) }
    static func appPassword(_ password: AppPassword) -> AuditReason {
        AuditReason(text: "app_password:" + password.id)
    }
    static func token(_ token: OperatorToken) -> AuditReason { AuditReason(text: "token:" + token.id) }
    static func client(_ id: String) -> AuditReason { AuditReason(text: "client:" + id) }
    static func signingKey(_ id: String) -> AuditReason { AuditReason(text: "kid:" + id) }
    static func group(_ name: GroupName) -> AuditReason { AuditReason(text: "group:" + name.text) }
    static func renamed(_ name: GroupName, to newName: GroupName) -> AuditReason {
        AuditReason(text: "group:" + name.text + (newName == name ? "" : ",to:" + newName.text))
    }
    /// The groups that an account joined or left. Many groups need several records, because a reason has at most 1024
    /// bytes.
    package static func groups(_ names: [GroupName]) -> [AuditReason] {
        stride(from: 0, to: names.count, by: 15).map { start in
            AuditReason(text: "groups:" + names[start...].prefix(15).map(\.text).joined(separator: ","))
        }
    }
    /// The engine that failed its self-test.
    static func engine(_ name: String) -> AuditReason { AuditReason(text: "engine:" + name) }
    static func counts(sealed: Int, refused: Int) -> AuditReason {
        AuditReason(text: "sealed:\(sealed),refused:\(refused)")
    }
    /// The numbers of accounts that an import batch created and updated.
    package static func imported(created: Int, updated: Int) -> AuditReason {
        AuditReason(text: "created:\(created),updated:\(updated)")
    }
    /// No recovery request has this code.
    static let unknownCode = AuditReason(text: "unknown")

    /// The number of earlier failures.
    static func failures(_ count: Int) -> AuditReason { AuditReason(text: "failures:\(count)") }
    /// The number of failures that were counted but not recorded.
    static func repeated(_ count: Int) -> AuditReason { AuditReason(text: "repeated:\(count)") }
    /// The size and last hash of a closed segment.
    static func closed(_ rotation: AuditRotation) -> AuditReason { AuditReason(text: rotation.text) }

    /// The reason why a message cannot be delivered: `reply:` with the server's reply code, or a keyword.
    static func refused(by failure: MailServerFailure) -> AuditReason {
        guard failure.reason == .refused, let code = failure.code else {
            return AuditReason(text: failure.reason.rawValue)
        }
        return AuditReason(text: "reply:\(code)")
    }

    /// The code of the rule that refused a value. A custom rule's code is omitted unless it is a plain word.
    static func refused(by code: RuleFailure.Code?) -> AuditReason {
        guard let text = code?.rawValue, (1...64).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F })
        else { return AuditReason(text: "refused") }
        return AuditReason(text: text)
    }
}
