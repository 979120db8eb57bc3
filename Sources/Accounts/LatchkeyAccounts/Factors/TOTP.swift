package import LatchkeySecrets
import LatchkeyText

/// Time-based one-time passwords (RFC 6238) for one secret, with SHA-1, six digits and steps of 30 seconds since 1970.
/// Many authenticator apps support no other parameters.
package struct TOTP: Sendable {
    /// The length of a new secret in bytes: 160 bits, as RFC 4226, section 4, R6, recommends.
    package static let byteCount = 20
    /// The accepted lengths of secrets from other programs, in bytes.
    package static let byteCounts = 10...64
    /// The number of digits of a code.
    package static let digitCount = 6
    /// The validity period of a code: 30 seconds.
    package static let stepLength = Duration.seconds(30)

    /// 20 random bytes, or the secret of another program.
    package let secret: Secret

    /// Generates a new secret.
    package init(from random: RandomSource) throws(RandomSource.Unavailable) {
        secret = Secret(try random.secret(Self.byteCount))
    }

    /// Nil unless the secret has 10 to 64 bytes.
    package init?(_ secret: Secret) {
        guard Self.byteCounts.contains(secret.count) else { return nil }
        self.secret = secret
    }

    /// The number of the time step at `time`; 0 before 1970.
    package static func step(at time: Timestamp) -> Int64 {
        max(0, time.milliseconds) / stepLength.wholeMilliseconds
    }

    /// The code for a time step: six ASCII digits.
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

    /// The time step of the typed code: the current step or, if `allowsPrevious`, the previous one. It never accepts
    /// `last` or an earlier step (RFC 6238, section 5.2). The check runs in constant time.
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
    /// Nil unless `text` is 10 to 64 bytes in base 32 (RFC 4648, section 6), in capitals or not, with or without spaces,
    /// hyphens and padding.
    package init?(base32 text: Span<UInt8>) {
        guard text.count <= Self.maximumTextBytes else { return nil }
        var symbols = SecretBytes(capacity: text.count)
        var hasEnded = false
        for index in text.indices {
            switch text[index] {
            case UInt8(ascii: " "), UInt8(ascii: "-"): continue
            case UInt8(ascii: "="): hasEnded = true
            case let byte:
                guard !hasEnded, symbols.append(byte) else { return nil }
            }
        }
        // The other lengths have a symbol without any bit of the secret.
        guard ![1, 3, 6].contains(symbols.count % 8),
            let secret = symbols.withBytes({ Base32.standard.bytes(of: $0) })
        else { return nil }
        self.init(secret)
    }

    /// Parses the secret of an app as other programs write it: in base 32, or as an `otpauth:` URI. Nil for anything
    /// else, also for a URI with other parameters than SHA-1, six digits and 30 seconds.
    package init?(imported text: Span<UInt8>) {
        guard text.count <= Self.maximumTextBytes else { return nil }
        let scheme = Array("otpauth://totp/".utf8)
        let isURI = text.count >= scheme.count && scheme.indices.allSatisfy { text[$0] | 0x20 == scheme[$0] | 0x20 }
        guard isURI else {
            self.init(base32: text)
            return
        }
        guard let mark = text.indices.first(where: { text[$0] == UInt8(ascii: "?") }) else { return nil }
        let end = text.indices.first { text[$0] == UInt8(ascii: "#") } ?? text.count
        guard mark < end else { return nil }
        var found: TOTP?
        var names: Set<String> = []
        var start = mark + 1
        while start < end {
            let next = (start..<end).first { text[$0] == UInt8(ascii: "&") } ?? end
            let sign = (start..<next).first { text[$0] == UInt8(ascii: "=") } ?? next
            let name = String(decoding: (start..<sign).map { text[$0] }, as: UTF8.self).lowercased()
            guard let value = PercentEncoding.decoded(secret: text.extracting(min(sign + 1, next)..<next)),
                names.insert(name).inserted
            else { return nil }
            start = next + 1
            if name == "secret" {
                found = value.withBytes { TOTP(base32: $0) }
            } else if let accepted = Self.parameters[name] {
                let word = value.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
                guard accepted.contains(word.lowercased()) else { return nil }
            }
        }
        guard let found else { return nil }
        self = found
    }

    /// The only accepted values of an `otpauth:` URI's parameters, which are also their defaults.
    private static let parameters: [String: Set<String>] = [
        "algorithm": ["sha1", "hmacsha1", "sha-1"], "digits": ["6"], "period": ["30"],
    ]

    /// The greatest length of a secret as text or URI.
    private static let maximumTextBytes = 2048

    /// The secret in base 32, for a file that its owner asked for in plain text.
    package var base32Text: String { base32().shownText }

    /// The secret to type into an app: base 32 symbols (RFC 4648, section 6), in groups of four with spaces.
    package var typeableSecret: Secret { base32(separator: UInt8(ascii: " ")) }

    /// The `otpauth:` URI for a QR code, with the names that the app shows. In the label, a colon ends the service's name,
    /// so a colon in it becomes a hyphen.
    package func uri(for account: String, at service: String) -> Secret {
        let account = PercentEncoding.encoded(account, allowing: "@")
        let parts = service.split(separator: ":").map { $0.split(separator: " ").joined(separator: " ") }
        let name = parts.filter { !$0.isEmpty }.joined(separator: " - ")
        let service = PercentEncoding.encoded(service.contains(":") ? name : service, allowing: "@")
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
