import LatchkeySecrets

/// Writes text as printable ASCII in lines of at most 76 characters (RFC 2045, section 6.7).
enum QuotedPrintable {
    private static let longestLine = 76

    /// Whether `text` is printable ASCII with lines of at most 998 octets (RFC 5322, section 2.1.1) and needs no
    /// encoding.
    static func isNeedless(for text: [UInt8]) -> Bool {
        text.allSatisfy { $0 == UInt8(ascii: "\n") || 0x20...0x7E ~= $0 }
            && text.split(separator: UInt8(ascii: "\n")).allSatisfy { $0.count <= 998 }
    }

    /// The encoded text, with LF converted to CR LF.
    static func text(of text: [UInt8]) -> [UInt8] {
        var encoded: [UInt8] = []
        var column = 0
        for (index, byte) in text.enumerated() {
            if byte == UInt8(ascii: "\n") {
                encoded += [13, 10]
                column = 0
                continue
            }
            let isLast = index + 1 == text.count || text[index + 1] == UInt8(ascii: "\n")
            // A space at the end of a line could be lost in transit.
            let isPlain = 0x21...0x7E ~= byte && byte != UInt8(ascii: "=") || byte == UInt8(ascii: " ") && !isLast
            let piece = isPlain ? [byte] : [UInt8(ascii: "=")] + Hexadecimal.capitals(of: byte)
            // Leaves room for the `=` of a soft line break.
            if column + piece.count > longestLine - (isLast ? 0 : 1) {
                encoded += [UInt8(ascii: "="), 13, 10]
                column = 0
            }
            encoded += piece
            column += piece.count
        }
        return encoded
    }
}
