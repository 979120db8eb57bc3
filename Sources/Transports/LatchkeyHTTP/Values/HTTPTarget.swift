import LatchkeySecrets

/// The target of a request in origin-form or absolute-form (RFC 9112, section 3.2), decoded.
///
/// Browsers send what the URL Standard (WHATWG) leaves as it is: some characters that RFC 3986 excludes, and in a query
/// also percent signs and bytes that encode nothing.
package struct HTTPTarget: Equatable, Sendable {
    /// The decoded segments of the path: `/api/v1` has two, `/` has none. A trailing slash adds an empty segment.
    package let path: [String]
    /// The decoded pairs of the query, in order. U+FFFD replaces what is not UTF-8, and NUL.
    package let query: [(name: String, value: String)]
    /// The names of the query parameters with a value that is not UTF-8 or contains NUL.
    package let undecodable: Set<String>
    /// The path as sent, without the query.
    package let rawPath: String
    /// The host and port of an absolute-form target, in lower case; nil for origin-form.
    package let host: String?

    /// The length as sent, in bytes.
    package let byteCount: Int

    /// The longest accepted target, in bytes.
    package static let maximumBytes = 16_384

    /// Parses a target as sent. Returns nil for other forms, for characters that no browser sends, and for a path with
    /// an invalid percent-encoding, an encoded NUL, or bytes that are not UTF-8.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maximumBytes, let (host, origin) = Self.originForm(of: text) else { return nil }
        let bytes = Array(origin.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !Self.isRefused($0) }),
            !parts[0].contains(where: Self.isRefusedInPath)
        else { return nil }
        var path: [String] = []
        for part in parts[0].dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let segment = PercentEncoding.decoded(part) else { return nil }
            path.append(segment)
        }
        self.path = path == [""] ? [] : path
        (query, undecodable) = Self.pairs(parts.count > 1 ? parts[1] : [])
        byteCount = text.utf8.count
        rawPath = String(decoding: parts[0], as: UTF8.self)
        self.host = host
    }

    /// Splits a target into its host, if it has one, and its origin-form; nil for another form.
    package static func originForm(of text: String) -> (host: String?, origin: String)? {
        if text.hasPrefix("/") { return (nil, text) }
        let scheme = ["http://", "https://"].first { text.prefix($0.count).lowercased() == $0 }
        guard let rest = scheme.map({ text.dropFirst($0.count) }) else { return nil }
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        // Without user names and passwords, which a client may use to hide the host (RFC 9110, section 4.2.4).
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !##"@\#"<>^`{|}"##.utf8.contains($0) })
        else { return nil }
        let origin = rest.dropFirst(host.count)
        return (host.lowercased(), (origin.hasPrefix("/") ? "" : "/") + origin)
    }

    /// The path and the query without the slash at the end of the path.
    package var withoutLastSlash: String {
        let path = "/" + path.filter { !$0.isEmpty }.map { PercentEncoding.encoded($0) }.joined(separator: "/")
        let query = query.map { PercentEncoding.encoded($0.name) + "=" + PercentEncoding.encoded($0.value) }
        return path + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
    }

    /// The value of a query parameter; nil if there is none or there are several.
    package subscript(name: String) -> String? {
        let found = query.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }

    /// The first query parameter that occurs more than once; nil if there is none.
    package var repeatedName: String? {
        var names: Set<String> = []
        return query.first { !names.insert($0.name).inserted }?.name
    }

    package static func == (left: HTTPTarget, right: HTTPTarget) -> Bool {
        left.rawPath == right.rawPath
            && left.query.elementsEqual(right.query) { $0.name == $1.name && $0.value == $1.value }
    }

    private static func isRefused(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "#"): true
        default: false
        }
    }

    private static func isRefusedInPath(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\\"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "}"): true
        default: false
        }
    }

    /// The pairs of a query (`application/x-www-form-urlencoded`, URL Standard, section 5.1), and the names of those with
    /// a value that cannot be decoded.
    private static func pairs(
        _ bytes: some Collection<UInt8>
    ) -> (pairs: [(name: String, value: String)], undecodable: Set<String>) {
        var pairs: [(name: String, value: String)] = []
        var undecodable: Set<String> = []
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentEncoding.decoded(query: sides[0]).text
            let (value, isExact) = sides.count > 1 ? PercentEncoding.decoded(query: sides[1]) : ("", true)
            if !isExact { undecodable.insert(name) }
            pairs.append((name, value))
        }
        return (pairs, undecodable)
    }
}
