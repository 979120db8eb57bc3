/// Accepts an IPv4 address: a dotted quad without leading zeros.
public struct IPv4Rule: ArgumentlessRule {
    public static let name = "ipv4"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.ipv4

    /// Creates the rule.
    public init() {}

    /// Fails with ``RuleFailure/Code/ipv4``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        IPAddress.isVersion4(value.span) ? nil : RuleFailure(code: code)
    }
}

extension RuleFailure.Code {
    /// The value is not an IPv4 address.
    public static let ipv4 = Self(rawValue: "ipv4")
}
