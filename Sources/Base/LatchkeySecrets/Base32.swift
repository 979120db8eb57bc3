/// Base 32: symbols of five bits each, without padding.
package struct Base32: Sendable {
    /// The alphabet of RFC 4648, section 6.
    package static let standard = Base32("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    /// Crockford's alphabet. It omits I, L, O and U, so that people can read, dictate and type it without mistakes.
    package static let crockford = Base32("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// The capitals and digits, by value.
    package let symbols: [UInt8]

    private init(_ alphabet: String) { symbols = Array(alphabet.utf8) }

    /// Encodes all bits of `bytes` as symbols.
    ///
    /// - Parameters:
    ///   - bytes: any number of bytes. The last symbol has zero bits after the last byte.
    ///   - separator: stands between groups of four symbols.
    package func text(of bytes: Span<UInt8>, separator: UInt8? = nil) -> Secret {
        let count = (bytes.count * 8 + 4) / 5
        var text = SecretBytes(capacity: count * 5 / 4)
        for index in 0..<count {
            if let separator, index > 0, index % 4 == 0 { _ = text.append(separator) }
            // Five bits never span more than two bytes, and the last symbol ends with the last byte.
            let first = index * 5
            let low = first / 8 + 1 < bytes.count ? bytes[first / 8 + 1] : 0
            let pair = UInt16(bytes[first / 8]) << 8 | UInt16(low)
            _ = text.append(symbols[Int(pair >> (11 - first % 8)) & 31])
        }
        return Secret(text)
    }

    /// Decodes symbols in upper or lower case; nil if there is any other byte.
    package func bytes(of text: Span<UInt8>) -> Secret? {
        var bytes = SecretBytes(capacity: text.count * 5 / 8)
        var (bits, count) = (0 as UInt32, 0)
        for index in text.indices {
            guard let value = symbols.firstIndex(of: Self.capital(of: text[index])) else { return nil }
            (bits, count) = (bits << 5 | UInt32(value), count + 5)
            guard count >= 8 else { continue }
            count -= 8
            _ = bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return Secret(bytes)
    }

    /// The capital letter for an ASCII letter; other bytes unchanged.
    package static func capital(of byte: UInt8) -> UInt8 {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte & 0xDF : byte
    }
}
