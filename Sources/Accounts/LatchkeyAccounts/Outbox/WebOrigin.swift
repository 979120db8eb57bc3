/// The origin of a web site (RFC 6454): scheme, host and port.
public struct WebOrigin: Hashable, Sendable {
    /// The origin in the form that browsers send: `https://accounts.example.org`, without a default port or a trailing
    /// slash.
    public let text: String
    /// The value of the `Host` header for the origin.
    public let host: String

    /// Parses an `http` or `https` origin; nil for anything else, such as a URL with a path or an invalid host name.
    public init?(_ text: String) {
        let lower = text.lowercased()
        let parts = lower.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "https" || parts[0] == "http", !parts[1].isEmpty,
            parts[1].utf8.count <= 255, parts[1].utf8.allSatisfy({ Self.isHostByte($0) })
        else { return nil }
        var host = String(parts[1])
        let name = Self.name(in: host)
        let rest = host.dropFirst(name.count)
        guard !name.isEmpty, host.hasPrefix(name) else { return nil }
        if !rest.isEmpty {
            guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), String(port) == rest.dropFirst(), port > 0
            else { return nil }
            if port == (parts[0] == "https" ? 443 : 80) { host = String(name) }
        }
        self.host = host
        self.text = parts[0] + "://" + host
    }

    /// Whether the origin is `https`.
    public var isSecure: Bool { text.hasPrefix("https:") }

    /// Whether only this machine can reach it. Browsers never look `localhost` and its subdomains up (RFC 6761, section
    /// 6.3).
    public var isLocal: Bool {
        let name = Self.name(in: host)
        return ["localhost", "127.0.0.1", "[::1]"].contains(name) || name.hasSuffix(".localhost")
    }

    /// Whether passwords reach the origin over a network without encryption.
    package var exposesPasswords: Bool { !isSecure && !isLocal }

    /// A host without its port.
    private static func name(in host: String) -> Substring {
        host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: ".-:[]".utf8.contains(byte)
        }
    }
}
