import LatchkeyAccounts
import LatchkeyCommandLine
import LatchkeyHTTP
import LatchkeyServer
import LatchkeySystem

/// The flags of `serve`.
enum ServeFlags {
    /// The address of the listener for monitoring; nil for none.
    static func metricsAddress(_ invocation: Invocation) throws(ToolFailure) -> ListenAddress? {
        guard let text = invocation.texts("metrics-listen").first else { return nil }
        guard let address = ListenAddress(text) else { throw .badValue("--metrics-listen", .listenAddress) }
        return address
    }

    /// The group of the Unix sockets; nil for the process's group.
    static func socketGroup(_ invocation: Invocation) throws(ToolFailure) -> UInt32? {
        guard let name = invocation.texts("socket-group").first else { return nil }
        guard let group = SystemUser.group(named: name) else { throw .badValue("--socket-group", .group(given: name)) }
        return group
    }

    /// The listening addresses and the public origin.
    ///
    /// - Throws: status 64 for an invalid flag, or 78 if the combination of flags would be unsafe.
    static func configuration(
        _ invocation: Invocation, _ settings: ServiceSettings
    ) throws(ToolFailure) -> (listeners: [ListenAddress], configuration: ServiceConfiguration) {
        var listeners: [ListenAddress] = []
        for text in invocation.texts("listen") {
            guard let address = ListenAddress(text) else { throw .badValue("--listen", .listenAddress) }
            listeners.append(address)
        }
        if listeners.isEmpty { listeners = [.standard] }
        let proxies = try proxies(invocation)
        var configuration: ServiceConfiguration
        if let origin = try origins("origin", invocation).first ?? settings.origin {
            try ServiceSettings.check(
                origin,
                insecureIsAllowed: settings.allowsInsecureOrigin || invocation.has("insecure-origin"))
            guard !origin.isSecure || !proxies.isEmpty else { throw .proxyNeeded }
            configuration = ServiceConfiguration(origin: origin, hosts: [origin.host])
        } else {
            guard listeners.allSatisfy(\.isLocal) else { throw .originNeeded }
            guard let local = ServiceConfiguration(onThisMachine: listeners) else { throw .internal }
            configuration = local
        }
        configuration.proxies = proxies
        for text in invocation.texts("return-origin") {
            let (name, origin) = try site(text)
            configuration.returnOrigins.append(origin)
            if let name { configuration.returnNames[origin.text] = name }
        }
        if let domain = invocation.texts("cookie-domain").first {
            configuration.cookieDomain = try cookieDomain(domain, of: configuration.origin)
        }
        let name = invocation.texts("registration").first ?? settings.registration
        guard let registration = ServiceConfiguration.Registration(rawValue: name) else {
            let all = ServiceConfiguration.Registration.allCases
            throw .badValue("--registration", .choice(known: all.map(\.rawValue).joined(separator: ", ")))
        }
        configuration.registration = registration
        configuration.budgets.changes = settings.changesPerMinute
        configuration.budgets.signUps = settings.signUpsPerDay
        configuration.budgets.recoveries = settings.recoveriesPerHour
        if let path = try invocation.path("theme") { configuration.theme = try ThemeFolder.theme(in: path) }
        return (listeners, configuration)
    }

    /// Parses a domain that contains the origin's host and has at least two labels, because browsers refuse any other.
    private static func cookieDomain(_ text: String, of origin: WebOrigin) throws(ToolFailure) -> String {
        let domain = text.lowercased()
        let name = String(origin.host.prefix { $0 != ":" })
        guard origin.isSecure, domain.contains("."), !domain.hasPrefix("."),
            name == domain || name.hasSuffix("." + domain)
        else { throw .badValue("--cookie-domain", .cookieDomain) }
        return domain
    }

    private static func proxies(_ invocation: Invocation) throws(ToolFailure) -> TrustedProxies {
        var networks: [HTTPNetwork] = []
        var hasUnixSockets = false
        for text in invocation.texts("trusted-proxy") {
            if text == "unix" {
                hasUnixSockets = true
                continue
            }
            guard let network = HTTPNetwork(text) else { throw .badValue("--trusted-proxy", .network) }
            networks.append(network)
        }
        guard let name = invocation.texts("proxy-header").first else {
            return TrustedProxies(networks, unixSockets: hasUnixSockets)
        }
        let all = TrustedProxies.Header.allCases
        guard let header = all.first(where: { $0.rawValue.lowercased() == name.lowercased() }) else {
            throw .badValue("--proxy-header", .choice(known: all.map(\.rawValue).joined(separator: ", ")))
        }
        return TrustedProxies(networks, unixSockets: hasUnixSockets, header: header)
    }

    /// Parses `NAME=URL` or `URL`.
    private static func site(_ text: String) throws(ToolFailure) -> (name: String?, origin: WebOrigin) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let hasName = parts.count > 1 && !parts[0].contains("://")
        guard let origin = WebOrigin(hasName ? String(parts[1]) : text),
            !hasName || OperatorToken.isName(String(parts[0]))
        else { throw .badValue("--return-origin", .origin) }
        return (hasName ? String(parts[0]) : nil, origin)
    }

    private static func origins(_ flag: String, _ invocation: Invocation) throws(ToolFailure) -> [WebOrigin] {
        var origins: [WebOrigin] = []
        for text in invocation.texts(flag) {
            guard let origin = WebOrigin(text) else { throw .badValue("--" + flag, .origin) }
            origins.append(origin)
        }
        return origins
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
