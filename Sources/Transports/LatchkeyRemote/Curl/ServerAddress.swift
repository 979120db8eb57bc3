import Glibc
import LatchkeyText

/// The scheme, host and port of a URL that contains nothing else.
struct ServerAddress: Hashable, Sendable {
    /// The scheme in lower case.
    let scheme: String
    /// The host in canonical form: an ASCII name in lower case with A-labels, or an IP address. An IPv6 address is in
    /// brackets.
    let host: String
    /// The port; nil for the default of the scheme.
    let port: Int?

    /// Parses `scheme://host[:port]`, with an optional slash at the end. Nil for any other text.
    ///
    /// - Parameter defaultPorts: the accepted schemes with their default ports.
    init?(_ text: String, defaultPorts: [String: Int]) {
        var text = text[...]
        if text.hasSuffix("/"), !text.hasSuffix("://") { text.removeLast() }
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        let scheme = text[..<colon].lowercased()
        guard let defaultPort = defaultPorts[scheme] else { return nil }
        var host = text[colon...].dropFirst(3)
        var port: Int?
        let bracket = host.lastIndex(of: "]") ?? host.startIndex
        if let colon = host[bracket...].lastIndex(of: ":") {
            let digits = host[host.index(after: colon)...]
            guard let number = Self.port(digits) else { return nil }
            port = number == defaultPort ? nil : number
            host = host[..<colon]
        }
        guard let name = Self.host(host) else { return nil }
        self.scheme = scheme
        self.host = name
        self.port = port
    }

    /// The URL, without a trailing slash.
    var text: String { scheme + "://" + host + (port.map { ":\($0)" } ?? "") }

    /// Whether the host is `localhost` or a loopback address.
    var isLoopback: Bool { host == "localhost" || host == "[::1]" || (Self.isVersion4(host) && host.hasPrefix("127.")) }

    private static func port(_ digits: Substring) -> Int? {
        guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
            let number = Int(digits), (1...65_535).contains(number)
        else { return nil }
        return number
    }

    /// The host in canonical form; nil if it is invalid.
    private static func host(_ text: Substring) -> String? {
        if text.hasPrefix("["), text.hasSuffix("]") {
            return version6(String(text.dropFirst().dropLast())).map { "[\($0)]" }
        }
        let text = String(text)
        if isVersion4(text) { return text }
        var name = text.lowercased()
        if !text.utf8.allSatisfy({ $0 < 0x80 }) {
            guard let domain = InternationalDomain(mapping: text.utf8Span) else { return nil }
            name = domain.ascii
        }
        let bytes = name.utf8Span.span
        guard bytes.count <= 253, let labels = LDHName(bytes) else { return nil }
        // Resolvers treat `127.1` and `0x7f000001` as addresses.
        let last = labels.lastLabel
        guard !(0x30...0x39 ~= bytes[last.lowerBound]) || labels.isLastLabelAlphabetic else { return nil }
        return name
    }

    /// Whether `text` is an IPv4 address in dotted decimal.
    static func isVersion4(_ text: String) -> Bool {
        var address = in_addr()
        guard !text.utf8.contains(0) else { return false }
        return unsafe inet_pton(AF_INET, text, &address) == 1
    }

    /// The shortest spelling (RFC 5952).
    static func version6(_ text: String) -> String? {
        var address = in6_addr()
        guard !text.utf8.contains(0), unsafe inet_pton(AF_INET6, text, &address) == 1 else { return nil }
        var written = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard unsafe inet_ntop(AF_INET6, &address, &written, socklen_t(written.count)) != nil else { return nil }
        return String(decoding: written.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
