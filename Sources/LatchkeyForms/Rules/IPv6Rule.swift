/// Holds for an IPv6 address in any of RFC 4291's forms (section 2.2), without a zone.
public struct IPv6Rule: DescribedRule {
    public static let name = "ipv6"
    public let code = RuleFailure.Code.ipv6

    public init() {}

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {}

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        IPAddress.isVersion6(value.span) ? nil : RuleFailure(code: code)
    }
}
