/// Accepts an IPv6 address in any form of RFC 4291, section 2.2, without a zone.
public struct IPv6Rule: ArgumentlessRule {
    public static let name = "ipv6"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.ipv6

    /// Creates the rule.
    public init() {}

    /// Fails with ``RuleFailure/Code/ipv6``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        IPAddress.isVersion6(value.span) ? nil : RuleFailure(code: code)
    }
}

extension RuleFailure.Code {
    /// The value is not an IPv6 address.
    public static let ipv6 = Self(rawValue: "ipv6")
}
