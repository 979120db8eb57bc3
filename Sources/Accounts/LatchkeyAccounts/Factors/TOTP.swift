package import LatchkeySecrets
import LatchkeyText

/// Time-based one-time passwords (RFC 6238) for one secret: SHA-1, six digits, steps of 30 seconds from 1970.
/// Authenticator apps support no other parameters.
package struct TOTP: Sendable {
    /// The length of a secret in bytes: 160 bits, as RFC 4226, section 4, R6, recommends.
    package static let byteCount = 20
    /// The number of digits of a code.
    package static let digitCount = 6
    /// The time for which a code is current.
    package static let stepLength = Duration.seconds(30)

    /// 20 random bytes.
    package let secret: Secret

    /// Generates a new secret.
    package init(from random: RandomSource) throws(RandomSource.Unavailable) {
        secret = Secret(try random.secret(Self.byteCount))
    }

    /// Nil unless `secret` has 20 bytes.
    package init?(_ secret: Secret) {
        guard secret.count == Self.byteCount else { return nil }
        self.secret = secret
    }

    /// The number of the step at `time`; 0 before 1970.
    package static func step(at time: Timestamp) -> Int64 {
        max(0, time.milliseconds) / stepLength.wholeMilliseconds
    }

    /// The code of a step: six ASCII digits.
    package func code(at step: Int64) -> Secret {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        var number = HMACSHA1.withTag(of: counter.span, key: secret) { tag in
            // Dynamic truncation (RFC 4226, section 5.3).
            let start = Int(tag[HMACSHA1.byteCount - 1] & 15)
            return (start..<start + 4).reduce(0 as UInt32) { $0 << 8 | UInt32(tag[$1]) } & 0x7FFF_FFFF
        }
        var digits = [UInt8](repeating: 0, count: Self.digitCount)
        for index in digits.indices.reversed() {
            digits[index] = UInt8(ascii: "0") + UInt8(number % 10)
            number /= 10
        }
        return Secret(copying: digits.span)
    }

    /// The step whose code was typed: the current one or, if `allowsPrevious`, the one before; never `last` or an
    /// earlier one (RFC 6238, section 5.2). The duration does not depend on the code.
    ///
    /// - Parameters:
    ///   - typed: six digits of any script, with or without separators.
    ///   - last: the step of the last accepted code; nil before the first.
    package func step(
        of typed: Secret, at now: Timestamp, after last: Int64?, allowsPrevious: Bool
    ) -> Int64? {
        guard let digits = Self.digits(typed) else { return nil }
        let current = Self.step(at: now)
        var accepted: Int64?
        for step in (allowsPrevious ? [current - 1, current] : [current]) {
            let isEqual = code(at: step).isEqual(to: digits)
            if isEqual, last.map({ step > $0 }) ?? true { accepted = step }
        }
        return accepted
    }

    /// Whether the input has the format of a code.
    static func isCode(_ typed: Secret) -> Bool { digits(typed) != nil }

    private static func digits(_ typed: Secret) -> Secret? {
        guard let digits = TypedCode.symbols(of: typed, limit: digitCount), digits.count == digitCount else {
            return nil
        }
        let areDigits = digits.withBytes { bytes in
            bytes.indices.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[$0] }
        }
        return areDigits ? digits : nil
    }
}

// MARK: For an authenticator app

extension TOTP {
    /// Nil unless `text` is 20 bytes in base 32, in capitals or not, without spaces and padding.
    package init?(base32 text: Span<UInt8>) {
        guard text.count == Self.byteCount * 8 / 5, let secret = Base32.standard.bytes(of: text) else { return nil }
        self.init(secret)
    }

    /// The secret in base 32, for a file that its owner asked for in plain text.
    package var base32Text: String { base32().shownText }

    /// The secret to type into an app: 32 base 32 symbols (RFC 4648, section 6), in groups of four with spaces.
    package var typeableSecret: Secret { base32(separator: UInt8(ascii: " ")) }

    /// The `otpauth:` URI for a QR code, with the names that the app shows.
    package func uri(for account: String, at service: String) -> Secret {
        let account = PercentEncoding.encoded(account, allowing: "@")
        let service = PercentEncoding.encoded(service, allowing: "@")
        let start = Array("otpauth://totp/\(service):\(account)?secret=".utf8)
        let end = Array("&issuer=\(service)".utf8)
        let secret = base32()
        var uri = SecretBytes(capacity: start.count + secret.count + end.count)
        _ = uri.append(start.span) && secret.withBytes { uri.append($0) } && uri.append(end.span)
        return Secret(uri)
    }

    private func base32(separator: UInt8? = nil) -> Secret {
        secret.withBytes { Base32.standard.text(of: $0, separator: separator) }
    }
}
