import LatchkeySecrets
import LatchkeyText

/// Accepts a valid password: RFC 8265, section 4.2 (OpaqueString), at most 1024 bytes, without invisible characters. It
/// does not require particular kinds of characters (NIST SP 800-63B-4, section 3.1.1.2 (5)).
public struct PasswordRule: ArgumentlessRule {
    public static let name = "password"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.password

    /// The maximum length of a password in bytes of UTF-8 before preparation, enough for 64 code points of any kind.
    public static let maximumBytes = OpaqueString.maximumByteCount

    /// Creates the rule.
    public init() {}

    /// Fails with ``RuleFailure/Code/password``, ``RuleFailure/Code/required`` or ``RuleFailure/Code/tooLong``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        switch OpaqueString.violation(in: value) {
        case nil: nil
        case .empty: RuleFailure(code: .required)
        case .tooLong: RuleFailure(code: .tooLong, values: ["maximum": .integer(Self.maximumBytes)])
        case .controlCharacter, .noncharacter, .unassigned, .invisible, .notUTF8, .outOfMemory: RuleFailure(code: code)
        }
    }

    /// The password, prepared for hashing. Do not use this for real secrets, because a `String` cannot be erased.
    public func normalForm(of value: UTF8Span) -> String? {
        guard let prepared = try? OpaqueString.prepared(value) else { return nil }
        return prepared.withBytes { bytes in
            guard let text = try? UTF8Span(validating: bytes) else { return nil }
            return String(copying: text)
        }
    }
}

extension RuleFailure.Code {
    /// The password contains characters that are not allowed.
    public static let password = Self(rawValue: "password")
}
