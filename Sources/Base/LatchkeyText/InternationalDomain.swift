import CIDN2

/// A domain that may have non-ASCII labels, checked with UTS 46 without transitional mappings: STD3 rules, hyphens,
/// joiners and directions. The tables are those of libidn2 2.3.3 (Unicode 13).
///
/// Each label must also be a U-label of RFC 5890: letters, marks and digits. This excludes emoji, which UTS 46 allows
/// and ICANN's SSAC advises against (SAC095).
package struct InternationalDomain: Sendable {
    /// The domain in the form for the DNS, in lower case and with A-labels. It has at most 253 octets, which are 255 on
    /// the wire (RFC 1035, section 2.3.4).
    package let ascii: String

    /// The labels in ASCII or as U-labels.
    private let labels: [[Unicode.Scalar]]

    /// Creates a domain whose labels are valid without mapping (UTS 46, section 4.1), except for ASCII capitals and
    /// combining accents; nil otherwise.
    package init?(_ text: UTF8Span) {
        let typed = Normalization.nfcInSmallASCII(text)
        self.init(mapping: typed.utf8Span.span)
        let read = labels.map { label in label.flatMap { Array(String($0).utf8) } }
        let sent = ascii.utf8.split(separator: Self.dot)
        let given = typed.utf8.split(separator: Self.dot, omittingEmptySubsequences: false)
        guard given.count == read.count else { return nil }
        for (index, label) in given.enumerated() {
            guard label.elementsEqual(read[index]) || label.elementsEqual(sent[index]) else { return nil }
        }
    }

    /// Creates a domain with the mappings of UTS 46 (ToASCII, section 4.2) for capitals, widths, compatibility
    /// characters, ignored characters and other full stops. Different spellings of a domain have the same ``ascii``.
    /// Nil if it is invalid.
    package init?(mapping text: UTF8Span) { self.init(mapping: text.span) }

    private init?(mapping bytes: Span<UInt8>) {
        // With STD3 rules, libidn2 removes characters that it should refuse, so both results must be equal. An A-label
        // must survive decoding and encoding.
        guard let ascii = Self.toASCII(bytes), Self.toASCII(bytes, std3: true) == ascii,
            LDHName(ascii.utf8Span.span) != nil, let unicode = Self.toUnicode(ascii.utf8Span.span),
            Self.toASCII(unicode.utf8Span.span) == ascii
        else { return nil }
        self.ascii = ascii
        labels = unicode.unicodeScalars.split(separator: ".").map(Array.init)
        if labels.contains(where: BidiRule.isRightToLeft), !labels.allSatisfy(BidiRule.meetsConditions) { return nil }
    }

    private static func toASCII(_ domain: Span<UInt8>, std3: Bool = false) -> String? {
        let flags = IDN2_NONTRANSITIONAL.rawValue | (std3 ? IDN2_USE_STD3_ASCII_RULES.rawValue : 0)
        return unsafe converted(domain) { unsafe idn2_to_ascii_8z($0, $1, CInt(flags)) }
    }

    private static func toUnicode(_ domain: Span<UInt8>) -> String? {
        unsafe converted(domain) { unsafe idn2_to_unicode_8z8z($0, $1, CInt(IDN2_NONTRANSITIONAL.rawValue)) }
    }

    private static func converted(
        _ domain: Span<UInt8>,
        by function: (UnsafePointer<CChar>, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt
    ) -> String? {
        var input: [CChar] = []
        for index in domain.indices {
            // libidn2 would treat a NUL as the end of the string.
            guard domain[index] != 0 else { return nil }
            input.append(CChar(bitPattern: domain[index]))
        }
        input.append(0)
        var output: UnsafeMutablePointer<CChar>?
        let code = unsafe function(input, &output)
        guard let text = unsafe output else { return nil }
        defer { unsafe idn2_free(text) }
        return code == CInt(IDN2_OK.rawValue) ? unsafe String(validatingCString: text) : nil
    }

    private static let dot = UInt8(ascii: ".")
}
