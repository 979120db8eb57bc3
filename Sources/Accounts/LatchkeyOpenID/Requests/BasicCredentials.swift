import LatchkeyForms
import LatchkeySecrets

/// The client and its secret in an `Authorization` header with the scheme Basic (RFC 7617; RFC 6749, section 2.3.1).
struct BasicCredentials {
    /// The ID, decoded.
    let clientID: ClientID
    /// The secret, decoded; it may be empty.
    let secret: Secret

    /// Parses the value of the header; nil if it is malformed. Both parts are percent-encoded within the base64.
    init?(_ header: Secret) {
        let scheme = Array("basic ".utf8)
        let decoded = header.withBytes { bytes -> Secret? in
            guard bytes.count > scheme.count else { return nil }
            for index in scheme.indices where bytes[index] | 0x20 != scheme[index] { return nil }
            return Self.decoded(bytes.extracting(scheme.count...))
        }
        let parts = decoded?.withBytes { bytes -> (id: String, secret: Secret)? in
            guard let colon = bytes.indices.first(where: { bytes[$0] == UInt8(ascii: ":") }),
                let id = PercentEncoding.decoded(secret: bytes.extracting(..<colon))?.textIfValid,
                let secret = PercentEncoding.decoded(secret: bytes.extracting((colon + 1)...))
            else { return nil }
            return (id, secret)
        }
        guard let parts, let clientID = ClientID(parts.id) else { return nil }
        self.clientID = clientID
        secret = parts.secret
    }

    /// Decodes base64 with padding (RFC 4648, section 4) into locked memory; nil if it is malformed.
    private static func decoded(_ text: Span<UInt8>) -> Secret? {
        guard text.count.isMultiple(of: 4), text.count > 0 else { return nil }
        var count = text.count
        while count > text.count - 2, text[count - 1] == UInt8(ascii: "=") { count -= 1 }
        var decoded = SecretBytes(capacity: count * 3 / 4)
        var (bits, bitCount) = (0 as UInt32, 0)
        for index in 0..<count {
            guard let value = value(of: text[index]) else { return nil }
            bits = bits << 6 | value
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                _ = decoded.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
            }
        }
        // Otherwise, several texts would encode the same bytes.
        guard bits & (1 << UInt32(bitCount) - 1) == 0 else { return nil }
        return Secret(decoded)
    }

    private static func value(of digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
