/// Accepts a color in the hexadecimal notation of CSS, with an optional `#`: 3 or 6 digits, or with `alpha` also 4 or
/// 8.
public struct HexColorRule: DescribedRule {
    public static let name = "hexColor"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.hexColor

    /// Whether to accept digits for the opacity.
    public let alpha: Bool

    /// Creates the rule.
    public init(alpha: Bool = false) { self.alpha = alpha }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        alpha = try arguments.bool("alpha") ?? false
    }

    /// Fails with ``RuleFailure/Code/hexColor``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        let bytes = value.span
        let start = !bytes.isEmpty && bytes[0] == UInt8(ascii: "#") ? 1 : 0
        let counts = alpha ? [3, 4, 6, 8] : [3, 6]
        let isColor =
            counts.contains(bytes.count - start) && (start..<bytes.count).allSatisfy { bytes[$0].isASCIIHexDigit }
        return isColor ? nil : RuleFailure(code: code)
    }
}

extension RuleFailure.Code {
    /// The value is not a hexadecimal color.
    public static let hexColor = Self(rawValue: "hex_color")
}
