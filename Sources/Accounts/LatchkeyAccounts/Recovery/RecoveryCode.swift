package import LatchkeySecrets
import LatchkeyText

/// A recovery code of random symbols of Crockford's base 32.
package struct RecoveryCode: Sendable {
    /// The kind of a code (NIST SP 800-63B-4, section 4.2.1). The raw value is the number of symbols without hyphens.
    package enum Kind: Int, Sendable {
        /// A code that is sent to the owner's address or handed over by an operator, or the text of an ``AppPassword``:
        /// 120 bits. With more than 112 bits, it needs neither a slow hash (ASVS 5.0, 6.5.2) nor a throttle against
        /// guessing.
        case issued = 24
        /// A code that the owner saved for a lost authenticator: 80 bits. Guessing requires the password first.
        case saved = 16
    }

    /// The lifetime of a code: 10 minutes (ASVS 5.0, 6.5.5).
    package static let lifetime = Duration.seconds(600)

    /// The lifetime of a code from an operator, who may have to deliver it by hand: one day (NIST SP 800-63B-4, section
    /// 4.2.1.2).
    package static let operatorLifetime = Duration.seconds(86400)

    /// The symbols as ASCII capitals and digits, without hyphens.
    let symbols: Secret

    /// Generates a new code.
    ///
    /// - Throws: ``AccountError/noRandomness``.
    package init(_ kind: Kind = .issued, from random: RandomSource) throws(AccountError) {
        let bits: SecretBytes
        do { bits = try random.secret(kind.rawValue * 5 / 8) } catch { throw .noRandomness }
        symbols = bits.withBytes { Base32.crockford.text(of: $0) }
    }

    /// Parses a typed code in either case, with or without separators, with digits of any script. O counts as 0; I and L
    /// count as 1.
    ///
    /// Nil if the text does not have the format of a code.
    package init?(_ kind: Kind = .issued, typed: Secret) {
        guard let typed = TypedCode.symbols(of: typed, limit: kind.rawValue) else { return nil }
        var symbols = SecretBytes(capacity: kind.rawValue)
        let isCode = typed.withBytes { typed in
            for index in typed.indices {
                guard let symbol = Self.symbol(typed[index]), symbols.append(symbol) else { return false }
            }
            return symbols.count == kind.rawValue
        }
        guard isCode else { return nil }
        self.symbols = Secret(symbols)
    }

    private static func symbol(_ byte: UInt8) -> UInt8? {
        let capital = Base32.capital(of: byte)
        switch capital {
        case UInt8(ascii: "O"): return UInt8(ascii: "0")
        case UInt8(ascii: "I"), UInt8(ascii: "L"): return UInt8(ascii: "1")
        default: return Base32.crockford.symbols.contains(capital) ? capital : nil
        }
    }

    /// The code in groups of four with hyphens, as it appears in messages.
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

/// A stored request for a code that recovers an account, verifies its new address or completes a sign-up. It does not
/// contain the code.
public struct RecoveryRequest: Equatable, Sendable {
    /// The tag that identifies the code.
    public let tag: RecoveryCodeTag
    /// The account of the request, or the throttle of an unknown address.
    ///
    /// Requests for unknown addresses are stored and counted too, so that they cause the same work. Their codes are
    /// never sent.
    public let throttle: Throttle
    /// The time of the request.
    public let createdAt: Timestamp
    /// The time of expiry.
    public let expiresAt: Timestamp
    /// The new address that the code verifies; nil for a code that was sent to the address of an account or, on a
    /// request for a recovery, to the address of a sign-up.
    public let newEmail: EmailAddress?
    /// The sign-up that the code completes; nil for other codes, and after the sign-up was deleted.
    public package(set) var signUp: AccountID?

    /// Creates a request.
    package init(
        tag: RecoveryCodeTag, throttle: Throttle, createdAt: Timestamp, expiresAt: Timestamp,
        newEmail: EmailAddress? = nil, signUp: AccountID? = nil
    ) {
        self.tag = tag
        self.throttle = throttle
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.newEmail = newEmail
        self.signUp = signUp
    }
}

/// The HMAC-SHA-256 of a recovery code with the store's key, 32 bytes.
public struct RecoveryCodeTag: Hashable, Sendable {
    /// The 32 bytes of the tag.
    package let bytes: [UInt8]

    /// Wraps 32 bytes.
    package init(bytes: [UInt8]) { self.bytes = bytes }
}

extension RecoveryRequest {
    /// Whether the code may set a password: that of an account, or the first one of a sign-up.
    var setsPassword: Bool { newEmail == nil || signUp != nil }

    /// Whether the code may set a password at `now`.
    func recovers(at now: Timestamp, latest: Timestamp) -> Bool { setsPassword && isLive(at: now, latest: latest) }

    /// Whether the code is valid at `now`: neither expired nor created in the future.
    ///
    /// - Parameter latest: the result of `latest(_:)`, so that an expired code stays expired if the clock goes back.
    func isLive(at now: Timestamp, latest: Timestamp) -> Bool {
        SessionLimits.isLive(from: createdAt, until: expiresAt, at: now) && latest < expiresAt
    }
}
