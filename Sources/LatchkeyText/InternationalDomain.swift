import CIDN2

/// A domain that may have labels beyond ASCII, by UTS 46 without its transitional mappings: STD3 rules, hyphens, joiners
/// and directions are checked. libidn2 2.3.3 has the tables, of Unicode 13.
///
/// A label must be a U-label of RFC 5890 as well: letters, marks and digits. So no emoji, which UTS 46 alone lets pass,
/// and which ICANN's SSAC advises every registry against (SAC095).
public struct InternationalDomain: Sendable {
    /// As it goes into the DNS: labels of letters, digits and hyphens in lower case, the others as A-labels; at most 253
    /// octets, which are 255 on the wire (RFC 1035, section 2.3.4).
    public let ascii: String

    /// The labels as people read them, none of them an A-label.
    private let labels: [[Unicode.Scalar]]

    /// A domain whose labels are valid as they stand (UTS 46, section 4.1): but for ASCII capitals, and accents that are
    /// written apart, nothing is there that would have to be mapped to something else first.
    public init?(_ text: UTF8Span) {
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

    /// A domain as UTS 46 processes it (ToASCII, section 4.2): capitals, widths and compatible spellings are mapped,
    /// what is ignored goes, and other full stops are dots. Two spellings of one domain have the same ``ascii``.
    public init?(mapping text: UTF8Span) { self.init(mapping: text.span) }

    private init?(mapping bytes: Span<UInt8>) {
        // With STD3 rules libidn2 takes away what it should refuse: that must be nothing. An A-label has to be what its own
        // decoding is encoded as.
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
            // It would end the text for libidn2.
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
