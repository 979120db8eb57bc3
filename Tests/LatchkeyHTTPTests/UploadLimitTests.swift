import LatchkeyHTTP
import LatchkeySystem
import LatchkeyTesting
import TestSupport
import Testing

/// S-159. Behind a proxy, all connections have the same peer: the header names the clients.
@Suite(.timeLimit(.minutes(60)))
struct UploadLimitTests {
    private static let proxies = TrustedProxies([HTTPNetwork("127.0.0.0/8")!])

    private static func running(
        _ limits: HTTPLimits, _ handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse = { _ in .done }
    ) throws -> RunningServer {
        try RunningServer(limits: limits, proxies: proxies, handler: handler)
    }

    /// Starts a request whose body does not arrive, and waits until the server waits for the body.
    private static func upload(_ client: String, to server: RunningServer) async throws -> RawClient {
        let connection = try server.client()
        let head = "POST / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: \(client)\r\nContent-Length: 2\r\n"
        #expect(try await connection.ask(head + "Expect: 100-continue\r\n\r\n")?.status == 100)
        return connection
    }

    @Test func `one client behind a proxy gets a limited number of incomplete bodies`() async throws {
        var limits = HTTPLimits.patient
        limits.uploadsPerClient = 2
        let running = try Self.running(limits)
        let other = try await Self.upload("192.0.2.2", to: running)
        var uploads: [RawClient] = []
        for _ in 0..<4 { uploads.append(try await Self.upload("192.0.2.1", to: running)) }
        for upload in uploads.prefix(2) { #expect(try await upload.rest() == "", "it has waited longest") }
        for upload in uploads.suffix(2) + [other] { #expect(try await upload.ask("{}")?.status == 204) }
        for client in uploads + [other] { client.close() }
        #expect(await running.server.stop())
    }

    @Test func `incomplete bodies of many clients leave connections for requests without a body`() async throws {
        var limits = HTTPLimits.patient
        limits.connections = 4
        limits.uploads = 3
        let running = try Self.running(limits)
        var uploads: [RawClient] = []
        for number in 1...6 { uploads.append(try await Self.upload("192.0.2.\(number)", to: running)) }
        for upload in uploads.prefix(3) { #expect(try await upload.rest() == "") }
        let reader = try running.client()
        #expect(try await reader.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 204)
        for upload in uploads.suffix(3) { #expect(try await upload.ask("{}")?.status == 204) }
        for client in uploads + [reader] { client.close() }
        #expect(await running.server.stop())
    }

    /// Without a proxy, the peer is the client.
    @Test func `one client without a proxy gets a limited number of incomplete bodies`() async throws {
        var limits = HTTPLimits.patient
        limits.uploadsPerClient = 1
        let running = try RunningServer(limits: limits) { _ in .done }
        let first = try await Self.upload("192.0.2.1", to: running)
        let second = try await Self.upload("192.0.2.2", to: running)
        #expect(try await first.rest() == "", "only a trusted proxy can name the client")
        #expect(try await second.ask("{}")?.status == 204)
        for client in [first, second] { client.close() }
        #expect(await running.server.stop())
    }

    @Test func `the limit of connections counts each client behind a proxy`() async throws {
        let (started, open) = (TestGate(), TestGate())
        var limits = HTTPLimits.patient
        limits.connectionsPerClient = 1
        let running = try Self.running(limits) { request in
            guard request.target.rawPath == "/slow" else { return .done }
            started.open()
            await open.wait()
            return .done
        }
        func get(_ path: String, for client: String) -> String {
            "GET \(path) HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: \(client)\r\n\r\n"
        }
        let slow = try running.client()
        slow.send(get("/slow", for: "192.0.2.1"))
        await started.wait()
        let second = try running.client()
        let refusal = try await second.ask(get("/", for: "192.0.2.1"))
        #expect(refusal?.status == 503 && refusal?.headers["retry-after"] == "1")
        let other = try running.client()
        #expect(try await other.ask(get("/", for: "192.0.2.2"))?.status == 204)
        open.open()
        #expect(try await slow.response()?.status == 204)
        // The proxy uses the connection for another request of the same client.
        #expect(try await other.ask(get("/", for: "192.0.2.1"))?.status == 204)
        for client in [slow, second, other] { client.close() }
        #expect(await running.server.stop())
    }
}

extension HTTPResponse {
    fileprivate static var done: HTTPResponse { HTTPResponse(status: 204) }
}
