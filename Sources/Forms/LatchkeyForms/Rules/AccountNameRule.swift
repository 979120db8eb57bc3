import LatchkeyText

/// Accepts a name that is safe in a path, as an argument and in a shell. Its ASCII characters must be letters, digits,
/// `.`, `_`, `-` and `+`, and it must not begin with `.` or `-`. An empty value is valid. ``UsernameRule`` checks other
/// scripts.
public struct AccountNameRule: ArgumentlessRule {
    public static let name = "accountName"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.accountName

    /// Creates the rule.
    public init() {}

    /// Fails with ``RuleFailure/Code/accountName``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        var text = value
        // Preparation only changes the case of ASCII letters, and both cases are safe.
        if text.checkForASCII() { return Self.isSafe(value.span) ? nil : RuleFailure(code: code) }
        // Programs get the prepared name, in which a fullwidth slash becomes a slash.
        let isSafe =
            switch try? UsernameCaseMapped.prepared(value) {
            case let prepared?: Self.isSafe(prepared.utf8Span.span) && Self.isSafe(value.span)
            case nil: Self.isSafe(value.span)
            }
        return isSafe ? nil : RuleFailure(code: code)
    }

    private static func isSafe(_ bytes: Span<UInt8>) -> Bool {
        guard !bytes.isEmpty else { return true }
        guard bytes[0] != UInt8(ascii: "."), bytes[0] != UInt8(ascii: "-") else { return false }
        return bytes.indices.allSatisfy { bytes[$0] >= 0x80 || allowed.contains(bytes[$0]) }
    }

    private static let allowed = ASCIISet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+")
}

extension RuleFailure.Code {
    /// The name is unsafe in a path or a shell.
    public static let accountName = Self(rawValue: "account_name")
}
