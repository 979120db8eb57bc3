package import LatchkeySecrets

/// A recovery code: 120 random bits as 24 symbols of Crockford's base 32. Past 112 bits it needs no slow hash (ASVS 5.0,
/// 6.5.2), and no lane of its own against guessing.
package struct RecoveryCode: Sendable {
    package static let symbolCount = 24

    /// 24 ASCII capitals and digits, without hyphens.
    let symbols: Secret

    /// Without I, L, O and U.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    package init(from random: RandomSource) throws(AccountError) {
        let bits: SecretBytes
        do { bits = try random.secret(15) } catch { throw .noRandomness }
        var symbols = SecretBytes(capacity: Self.symbolCount)
        bits.withBytes { bits in
            for index in 0..<Self.symbolCount {
                // Five bits never span more than two bytes; the last symbol ends with the last byte.
                let first = index * 5
                let low = first / 8 + 1 < bits.count ? bits[first / 8 + 1] : 0
                let pair = UInt16(bits[first / 8]) << 8 | UInt16(low)
                _ = symbols.append(Self.alphabet[Int(pair >> (11 - first % 8)) & 31])
            }
        }
        self.symbols = Secret(symbols)
    }

    /// Reads what somebody typed, in either case and with or without hyphens and spaces, O as 0, and I and L as 1.
    /// Nil where it has not the shape of a code.
    package init?(typed: Secret) {
        var symbols = SecretBytes(capacity: Self.symbolCount)
        let isCode = typed.withBytes { typed in
            for index in typed.indices where typed[index] != UInt8(ascii: "-") && typed[index] != UInt8(ascii: " ") {
                guard let symbol = Self.symbol(typed[index]), symbols.append(symbol) else { return false }
            }
            return symbols.count == Self.symbolCount
        }
        guard isCode else { return nil }
        self.symbols = Secret(symbols)
    }

    private static func symbol(_ byte: UInt8) -> UInt8? {
        let capital = UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte ? byte & 0xDF : byte
        switch capital {
        case UInt8(ascii: "O"): return UInt8(ascii: "0")
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return UInt8(ascii: "1")
        default: return alphabet.contains(capital) ? capital : nil
        }
    }

    /// In groups of four with hyphens. For the message that carries the code, and for nothing else.
    package var text: String {
        symbols.withBytes { symbols in
            var text: [UInt8] = []
            for index in symbols.indices {
                if index > 0 && index % 4 == 0 { text.append(UInt8(ascii: "-")) }
                text.append(symbols[index])
            }
            return String(decoding: text, as: UTF8.self)
        }
    }
}
