import LatchkeyText

/// The string format of URLs with a host, from the sections "Host writing" and "URL writing" of the WHATWG URL
/// standard.
///
/// The host must be a domain or an IP address, although the standard allows other strings for unknown schemes.
/// Credentials are refused, because no valid URL string contains them.
enum URLText {
    /// Whether `bytes` consist of a letter followed by letters, digits, `+`, `-` and `.`.
    static func isScheme(_ bytes: Span<UInt8>) -> Bool {
        !bytes.isEmpty && bytes[0].isASCIILetter && bytes.indices.allSatisfy { schemeSigns.contains(bytes[$0]) }
    }

    /// Whether `bytes`, which must be UTF-8, are a URL with this scheme in any case. A `file` URL has no port.
    static func isValid(_ bytes: Span<UInt8>, scheme: Span<UInt8>) -> Bool {
        let start = scheme.count + 3
        guard bytes.count > start, isScheme(scheme), isSame(bytes.extracting(..<scheme.count), scheme),
            isSame(bytes.extracting(scheme.count..<start), "://".utf8Span.span)
        else { return false }
        let end = bytes.indices[start...].first { hostEnds.contains(bytes[$0]) } ?? bytes.count
        return isHostAndPort(bytes.extracting(start..<end), takesPort: !isSame(scheme, "file".utf8Span.span))
            && consistsOfUnits(bytes.extracting(end...))
    }

    private static func isSame(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
        left.count == right.count
            && left.indices.allSatisfy { left[$0].asciiLowercased == right[$0].asciiLowercased }
    }

    /// A port may be empty after the colon and may have leading zeros.
    private static func isHostAndPort(_ bytes: Span<UInt8>, takesPort: Bool) -> Bool {
        let bracket = bytes.indices.first { bytes[$0] == UInt8(ascii: "]") }
        let colon = bytes.indices[(bracket ?? 0)...].first { bytes[$0] == UInt8(ascii: ":") }
        if let colon, !(takesPort && isPort(bytes.extracting((colon + 1)...))) { return false }
        let host = bytes.extracting(..<(colon ?? bytes.count))
        guard bracket != nil else { return isDomain(host) || IPAddress.isVersion4(host) }
        return host[0] == UInt8(ascii: "[") && host[host.count - 1] == UInt8(ascii: "]")
            && IPAddress.isVersion6(host.extracting(1..<(host.count - 1)), shortestGroups: true)
    }

    private static func isPort(_ bytes: Span<UInt8>) -> Bool {
        var port = 0
        for index in bytes.indices {
            guard bytes[index].isASCIIDigit else { return false }
            port = min(port * 10 + bytes[index].digitValue, 65_536)
        }
        return port <= 65_535
    }

    /// Whether `bytes` are a "valid domain" (strict ToASCII of UTS 46: at most 253 octets, no trailing dot) that
    /// parsers do not read as an IP address.
    private static func isDomain(_ bytes: Span<UInt8>) -> Bool {
        if let name = LDHName(bytes), !name.hasReservedLabel {
            return bytes.count <= 253 && !isNumber(bytes.extracting(name.lastLabel))
        }
        guard let text = try? UTF8Span(validating: bytes), let domain = InternationalDomain(mapping: text),
            let name = LDHName(domain.ascii.utf8Span.span)
        else { return false }
        return !isNumber(domain.ascii.utf8Span.span.extracting(name.lastLabel))
    }

    /// Whether the "ends in a number checker" considers `label` a number: digits, or `0x` with any hexadecimal digits.
    private static func isNumber(_ label: Span<UInt8>) -> Bool {
        if label.indices.allSatisfy({ label[$0].isASCIIDigit }) { return true }
        return label.count >= 2 && label[0] == UInt8(ascii: "0") && label[1].asciiLowercased == UInt8(ascii: "x")
            && label.indices.dropFirst(2).allSatisfy { label[$0].isASCIIHexDigit }
    }

    /// Whether path, query and fragment consist of "URL units", with at most one `#`.
    private static func consistsOfUnits(_ bytes: Span<UInt8>) -> Bool {
        guard let text = try? UTF8Span(validating: bytes) else { return false }
        var scalars = text.makeUnicodeScalarIterator()
        var isInFragment = false
        while let scalar = scalars.next() {
            switch scalar {
            case "#":
                if isInFragment { return false }
                isInFragment = true
            case "%":
                guard scalars.next()?.isASCIIHexDigit == true, scalars.next()?.isASCIIHexDigit == true else {
                    return false
                }
            default: guard isCodePoint(scalar) else { return false }
            }
        }
        return true
    }

    /// Whether `scalar` is a "URL code point": some of ASCII, and all from U+00A0 except noncharacters.
    private static func isCodePoint(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return codePoints.contains(UInt8(ascii: scalar)) }
        return scalar.value >= 0xA0 && scalar.value & 0xFFFE != 0xFFFE && !(0xFDD0...0xFDEF).contains(scalar.value)
    }

    private static let schemeSigns = ASCIISet("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-.")
    private static let codePoints = ASCIISet(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!$&'()*+,-./:;=?@_~")
    private static let hostEnds = ASCIISet("/?#")
}

extension Unicode.Scalar {
    fileprivate var isASCIIHexDigit: Bool { isASCII && UInt8(ascii: self).isASCIIHexDigit }
}
