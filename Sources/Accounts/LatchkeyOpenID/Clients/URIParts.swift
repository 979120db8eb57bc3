import LatchkeyForms
import LatchkeySecrets

/// The parts of a URI (RFC 3986, section 3) that contains only the characters of URIs.
struct URIParts {
    /// The scheme, in lower case.
    let scheme: String
    /// The authority; nil if no `//` follows the scheme.
    let authority: String?
    /// The path, without the query.
    let path: String

    /// Checks the characters, and separates the parts.
    init(_ text: String) throws(RedirectURIFailure) {
        let bytes = Array(text.utf8)
        guard bytes.count <= RedirectURI.maximumByteCount else { throw .tooLong }
        for (index, byte) in bytes.enumerated() { try Self.check(byte, before: bytes[(index + 1)...]) }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), Self.isScheme(bytes[..<colon]) else {
            throw .noScheme
        }
        var rest = bytes[(colon + 1)...]
        scheme = String(decoding: bytes[..<colon], as: UTF8.self)
        if rest.starts(with: "//".utf8) {
            let authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
            rest = rest[authority.endIndex...]
            self.authority = String(decoding: authority, as: UTF8.self)
        } else {
            authority = nil
        }
        path = String(decoding: rest.prefix { $0 != UInt8(ascii: "?") }, as: UTF8.self)
    }

    /// Checks the rules of redirect URIs.
    func check(_ exceptions: RedirectURI.Exceptions) throws(RedirectURIFailure) {
        // Browsers and programs disagree on the host of a URI with an @.
        if let authority, authority.utf8.contains(UInt8(ascii: "@")) { throw .userInfo }
        if scheme == "https" || scheme == "http" {
            let host = try host()
            let isLocal = ["127.0.0.1", "[::1]", "localhost"].contains(host)
            guard scheme == "https" || isLocal || exceptions.allowsHTTP else { throw .notSecure }
        } else {
            guard !Self.isDangerous(scheme),
                scheme.utf8.contains(UInt8(ascii: ".")) || exceptions.schemes.contains(scheme)
            else {
                throw .scheme
            }
            guard authority?.isEmpty == false || !path.isEmpty else { throw .host }
        }
        let segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard !segments.contains(where: Self.isDotSegment) else { throw .dotSegment }
    }

    /// The host of an `http` or `https` URI.
    private func host() throws(RedirectURIFailure) -> String {
        guard let authority else { throw .host }
        let bytes = Array(authority.utf8)
        let host: ArraySlice<UInt8>
        if bytes.first == UInt8(ascii: "[") {
            guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { throw .host }
            host = bytes[...end]
            guard
                host.dropFirst().dropLast().allSatisfy({
                    Hexadecimal.value(of: $0) != nil || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".")
                }), host.count > 3
            else { throw .host }
        } else {
            host = bytes.prefix { $0 != UInt8(ascii: ":") }
            // Unreserved characters without `~`.
            guard !host.isEmpty, host.allSatisfy({ $0.isUnreserved && $0 != UInt8(ascii: "~") }) else { throw .host }
        }
        let rest = bytes[host.endIndex...]
        guard rest.isEmpty || rest.first == UInt8(ascii: ":") && Self.isPort(rest.dropFirst()) else {
            // Such as the second colon of an IPv6 address without brackets.
            throw rest.first == UInt8(ascii: ":") && !rest.dropFirst().contains(UInt8(ascii: ":")) ? .port : .host
        }
        return String(decoding: host, as: UTF8.self)
    }

    /// Whether the digits are a port from 1 to 65535, without a sign or a leading zero.
    static func isPort(_ digits: some Collection<UInt8>) -> Bool {
        guard 1...5 ~= digits.count, digits.allSatisfy(\.isASCIIDigit), digits.first != UInt8(ascii: "0") else {
            return false
        }
        return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } <= 65_535
    }

    /// Whether browsers or the programs of a system interpret addresses with this scheme themselves.
    static func isDangerous(_ scheme: String) -> Bool {
        [
            "about", "blob", "chrome", "data", "file", "filesystem", "ftp", "intent", "javascript", "mailto",
            "resource",
            "sms", "ssh", "tel", "urn", "vbscript", "view-source", "ws", "wss",
        ].contains(scheme)
    }

    static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return bytes.first.map { letters ~= $0 } ?? false
            && bytes.allSatisfy { letters ~= $0 || $0.isASCIIDigit || "+-.".utf8.contains($0) }
    }

    /// Whether a path segment is `.` or `..`. Browsers read `%2e` as a dot.
    private static func isDotSegment(_ segment: Substring.UTF8View) -> Bool {
        let text = String(decoding: segment, as: UTF8.self).lowercased().replacing("%2e", with: ".")
        return text == "." || text == ".."
    }

    private static func check(_ byte: UInt8, before next: ArraySlice<UInt8>) throws(RedirectURIFailure) {
        switch byte {
        case 0..<0x20, 0x7F: throw .controlCharacter
        case 0x80...: throw .notASCII
        case UInt8(ascii: "\\"): throw .backslash
        case UInt8(ascii: "#"): throw .fragment
        case UInt8(ascii: "*"): throw .wildcard
        case UInt8(ascii: "%"):
            let isEncoding = next.count >= 2 && next.prefix(2).allSatisfy { Hexadecimal.value(of: $0) != nil }
            guard isEncoding else { throw .illegalCharacter }
        default:
            guard byte.isUnreserved || ":/?[]@!$&'()+,;=".utf8.contains(byte) else { throw .illegalCharacter }
        }
    }
}
