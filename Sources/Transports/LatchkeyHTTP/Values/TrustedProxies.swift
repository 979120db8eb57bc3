/// The proxies that are trusted to report the addresses of their clients.
package struct TrustedProxies: Sendable {
    /// The header that contains the client's address. The other header is ignored, because a client can forge a header
    /// that the proxy does not overwrite.
    package enum Header: String, Sendable, CaseIterable {
        case xForwardedFor = "X-Forwarded-For"
        /// The header of RFC 7239.
        case forwarded = "Forwarded"
    }

    /// The networks of the proxies.
    package let networks: [HTTPNetwork]
    /// Whether all peers on a Unix socket are trusted proxies.
    package let includesUnixSockets: Bool
    /// The header that the proxies write.
    package let header: Header

    /// Creates a list of proxies. An empty list trusts no proxy.
    package init(_ networks: [HTTPNetwork] = [], unixSockets: Bool = false, header: Header = .xForwardedFor) {
        self.networks = networks
        includesUnixSockets = unixSockets
        self.header = header
    }

    /// Whether no proxy is trusted.
    package var isEmpty: Bool { networks.isEmpty && !includesUnixSockets }

    /// Whether the peer of a connection is one of the proxies.
    package func contains(_ peer: HTTPAddress?) -> Bool {
        guard let peer else { return includesUnixSockets }
        return networks.contains { $0.contains(peer) }
    }

    /// The client of a request: the last hop that is not a trusted proxy. Nil if only a Unix socket is known.
    package func client(of request: HTTPRequest) -> HTTPAddress? { client(of: request.peer, request.headers) }

    func client(of peer: HTTPAddress?, _ headers: HTTPHeaders) -> HTTPAddress? {
        guard contains(peer) else { return peer }
        var client = peer
        for hop in hops(in: headers).reversed() {
            // A hop that a proxy did not write or could not name is not trusted.
            guard let hop else { return client }
            client = hop
            if !networks.contains(where: { $0.contains(hop) }) { return hop }
        }
        return client
    }

    /// The addresses in the header; nil for an entry without an address.
    private func hops(in headers: HTTPHeaders) -> [HTTPAddress?] {
        let values = headers.all(header.rawValue.lowercased())
        switch header {
        case .xForwardedFor:
            return values.flatMap { $0.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) }
                .map { HTTPAddress(hop: String(Substring($0)).trimmingBlanks) }
        case .forwarded: return values.flatMap(HeaderElement.list).map { $0?["for"].flatMap { HTTPAddress(hop: $0) } }
        }
    }
}

extension HTTPAddress {
    /// Parses an address with or without brackets and a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
    fileprivate init?(hop: String) {
        if hop.hasPrefix("["), let end = hop.firstIndex(of: "]") {
            self.init(hop[hop.index(after: hop.startIndex)..<end])
        } else if hop.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1, let colon = hop.firstIndex(of: ":") {
            self.init(hop[..<colon])
        } else {
            self.init(hop)
        }
    }
}
