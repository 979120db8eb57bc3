package import LatchkeySecrets

/// A recovery code: 120 random bits as 24 symbols of Crockford's base 32. Past 112 bits it needs no slow hash (ASVS 5.0,
/// 6.5.2), and no throttle of its own against guessing.
package struct RecoveryCode: Sendable {
    package static let symbolCount = 24

    /// How long a recovery code lives (ASVS 5.0, 6.5.5). Fixed, for its message says so.
    package static let lifetime = Duration.seconds(600)

    /// How long a code lives that an operator makes: it may have to be carried (NIST SP 800-63B-4, section 4.2.1.2).
    package static let operatorLifetime = Duration.seconds(86400)

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

/// One request for a code, to recover an account or to change its address, as a store keeps it: without its code.
public struct RecoveryRequest: Equatable, Sendable {
    public let tag: RecoveryCodeTag
    /// Whose it is: an account's, or a row that addresses nobody has share. Such a request is kept and counted all the
    /// same, so that the work is alike; nobody ever has its code.
    public let throttle: Throttle
    public let createdAt: Timestamp
    public let expiresAt: Timestamp
    /// The address that the code was sent to and that the account is to have; nil for a request to recover it.
    public let newEmail: EmailAddress?

    package init(
        tag: RecoveryCodeTag, throttle: Throttle, createdAt: Timestamp, expiresAt: Timestamp,
        newEmail: EmailAddress? = nil
    ) {
        self.tag = tag
        self.throttle = throttle
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.newEmail = newEmail
    }
}

/// HMAC-SHA-256 of a recovery code under the store's key, 32 bytes.
public struct RecoveryCodeTag: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }
}

extension RecoveryRequest {
    /// Whether its code may set a new password at `now`.
    func recovers(at now: Timestamp) -> Bool { newEmail == nil && isLive(at: now) }

    /// Whether its code may be used at `now`: not too old, and not made at a time that is yet to come.
    func isLive(at now: Timestamp) -> Bool {
        now < expiresAt && createdAt <= now.advanced(by: SessionLimits.clockTolerance)
    }
}
