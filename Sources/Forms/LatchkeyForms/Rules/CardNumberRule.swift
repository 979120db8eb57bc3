/// Accepts the number of a payment card (ISO/IEC 7812-1): 12 to 19 digits, not all zeros, with a valid Luhn check
/// digit. Single spaces or hyphens may separate groups.
public struct CardNumberRule: ArgumentlessRule {
    public static let name = "cardNumber"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.cardNumber

    /// Creates the rule.
    public init() {}

    /// Fails with ``RuleFailure/Code/cardNumber``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        Self.isNumber(value.span) ? nil : RuleFailure(code: code)
    }

    private static func isNumber(_ bytes: Span<UInt8>) -> Bool {
        guard let count = GroupedDigits.count(in: bytes, isDigit: \.isASCIIDigit), 12...19 ~= count else {
            return false
        }
        var sum = 0
        var fromTheRight = 0
        var isAllZeros = true
        for index in bytes.indices.reversed() where bytes[index].isASCIIDigit {
            let digit = bytes[index].digitValue
            let weighted = fromTheRight.isMultiple(of: 2) ? digit : digit * 2
            // A product with two digits is replaced by the sum of its digits.
            sum += weighted > 9 ? weighted - 9 : weighted
            fromTheRight += 1
            isAllZeros = isAllZeros && digit == 0
        }
        return sum.isMultiple(of: 10) && !isAllZeros
    }
}

extension RuleFailure.Code {
    /// The value is not a valid card number.
    public static let cardNumber = Self(rawValue: "card_number")
}
