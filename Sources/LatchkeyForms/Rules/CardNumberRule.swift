/// Holds for the number of a payment card: 12 to 19 digits (ISO/IEC 7812-1 has them end at 19) with single spaces or
/// hyphens between groups, not all zeros, the last of which is Luhn's check digit.
public struct CardNumberRule: DescribedRule {
    public static let name = "cardNumber"
    public let code = RuleFailure.Code.cardNumber

    public init() {}

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {}

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
            // Of a product of two digits their sum counts.
            sum += weighted > 9 ? weighted - 9 : weighted
            fromTheRight += 1
            isAllZeros = isAllZeros && digit == 0
        }
        return sum.isMultiple(of: 10) && !isAllZeros
    }
}
