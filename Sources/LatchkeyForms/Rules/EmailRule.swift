import LatchkeyText

/// Holds for an e-mail address: a dot-atom local part and a domain of two or more LDH labels, in ASCII.
///
/// A WHATWG "valid e-mail address" within RFC 5321's limits (section 4.5.3.1): local part 64 octets, domain 255,
/// whole 254. No comments, quoted strings or address literals.
public struct EmailRule: DescribedRule {
    public static let name = "email"
    public let code = RuleFailure.Code.email

    public init() {}

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {}

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        Self.isAddress(value.span) ? nil : RuleFailure(code: code)
    }

    /// NFC, with ASCII letters in lower case: what addresses are compared by.
    public func normalForm(of value: UTF8Span) -> String? {
        let folded = Normalization.nfc(value).utf8.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
        return String(decoding: folded, as: UTF8.self)
    }

    private static func isAddress(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count <= 254, let at = bytes.indices.first(where: { bytes[$0] == UInt8(ascii: "@") }) else {
            return false
        }
        return isDotAtom(bytes.extracting(..<at)) && isDomain(bytes.extracting((at + 1)...))
    }

    /// RFC 5322, section 3.2.3: atoms between dots, none of them empty.
    private static func isDotAtom(_ bytes: Span<UInt8>) -> Bool {
        guard (1...64).contains(bytes.count) else { return false }
        var previousWasDot = true
        for index in bytes.indices {
            let isDot = bytes[index] == UInt8(ascii: ".")
            guard isDot ? !previousWasDot : isAtomText(bytes[index]) else { return false }
            previousWasDot = isDot
        }
        return !previousWasDot
    }

    private static func isAtomText(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }

    private static func isDomain(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count <= 255 else { return false }
        var labels = 0
        var start = 0
        for index in 0...bytes.count where index == bytes.count || bytes[index] == UInt8(ascii: ".") {
            let label = bytes.extracting(start..<index)
            guard isLabel(label) else { return false }
            if index == bytes.count { return labels >= 1 && isTopLevel(label) }
            labels += 1
            start = index + 1
        }
        return false
    }

    /// RFC 1034, section 3.5: letters, digits and hyphens, none of these at the ends, up to 63.
    private static func isLabel(_ bytes: Span<UInt8>) -> Bool {
        guard (1...63).contains(bytes.count), bytes[0] != hyphen, bytes[bytes.count - 1] != hyphen else { return false }
        return bytes.indices.allSatisfy { isLetterOrDigit(bytes[$0]) || bytes[$0] == hyphen }
    }

    /// All letters, or punycode: no top-level domain is anything else (RFC 3696, section 2).
    private static func isTopLevel(_ bytes: Span<UInt8>) -> Bool {
        let isPunycode =
            bytes.count > 4 && bytes[0] | 0x20 == UInt8(ascii: "x") && bytes[1] | 0x20 == UInt8(ascii: "n")
            && bytes[2] == hyphen && bytes[3] == hyphen
        return isPunycode || bytes.indices.allSatisfy { isLetter(bytes[$0]) }
    }

    private static let hyphen = UInt8(ascii: "-")

    private static func isLetter(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        isLetter(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}
