import LatchkeySecrets

/// Generates passwords of 28 symbols of Crockford's base 32 (140 random bits), in groups of four.
package enum GeneratedPassword {
    /// The entropy in bits: five per symbol.
    package static let bits = 5 * symbolCount

    static let symbolCount = 28

    /// The lifetime of the password: one day, because another person has seen it (ASVS 5.0, 6.4.1).
    package static let lifetime = Duration.seconds(86400)

    /// - Throws: ``AccountError/noRandomness``.
    static func make(from random: RandomSource) throws(AccountError) -> Secret {
        let bytes: SecretBytes
        do { bytes = try random.secret(symbolCount) } catch { throw .noRandomness }
        var text = SecretBytes(capacity: symbolCount + symbolCount / 4 - 1)
        bytes.withBytes { bytes in
            for index in bytes.indices {
                if index > 0 && index % 4 == 0 { _ = text.append(UInt8(ascii: "-")) }
                // 256 is a multiple of 32, so every symbol is equally likely. Setting bit 5 converts letters to lower
                // case; digits have it already.
                _ = text.append(Base32.crockford.symbols[Int(bytes[index] & 31)] | 0x20)
            }
        }
        return Secret(text)
    }
}
