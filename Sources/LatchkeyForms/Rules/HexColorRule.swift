/// Holds for a colour as CSS writes it: an optional `#` and 3 or 6 hexadecimal digits, with `alpha` 4 or 8 too.
public struct HexColorRule: DescribedRule {
    public static let name = "hexColor"
    public let code = RuleFailure.Code.hexColor

    /// Whether a colour may say how opaque it is.
    public let alpha: Bool

    public init(alpha: Bool = false) { self.alpha = alpha }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        alpha = try arguments.bool("alpha") ?? false
    }

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        let bytes = value.span
        let start = !bytes.isEmpty && bytes[0] == UInt8(ascii: "#") ? 1 : 0
        let counts = alpha ? [3, 4, 6, 8] : [3, 6]
        let isColor =
            counts.contains(bytes.count - start) && (start..<bytes.count).allSatisfy { bytes[$0].isASCIIHexDigit }
        return isColor ? nil : RuleFailure(code: code)
    }
}
