import LatchkeyText

/// Holds for an e-mail address: a dot-atom local part and a domain of two or more LDH labels, in ASCII.
///
/// A WHATWG "valid e-mail address" within RFC 5321's limits (section 4.5.3.1), in octets: local part 64, domain 255,
/// whole 254. No comments, quoted strings or address literals.
public struct EmailRule: DescribedRule {
    public static let name = "email"
    public let code = RuleFailure.Code.email

    /// Whether the local part may have UTF-8 (RFC 6531) and the domain U-labels (UTS 46).
    public let international: Bool

    public init(international: Bool = false) { self.international = international }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        international = try arguments.bool("international") ?? false
    }

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        let isAddress = Self.isAddress(value.span) || (international && Self.isInternational(value))
        return isAddress ? nil : RuleFailure(code: code)
    }

    /// NFC, with ASCII letters in lower case: what addresses are compared by.
    public func normalForm(of value: UTF8Span) -> String? { Normalization.nfcInSmallASCII(value) }

    private static func isAddress(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count <= 254, let at = lengthOfLocalPart(of: bytes) else { return false }
        return isDomain(bytes.extracting((at + 1)...))
    }

    /// How long the dot-atom of 1 to 64 octets is that an `@` ends: atoms between dots, none of them empty (RFC 5322,
    /// section 3.2.3). Nil where anything else begins.
    private static func lengthOfLocalPart(of bytes: Span<UInt8>, withUTF8 takesUTF8: Bool = false) -> Int? {
        let atomText = Self.atomText
        var atomIsEmpty = true
        for index in 0..<min(bytes.count, 65) {
            let byte = bytes[index]
            if atomText.contains(byte) || (takesUTF8 && byte >= 0x80) {
                atomIsEmpty = false
            } else if byte == UInt8(ascii: "."), !atomIsEmpty {
                atomIsEmpty = true
            } else {
                return byte == UInt8(ascii: "@") && !atomIsEmpty ? index : nil
            }
        }
        return nil
    }

    /// At most 255 octets, two or more labels, the last of letters or punycode: no top-level domain is anything else
    /// (RFC 3696, section 2).
    private static func isDomain(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count <= 255, let name = LDHName(bytes), name.labelCount >= 2 else { return false }
        return name.isLastLabelAlphabetic || isPunycode(bytes.extracting(name.lastLabel))
    }

    /// An A-label that stands for a U-label, and not just any four characters before what nobody can decode.
    private static func isPunycode(_ label: Span<UInt8>) -> Bool {
        guard label.count > 4, label[2] == hyphen, label[3] == hyphen, let text = try? UTF8Span(validating: label)
        else { return false }
        return InternationalDomain(text) != nil
    }

    /// Judges the local part as it was typed and in NFC, for `<` and a stroke after it become `≮`, and a Greek question
    /// mark becomes a semicolon; and of a domain beyond ASCII what goes into the DNS for it.
    private static func isInternational(_ value: UTF8Span) -> Bool {
        guard value.count <= 254, let at = lengthOfLocalPart(of: value.span, withUTF8: true),
            let local = try? UTF8Span(validating: value.span.extracting(..<at)),
            let domain = try? UTF8Span(validating: value.span.extracting((at + 1)...)),
            isInternationalLocalPart(Normalization.nfc(local).utf8Span)
        else { return false }
        if isDomain(domain.span) { return true }
        return InternationalDomain(domain).map { isDomain($0.ascii.utf8Span.span) } ?? false
    }

    /// Of RFC 6531's UTF8-non-ascii what can be seen for what it is: no control, white space, unassigned or private
    /// scalar, nothing invisible or that turns the direction of what follows; and no atom that begins with a mark, which
    /// would be drawn on the sign in front of it and compose with one.
    private static func isInternationalLocalPart(_ local: UTF8Span) -> Bool {
        var atomIsEmpty = true
        var scalars = local.makeUnicodeScalarIterator()
        while let scalar = scalars.next() {
            if scalar.isASCII {
                guard scalar == "." || atomText.contains(UInt8(ascii: scalar)) else { return false }
            } else {
                guard !scalar.properties.isWhitespace, !scalar.isInvisible, !(atomIsEmpty && scalar.isMark) else {
                    return false
                }
            }
            atomIsEmpty = scalar == "."
        }
        return DisplayText.violation(in: local) == nil
    }

    private static let atomText = ASCIISet(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'*+-/=?^_`{|}~")
    private static let hyphen = UInt8(ascii: "-")
}

extension Unicode.Scalar {
    /// But for the two joiners, which ``DisplayText`` lets stand where Persian and Indic words need them.
    fileprivate var isInvisible: Bool {
        properties.isDefaultIgnorableCodePoint && !(0x200C...0x200D).contains(value)
    }

    fileprivate var isMark: Bool {
        [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
    }
}
