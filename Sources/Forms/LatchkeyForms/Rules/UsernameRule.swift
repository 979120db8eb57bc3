import LatchkeyText

/// Accepts a username: RFC 8265, section 3.3 (UsernameCaseMapped), 1 to 64 code points of one script. It must not
/// contain `@` or look like an account ID, because users log in with a username, an address or an ID.
public struct UsernameRule: ArgumentlessRule {
    public static let name = "username"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.username

    /// Creates the rule.
    public init() {}

    /// Fails with ``RuleFailure/Code/username``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        Self.isUsername(value) ? nil : RuleFailure(code: code)
    }

    /// The username prepared by the profile; nil if it is invalid. It also accepts a name with mixed scripts, because
    /// accounts imported with such a name must be found.
    public func normalForm(of value: UTF8Span) -> String? {
        guard let prepared = try? UsernameCaseMapped.prepared(value) else { return nil }
        return Self.isForSomethingElse(prepared.utf8Span.span) ? nil : prepared
    }

    private static func isUsername(_ value: UTF8Span) -> Bool {
        var value = value
        // This fast path makes no copy: ASCII has letters of only one script.
        if value.checkForASCII() {
            return UsernameCaseMapped.violation(in: value) == nil && !isForSomethingElse(value.span)
        }
        guard let prepared = try? UsernameCaseMapped.prepared(value) else { return false }
        return !isForSomethingElse(prepared.utf8Span.span) && !ScriptMixture.isMixed(prepared)
    }

    /// Whether the value contains `@` like an e-mail address, or looks like an ID (RFC 9562, section 4): 8, 4, 4, 4 and
    /// 12 hexadecimal digits, separated by hyphens.
    private static func isForSomethingElse(_ bytes: Span<UInt8>) -> Bool {
        if bytes.indices.contains(where: { bytes[$0] == UInt8(ascii: "@") }) { return true }
        guard bytes.count == 36 else { return false }
        return bytes.indices.allSatisfy { index in
            switch index {
            case 8, 13, 18, 23: bytes[index] == UInt8(ascii: "-")
            default: bytes[index].isASCIIHexDigit
            }
        }
    }
}

extension RuleFailure.Code {
    /// The value is not a valid username.
    public static let username = Self(rawValue: "username")
}
