package import LatchkeySecrets
import LatchkeyText

/// The code that a person types to connect a device (RFC 8628, section 6.1): eight of twenty letters, which form no words
/// and are hard to confuse, with 34 bits. It is short, so that entries must be throttled.
package struct UserCode: Sendable {
    /// The number of letters.
    package static let count = 8
    /// The letters.
    package static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)

    /// The letters without a hyphen.
    package let symbols: Secret

    /// Generates a code. Every code has the same probability.
    package init(random: RandomSource) throws(RandomSource.Unavailable) {
        var symbols = SecretBytes(capacity: Self.count)
        // Bytes from this limit on would make the first letters more frequent.
        let limit = 256 / Self.alphabet.count * Self.alphabet.count
        while symbols.count < Self.count {
            let bytes = try random.secret(16)
            bytes.withBytes { bytes in
                // After the last letter, nothing is appended.
                for index in bytes.indices where Int(bytes[index]) < limit {
                    _ = symbols.append(Self.alphabet[Int(bytes[index]) % Self.alphabet.count])
                }
            }
        }
        self.symbols = Secret(symbols)
    }

    /// Reads a typed code in either case, with any separators or none; nil if it does not have the format of a code.
    package init?(typed: Secret) {
        guard let typed = TypedCode.symbols(of: typed, limit: Self.count), typed.count == Self.count else { return nil }
        var symbols = SecretBytes(capacity: Self.count)
        typed.withBytes { typed in
            for index in typed.indices {
                let letter = typed[index] & ~0x20
                if typed[index] >= 0x40, Self.alphabet.contains(letter) { _ = symbols.append(letter) }
            }
        }
        guard symbols.count == Self.count else { return nil }
        self.symbols = Secret(symbols)
    }

    /// The code as it is shown: `WDJB-MJHT`.
    package var text: String {
        symbols.withBytes { symbols in
            let letters = symbols.indices.map { symbols[$0] }
            return String(decoding: letters.prefix(4) + [UInt8(ascii: "-")] + letters.suffix(4), as: UTF8.self)
        }
    }
}
