/// Percent-encoding (RFC 3986, section 2.1).
//
// Inlinable, because the generic code would cost several times as much for the short path of each request.
@usableFromInline
package enum PercentEncoding {
    /// Decodes bytes; nil for an invalid or incomplete encoding, an encoded NUL, or a result that is not UTF-8.
    @inlinable
    package static func decoded(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
        var decoded: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst().flatMap(Hexadecimal.value),
                    let low = rest.popFirst().flatMap(Hexadecimal.value)
                else { return nil }
                decoded.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: decoded.append(UInt8(ascii: " "))
            default: decoded.append(byte)
            }
        }
        guard !decoded.contains(0) else { return nil }
        return String(validating: decoded, as: UTF8.self)
    }

    /// Decodes a part of a query, as browsers do: a plus sign is a space, an invalid encoding stays as it is, and
    /// U+FFFD replaces what is not UTF-8. It also replaces NUL.
    ///
    /// - Returns: the text, and whether nothing was replaced.
    package static func decoded(query bytes: some Collection<UInt8>) -> (text: String, isExact: Bool) {
        var decoded: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(Hexadecimal.value),
                let low = rest.dropFirst().first.flatMap(Hexadecimal.value)
            {
                rest = rest.dropFirst(2)
                decoded.append(high << 4 | low)
            } else {
                decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        guard !decoded.contains(0), let text = String(validating: decoded, as: UTF8.self) else {
            return (String(decoding: decoded, as: UTF8.self).replacing("\0", with: "\u{FFFD}"), false)
        }
        return (text, true)
    }

    /// Decodes a value of a form, in which a plus sign is a space; nil for an invalid or incomplete encoding. The
    /// result may be any bytes.
    package static func decoded(secret bytes: Span<UInt8>) -> Secret? {
        var decoded = SecretBytes(capacity: bytes.count)
        var index = 0
        while index < bytes.count {
            var byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < bytes.count, let high = Hexadecimal.value(of: bytes[index + 1]),
                    let low = Hexadecimal.value(of: bytes[index + 2])
                else { return nil }
                byte = high << 4 | low
                index += 2
            } else if byte == UInt8(ascii: "+") {
                byte = UInt8(ascii: " ")
            }
            _ = decoded.append(byte)
            index += 1
        }
        return Secret(decoded)
    }

    /// Encodes all characters except the unreserved ones (RFC 3986, section 2.3) and those in `allowed`.
    package static func encoded(_ text: String, allowing allowed: String = "") -> String {
        let allowed = Set(allowed.utf8)
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            if byte.isUnreserved || allowed.contains(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded += Hexadecimal.capitals(of: byte)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether the byte is an unreserved character of URIs (RFC 3986, section 2.3): an ASCII letter or digit, or one of
    /// `-._~`.
    package var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: [UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~")].contains(self)
        }
    }
}
