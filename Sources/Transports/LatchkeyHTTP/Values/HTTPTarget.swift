import LatchkeySecrets

/// The target of a request in origin-form (RFC 9112, section 3.2.1), decoded.
public struct HTTPTarget: Equatable, Sendable {
    /// The decoded segments of the path: `/api/v1` has two, `/` has none. A trailing slash adds an empty one.
    public let path: [String]
    /// The decoded pairs of the query, in order.
    public let query: [(name: String, value: String)]
    /// The path as sent, without the query.
    public let rawPath: String

    /// The longest accepted target, in bytes.
    static let maximumBytes = 4096

    /// Parses a target as sent. Returns nil if it does not begin with `/`, contains characters outside RFC 3986, an
    /// invalid percent-encoding or an encoded NUL, or does not decode to UTF-8.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= Self.maximumBytes,
            bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !Self.refused.contains($0) })
        else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        for part in parts[0].dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard let segment = PercentEncoding.decoded(part) else { return nil }
            path.append(segment)
        }
        guard let query = Self.pairs(parts.count > 1 ? parts[1] : []) else { return nil }
        self.path = path == [""] ? [] : path
        self.query = query
        rawPath = String(decoding: parts[0], as: UTF8.self)
    }

    /// The value of a query parameter; nil if there is none or there are several.
    public subscript(name: String) -> String? {
        let found = query.filter { $0.name == name }
        return found.count == 1 ? found[0].value : nil
    }

    /// The first query parameter that occurs more than once; nil if there is none.
    public var repeatedName: String? {
        var names: Set<String> = []
        return query.first { !names.insert($0.name).inserted }?.name
    }

    public static func == (left: HTTPTarget, right: HTTPTarget) -> Bool {
        left.rawPath == right.rawPath
            && left.query.elementsEqual(right.query) { $0.name == $1.name && $0.value == $1.value }
    }

    private static let refused: Set<UInt8> = Set(#""<>\^`{|}#"#.utf8)

    /// The pairs of a query or of a submitted form (`application/x-www-form-urlencoded`), where a plus sign means a
    /// space.
    static func pairs(_ bytes: some Collection<UInt8>) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        for part in bytes.split(separator: UInt8(ascii: "&")) {
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = PercentEncoding.decoded(sides[0], plusIsSpace: true),
                let value = sides.count > 1 ? PercentEncoding.decoded(sides[1], plusIsSpace: true) : ""
            else { return nil }
            pairs.append((name, value))
        }
        return pairs
    }
}
