import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyHTTP
import LatchkeyServer
import LatchkeySystem

extension ServiceSettings {
    /// The address of the listener for monitoring; nil for none.
    func metricsAddress() throws(ToolFailure) -> ListenAddress? {
        guard let metricsListen else { return nil }
        let (address, others) = (try address(metricsListen), try listeners())
        guard address.isShareable || !others.contains(address) else {
            throw metricsListen.refused(.distinctAddress)
        }
        return address
    }

    /// The group of the Unix sockets; nil for the process's group.
    func groupOfSockets() throws(ToolFailure) -> UInt32? {
        guard let socketGroup else { return nil }
        guard let group = SystemUser.group(named: socketGroup.text) else {
            throw socketGroup.refused(.group(given: socketGroup.text))
        }
        return group
    }

    /// The addresses of the listeners.
    func listeners() throws(ToolFailure) -> [ListenAddress] {
        var listeners: [ListenAddress] = []
        for text in listen {
            let address = try address(text)
            guard address.isShareable || !listeners.contains(address) else { throw text.refused(.distinctAddress) }
            listeners.append(address)
        }
        return listeners.isEmpty ? [.standard(port: standardPort)] : listeners
    }

    /// Parses all settings.
    ///
    /// - Throws: status 64 or 78 for an invalid setting, or 78 if the combination of settings would be unsafe.
    func configuration(for listeners: [ListenAddress]) throws(ToolFailure) -> ServiceConfiguration {
        let proxies = try proxies()
        var configuration: ServiceConfiguration
        if let origin {
            try checkOrigin()
            guard !origin.isSecure || !proxies.isEmpty else { throw .proxyNeeded }
            configuration = ServiceConfiguration(origin: origin, hosts: [origin.host])
        } else {
            guard listeners.allSatisfy(\.isLocal) else { throw .originNeeded }
            guard let local = ServiceConfiguration(onThisMachine: listeners) else { throw .internal }
            configuration = local
        }
        configuration.proxies = proxies
        for text in returnOrigins {
            let (name, origin) = try site(text)
            configuration.returnOrigins.append(origin)
            if let name { configuration.returnNames[origin.text] = name }
        }
        configuration.cookieDomain = try cookieDomain(of: configuration.origin)
        if let registration = ServiceConfiguration.Registration(rawValue: registration) {
            configuration.registration = registration
        }
        configuration.budgets.changes = changesPerMinute
        configuration.budgets.signUps = signUpsPerDay
        configuration.budgets.recoveries = recoveriesPerHour
        if let theme { configuration.theme = try ThemeFolder.theme(in: theme) }
        return configuration
    }

    private var standardPort: UInt16 { UInt16(clamping: port) }

    private func address(_ text: Text) throws(ToolFailure) -> ListenAddress {
        guard let address = ListenAddress(text.text, standardPort: standardPort) else {
            throw text.refused(.listenAddress)
        }
        return address
    }

    /// Parses a domain that contains the origin's host and has at least two labels, because browsers refuse any other.
    private func cookieDomain(of origin: WebOrigin) throws(ToolFailure) -> String? {
        guard let cookieDomain else { return nil }
        let domain = cookieDomain.text.lowercased()
        let name = String(origin.host.prefix { $0 != ":" })
        guard origin.isSecure, domain.contains("."), !domain.hasPrefix("."),
            name == domain || name.hasSuffix("." + domain)
        else { throw cookieDomain.refused(.cookieDomain) }
        return domain
    }

    private func proxies() throws(ToolFailure) -> TrustedProxies {
        var networks: [HTTPNetwork] = []
        var hasUnixSockets = false
        for text in trustedProxies {
            if text.text == "unix" {
                hasUnixSockets = true
                continue
            }
            guard let network = HTTPNetwork(text.text) else { throw text.refused(.network) }
            networks.append(network)
        }
        let header = TrustedProxies.Header(rawValue: proxyHeader) ?? .xForwardedFor
        return TrustedProxies(networks, unixSockets: hasUnixSockets, header: header)
    }

    /// Parses `NAME=URL` or `URL`.
    private func site(_ text: Text) throws(ToolFailure) -> (name: String?, origin: WebOrigin) {
        let parts = text.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let hasName = parts.count > 1 && !parts[0].contains("://")
        guard let origin = WebOrigin(hasName ? String(parts[1]) : text.text),
            !hasName || OperatorToken.isName(String(parts[0]))
        else { throw text.refused(.origin) }
        return (hasName ? String(parts[0]) : nil, origin)
    }
}

extension ListenAddress {
    /// Whether two listeners can have this address: the system chooses another port for each.
    fileprivate var isShareable: Bool {
        if case .address(_, port: 0) = self { true } else { false }
    }
}

extension ServiceConfiguration {
    /// The configuration of a trial on this machine. The service is reachable as `localhost`, because passkeys need a
    /// host name, and by its IP address.
    init?(onThisMachine listeners: [ListenAddress]) {
        // Port 0 is replaced by another port when the socket opens.
        let ports = listeners.compactMap { if case .address(_, let port) = $0, port > 0 { port } else { nil } }
        let hosts = ports.flatMap { port in
            ["localhost", "127.0.0.1", "[::1]"].map { port == 80 ? $0 : "\($0):\(port)" }
        }
        guard let origin = WebOrigin("http://" + (hosts.first ?? "localhost")) else { return nil }
        self.init(origin: origin, hosts: hosts.isEmpty ? ["localhost"] : hosts)
        isOnThisMachine = true
    }
}
