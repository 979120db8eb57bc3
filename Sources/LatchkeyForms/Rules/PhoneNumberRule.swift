/// Accepts a phone number: E.164 with a `+` and 8 to 15 digits, or a national number of 10 to 15 digits, with single
/// spaces, dots, hyphens and one pair of brackets.
public struct PhoneNumberRule: ArgumentlessRule {
    public static let name = "phoneNumber"
    public let code = RuleFailure.Code.phoneNumber

    /// Creates the rule.
    public init() {}

    /// Fails with ``RuleFailure/Code/phoneNumber``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        Self.isInternational(value.span) || Self.isNational(value.span) ? nil : RuleFailure(code: code)
    }

    /// No country code begins with 0.
    private static func isInternational(_ bytes: Span<UInt8>) -> Bool {
        guard 9...16 ~= bytes.count, bytes[0] == UInt8(ascii: "+"), bytes[1] != UInt8(ascii: "0") else { return false }
        return (1..<bytes.count).allSatisfy { bytes[$0].isASCIIDigit }
    }

    /// The kind of the character before.
    private enum Last { case start, digit, separator, opening, closing }

    private static func isNational(_ bytes: Span<UInt8>) -> Bool {
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
        return 10...15 ~= digits && !isInBrackets && (last == .digit || last == .closing)
    }
}
