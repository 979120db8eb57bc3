import LatchkeyText

/// Accepts an ASCII e-mail address: a dot-atom local part and a domain of two or more LDH labels. The last label has
/// two or more characters.
///
/// This is a WHATWG "valid e-mail address" within the limits of RFC 5321 (section 4.5.3.1): 64 octets for the local
/// part, 255 for the domain, and 254 for the whole address. Comments, quoted strings and address literals are refused.
public struct EmailRule: DescribedRule {
    public static let name = "email"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.email

    /// Whether to accept UTF-8 in the local part (RFC 6531) and U-labels in the domain (UTS 46).
    public let international: Bool

    /// Creates the rule.
    public init(international: Bool = false) { self.international = international }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        international = try arguments.bool("international") ?? false
    }

    /// Fails with ``RuleFailure/Code/email``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        let isAddress = Self.isAddress(value.span) || (international && Self.isInternational(value))
        return isAddress ? nil : RuleFailure(code: code)
    }

    /// The address in NFC with ASCII letters in lower case, for comparison.
    public func normalForm(of value: UTF8Span) -> String? { Normalization.nfcInSmallASCII(value) }

    private static func isAddress(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count <= 254, let at = lengthOfLocalPart(of: bytes) else { return false }
        return isDomain(bytes.extracting((at + 1)...))
    }

    /// The length of the local part before the `@`: a dot-atom of 1 to 64 octets without empty atoms (RFC 5322, section
    /// 3.2.3). Nil if the value does not begin with such a local part.
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

    /// Whether `bytes` consist of two or more labels with at most 255 octets. The last label must consist of two or
    /// more letters or be punycode, like every top-level domain (RFC 3696, section 2).
    private static func isDomain(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count <= 255, let name = LDHName(bytes), name.labelCount >= 2 else { return false }
        return (name.isLastLabelAlphabetic && name.lastLabel.count >= 2) || isPunycode(bytes.extracting(name.lastLabel))
    }

    /// Whether `label` is a decodable A-label.
    private static func isPunycode(_ label: Span<UInt8>) -> Bool {
        guard label.count > 4, label[2] == hyphen, label[3] == hyphen, let text = try? UTF8Span(validating: label)
        else { return false }
        return InternationalDomain(text) != nil
    }

    /// Checks the local part both as typed and in NFC, because NFC turns `<` with a combining stroke into `≮` and a
    /// Greek question mark into a semicolon. The domain is checked in the form that is sent to the DNS.
    private static func isInternational(_ value: UTF8Span) -> Bool {
        guard value.count <= 254, let at = lengthOfLocalPart(of: value.span, withUTF8: true),
            let local = try? UTF8Span(validating: value.span.extracting(..<at)),
            let domain = try? UTF8Span(validating: value.span.extracting((at + 1)...)),
            isInternationalLocalPart(Normalization.nfc(local).utf8Span)
        else { return false }
        if isDomain(domain.span) { return true }
        return InternationalDomain(domain).map { isDomain($0.ascii.utf8Span.span) } ?? false
    }

    /// Accepts the visible part of RFC 6531's UTF8-non-ascii: no controls, white space, direction controls, and no
    /// unassigned, private-use or invisible scalars. An atom must not begin with a mark, which would combine with the
    /// preceding character.
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
    /// Whether the scalar is invisible. The two joiners are excluded, because Persian and Indic words need them and
    /// ``DisplayText`` checks them.
    fileprivate var isInvisible: Bool {
        properties.isDefaultIgnorableCodePoint && !(0x200C...0x200D).contains(value)
    }

    fileprivate var isMark: Bool {
        [.nonspacingMark, .spacingMark, .enclosingMark].contains(properties.generalCategory)
    }
}

extension RuleFailure.Code {
    /// The value is not a valid e-mail address.
    public static let email = Self(rawValue: "email")
}
