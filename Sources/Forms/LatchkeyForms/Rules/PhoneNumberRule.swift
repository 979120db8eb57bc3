/// Accepts a phone number with single spaces, dots, hyphens and one pair of brackets. After a `+`, it must have 8 to 15
/// digits that begin with a country code (E.164). Otherwise, it is a national number of 10 to 15 digits.
public struct PhoneNumberRule: ArgumentlessRule {
    public static let name = "phoneNumber"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.phoneNumber

    /// Creates the rule.
    public init() {}

    /// Fails with ``RuleFailure/Code/phoneNumber``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        Self.isInternational(value.span) || Self.isNumber(value.span, digits: 10...15) ? nil : RuleFailure(code: code)
    }

    /// The number in E.164: `+` and digits. Nil for an invalid number and for a national number, because its country is
    /// unknown.
    public func normalForm(of value: UTF8Span) -> String? {
        let bytes = value.span
        guard Self.isInternational(bytes) else { return nil }
        return bytes.indices.reduce(into: "+") { number, index in
            if bytes[index].isASCIIDigit { number.unicodeScalars.append(Unicode.Scalar(bytes[index])) }
        }
    }

    /// Refuses a 0 in brackets. It is only dialled without the country code, so the number would be ambiguous.
    private static func isInternational(_ bytes: Span<UInt8>) -> Bool {
        // Country codes never begin with 0.
        guard bytes.count > 1, bytes[0] == UInt8(ascii: "+"), bytes[1].isASCIIDigit, bytes[1] != UInt8(ascii: "0")
        else { return false }
        let number = bytes.extracting(1...)
        let hasTrunkZero = number.indices.dropFirst().contains { index in
            number[index] == UInt8(ascii: "0") && number[index - 1] == UInt8(ascii: "(")
        }
        return !hasTrunkZero && isNumber(number, digits: 8...15)
    }

    /// The kind of the previous character.
    private enum Last { case start, digit, separator, opening, closing }

    private static func isNumber(_ bytes: Span<UInt8>, digits expected: ClosedRange<Int>) -> Bool {
        var last = Last.start
        var digits = 0
        var isInBrackets = false
        var hadBrackets = false
        for index in bytes.indices {
            switch bytes[index] {
            case let byte where byte.isASCIIDigit:
                digits += 1
                last = .digit
            case UInt8(ascii: " "), UInt8(ascii: "."), UInt8(ascii: "-"):
                guard !isInBrackets, last == .digit || last == .closing else { return false }
                last = .separator
            case UInt8(ascii: "("):
                guard !hadBrackets else { return false }
                (hadBrackets, isInBrackets, last) = (true, true, .opening)
            case UInt8(ascii: ")"):
                guard isInBrackets, last == .digit else { return false }
                (isInBrackets, last) = (false, .closing)
            default: return false
            }
        }
        return expected ~= digits && !isInBrackets && (last == .digit || last == .closing)
    }
}

extension RuleFailure.Code {
    /// The value is not a valid phone number.
    public static let phoneNumber = Self(rawValue: "phone_number")
}
