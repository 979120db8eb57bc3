package import LatchkeyHTTP
import LatchkeySystem

/// A server on a free port that the test stops.
package struct RunningServer {
    package let server: HTTPServer
    package let address: ListenAddress

    package init(
        limits: HTTPLimits = .patient, proxies: TrustedProxies = TrustedProxies(),
        on address: ListenAddress = .address(HTTPAddress("127.0.0.1")!, port: 0),
        logger: @escaping @Sendable (HTTPLogEntry) -> Void = { _ in },
        refusal: @escaping @Sendable (HTTPRequest, Int) -> HTTPResponse = { _, status in .refusal(status) },
        isBrief: @escaping @Sendable (HTTPRequest) -> Bool = { _ in false },
        prepared: @escaping @Sendable (HTTPRequest) -> HTTPResponse? = { _ in nil },
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) throws {
        let socket = try ListenSocket(address)
        // A separate thread, because other tests of this process block the threads of Swift's pool.
        server = HTTPServer(
            limits: limits, proxies: proxies, logger: logger, executor: try SerialThread(), isBrief: isBrief,
            refusal: refusal, prepared: prepared, handler: handler)
        try server.serve(socket)
        self.address = socket.address
    }
}

extension HTTPLimits {
    /// Time limits that no test exceeds by accident, even on a busy machine.
    package static var patient: HTTPLimits {
        var limits = HTTPLimits()
        limits.headerTime = .seconds(3600)
        limits.requestTime = .seconds(3600)
        limits.idleTime = .seconds(3600)
        return limits
    }
}
