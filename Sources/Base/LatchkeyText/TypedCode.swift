package import LatchkeySecrets

/// Reads codes of letters and digits as keyboards, input methods and clipboards write them.
package enum TypedCode {
    /// The symbols of a typed code in ASCII: digits of any script become 0 to 9, full-width letters become ASCII letters,
    /// and separators (white space, punctuation and invisible scalars) are left out.
    ///
    /// - Parameter limit: the maximum number of symbols.
    /// - Returns: nil for any other scalar, for more symbols, and for invalid UTF-8.
    package static func symbols(of typed: Secret, limit: Int) -> Secret? {
        var symbols = SecretBytes(capacity: limit)
        let isCode = typed.withBytes { bytes in
            guard let text = try? UTF8Span(validating: bytes) else { return false }
            var scalars = text.makeUnicodeScalarIterator()
            while let scalar = scalars.next() {
                if let symbol = symbol(scalar) {
                    guard symbols.append(symbol) else { return false }
                } else if !isSeparator(scalar) {
                    return false
                }
            }
            return true
        }
        return isCode ? Secret(symbols) : nil
    }

    private static func symbol(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar {
        case "0"..."9", "A"..."Z", "a"..."z": return UInt8(truncatingIfNeeded: scalar.value)
        // The letters of the block Halfwidth and Fullwidth Forms, which input methods write.
        case "\u{FF21}"..."\u{FF3A}", "\u{FF41}"..."\u{FF5A}":
            return UInt8(truncatingIfNeeded: scalar.value - 0xFF00 + 0x20)
        default:
            guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue,
                let digit = UInt8(exactly: value), digit < 10
            else { return nil }
            return UInt8(ascii: "0") + digit
        }
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.properties.isWhitespace { return true }
        return switch scalar.properties.generalCategory {
        case .dashPunctuation, .connectorPunctuation, .otherPunctuation, .format: true
        // The minus sign, which some keyboards write for a hyphen.
        default: scalar == "\u{2212}"
        }
    }
}
