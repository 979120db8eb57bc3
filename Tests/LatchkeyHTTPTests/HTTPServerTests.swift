import LatchkeyHTTP
import LatchkeySecrets
import LatchkeySystem
import LatchkeyTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct HTTPServerTests {
    /// Responds with the parsed request.
    @Sendable private static func echo(_ request: HTTPRequest) async -> HTTPResponse {
        let text = request.body.text
        return HTTPResponse(
            status: 200, "\(request.method) \(request.target.path) \(request.target["q"] ?? "-") \(text)",
            as: "text/plain; charset=utf-8")
    }

    struct HostileRow: Decodable, Sendable {
        let send: String
        let fill: Int?
        /// Repeated for `<fill>`; nil for `A`.
        let filling: String?
        /// Nil if the connection is closed without a response.
        let status: Int?
        let why: String

        var bytes: String {
            send.split(separator: "<fill>", omittingEmptySubsequences: false).joined(
                separator: String(repeating: filling ?? "A", count: fill ?? 0))
        }
    }

    /// S-158.
    @Test(arguments: try Fixture.rows(of: HostileRow.self, in: "http/hostile.jsonl"))
    func `a hostile request is refused, and the next request is served`(row: HostileRow) async throws {
        var limits = HTTPLimits.patient
        limits.headerTime = .milliseconds(500)
        let running = try RunningServer(limits: limits, handler: Self.echo)
        let client = try running.client()
        client.send(row.bytes)
        let answer = try #require(try await client.rest(), "\(row.why): the connection stays open")
        client.close()
        #expect(RawClient.Response(answer)?.status == row.status, "\(row.why): \(answer)")
        #expect(!answer.contains("HTTP/1.1 200"), "\(row.why): something was served")
        #expect(answer.ranges(of: "HTTP/1.1 ").count <= 1, "\(row.why): two header blocks: \(answer)")
        let next = try running.client()
        #expect(try await next.ask("GET /next HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200)
        next.close()
        #expect(await running.server.stop())
    }

    /// A brief handler runs on the server's thread, and one that waits ends on another thread.
    @Test func `brief handlers respond, also if they wait or are not brief after all`() async throws {
        let running = try RunningServer(
            isBrief: { $0.target.path != ["other"] },
            handler: { request in
                if request.target.path == ["slow"] { try? await Task.sleep(for: .milliseconds(20)) }
                return await Self.echo(request)
            })
        let clients = try (0..<8).map { _ in try running.client() }
        for client in clients {
            for path in ["brief", "slow", "other", "brief", "slow", "slow"] {
                let response = try await client.ask("GET /\(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                #expect(response?.body == "GET [\"\(path)\"] - ")
            }
        }
        // All at once.
        await withTaskGroup(of: Void.self) { group in
            for client in clients {
                group.addTask {
                    for path in ["brief", "slow", "brief", "other"] {
                        let response = try? await client.ask("GET /\(path) HTTP/1.1\r\nHost: a\r\n\r\n")
                        #expect(response?.status == 200)
                    }
                }
            }
        }
        for client in clients { client.close() }
        #expect(await running.server.stop())
    }

    @Test func `a response that is ready needs no handler, and the next request gets one`() async throws {
        let running = try RunningServer(
            prepared: { $0.target.path == ["ready"] ? HTTPResponse(status: 200, "ready", as: "text/plain") : nil },
            handler: Self.echo)
        let client = try running.client()
        for (path, body) in [("/ready", "ready"), ("/other", "GET [\"other\"] - "), ("/ready", "ready")] {
            let response = try await client.ask("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(response?.body == body)
        }
        client.close()
        #expect(await running.server.stop())
    }

    /// libmicrohttpd would send its own page for each of these.
    @Test(arguments: [
        ("GET / HTTP/1.1\r\n\r\n", 400), ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\n", 413),
        ("GET / HTTP/1.1\r\nHost: a\r\nCookie: " + String(repeating: "a=1;", count: 2000) + "\r\n\r\n", 431),
    ])
    func `a refusal has the headers of every response and a line in the log`(request: String, status: Int) async throws
    {
        let logged = Locked<[Int]>([])
        let running = try RunningServer(
            logger: { entry in logged.withLock { $0.append(entry.status) } }, handler: Self.echo)
        // Another connection whose headers have not all arrived.
        let other = try running.client()
        other.send("GET / HTTP/1.1\r\nHost: a\r\n")
        let client = try running.client()
        client.send(request)
        let response = try #require(try await client.rest().flatMap { RawClient.Response($0) })
        #expect(response.status == status)
        #expect(response.headers["content-type"] == "application/problem+json")
        #expect(response.headers["x-content-type-options"] == "nosniff")
        #expect(response.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
        #expect(response.headers["cache-control"] == "no-store")
        #expect(response.headers["x-request-id"]?.count == 16)
        #expect(logged.withLock { $0 } == [status])
        #expect(try await other.ask("\r\n")?.status == 200)
        for client in [client, other] { client.close() }
        #expect(await running.server.stop())
    }

    @Test(arguments: [800, 4000])
    func `a query may have many parameters`(count: Int) async throws {
        let running = try RunningServer { HTTPResponse(status: 200, "\($0.target.query.count)", as: "text/plain") }
        let client = try running.client()
        let query = Array(repeating: "a=1", count: count).joined(separator: "&").prefix(16_000)
        let response = try await client.ask("GET /?\(query) HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(response?.body == String(query.split(separator: "&").count))
        client.close()
        #expect(await running.server.stop())
    }

    @Test func `the log replaces an invalid method by a hyphen`() async throws {
        let methods = Locked<[String]>([])
        let running = try RunningServer(
            logger: { entry in methods.withLock { $0.append(entry.method) } }, handler: Self.echo)
        for method in ["PROPFIND", "G(T", String(repeating: "A", count: 33)] {
            let client = try running.client()
            client.send(method + " / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
            _ = try await client.rest()
            client.close()
        }
        #expect(methods.withLock { $0 } == ["PROPFIND", "-", "-"])
        #expect(await running.server.stop())
    }

    /// RFC 9112, section 3.2.2.
    @Test func `the host of a target in absolute-form overrides the header`() async throws {
        let running = try RunningServer { HTTPResponse(status: 200, $0.host + $0.target.rawPath, as: "text/plain") }
        let client = try running.client()
        for (target, host) in [("http://A.example:80/b?c", "a.example:80/b"), ("HTTPS://a?b", "a/"), ("/b", "other/b")]
        {
            #expect(try await client.ask("GET \(target) HTTP/1.1\r\nHost: other\r\n\r\n")?.body == host)
        }
        client.close()
        #expect(await running.server.stop())
    }

    @Test func `a request arrives with its method, path, query and body`() async throws {
        let running = try RunningServer(handler: Self.echo)
        let client = try running.client()
        let response = try await client.ask(
            "POST /a%20b/c?q=1%2B1+x HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n\u{e9}xy")
        #expect(response?.body == #"POST ["a b", "c"] 1+1 x éxy"#)
        #expect(response?.headers["x-request-id"]?.count == 16)
        client.close()
        #expect(await running.server.stop())
    }

    @Test func `a connection can carry several requests`() async throws {
        let running = try RunningServer(handler: Self.echo)
        let client = try running.client()
        for path in ["/a", "/b", "/c"] {
            let response = try await client.ask("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(response?.body == "GET [\"\(path.dropFirst())\"] - ")
        }
        client.close()
        #expect(await running.server.stop())
    }

    @Test func `a body of the maximum size arrives completely`() async throws {
        let running = try RunningServer { request in
            HTTPResponse(status: 200, "\(request.body.count)", as: "text/plain")
        }
        let client = try running.client()
        let body = String(repeating: "x", count: 65_536)
        let response = try await client.ask("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65536\r\n\r\n" + body)
        #expect(response?.body == "65536")
        client.close()
        #expect(await running.server.stop())
    }

    @Test func `HEAD gets the headers of GET without a body`() async throws {
        let running = try RunningServer(handler: Self.echo)
        let client = try running.client()
        client.send("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let answer = try await client.rest() ?? ""
        #expect(answer.hasSuffix("\r\n\r\n"))
        #expect(RawClient.Response(answer, hasBody: false)?.headers["content-length"] == "10")
        client.close()
        #expect(await running.server.stop())
    }

    @Test func `a Unix socket is served, and a stale socket file is replaced`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/socket"
        let first = try RunningServer(on: .unix(path: path), handler: Self.echo)
        #expect(throws: SystemError.self) { try ListenSocket(.unix(path: path)) }
        #expect(await first.server.stop())
        let second = try RunningServer(on: .unix(path: path)) { request in
            HTTPResponse(status: 200, "\(request.peer == nil)", as: "text/plain")
        }
        let client = try second.client()
        #expect(try await client.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")?.body == "true")
        client.close()
        #expect(await second.server.stop())
    }

    /// S-159.
    @Test func `the number of connections per client is limited`() async throws {
        var limits = HTTPLimits.patient
        limits.connectionsPerClient = 2
        let running = try RunningServer(limits: limits, handler: Self.echo)
        let clients = try (0..<2).map { _ in try running.client() }
        for client in clients { #expect(try await client.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200) }
        let third = try running.client()
        third.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await third.rest() == "")
        for client in clients + [third] { client.close() }
        #expect(await running.server.stop())
    }

    /// S-228.
    @Test func `a connection does not count after its sender has authenticated`() async throws {
        var limits = HTTPLimits.patient
        limits.connectionsPerClient = 2
        let running = try RunningServer(limits: limits) { request in
            if request.target.rawPath == "/known" { request.exempt() }
            return await Self.echo(request)
        }
        var known: [RawClient] = []
        for _ in 0..<4 {
            let client = try running.client()
            known.append(client)
            // The earlier ones do not count any more.
            #expect(try await client.ask("GET /known HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200)
        }
        let unknown = try (0..<2).map { _ in try running.client() }
        for client in unknown { #expect(try await client.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200) }
        let further = try running.client()
        further.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try await further.rest() == "")
        for client in known + unknown + [further] { client.close() }
        #expect(await running.server.stop())
    }

    @Test func `the service writes the refusals of the server`() async throws {
        let running = try RunningServer(
            limits: .patient,
            refusal: { request, status in
                let target = request.target
                return HTTPResponse(status: status, "\(target.rawPath) \(target.query.count)", as: "text/plain")
            }, handler: Self.echo)
        for (target, body, status) in [
            ("/long?" + String(repeating: "a", count: HTTPTarget.maximumBytes), 0, 414), ("/large", 100_000, 413),
        ] {
            let client = try running.client()
            client.send("POST \(target) HTTP/1.1\r\nHost: a\r\nContent-Length: \(body)\r\n\r\n")
            let answer = try await client.rest()
            let response = try #require(answer.flatMap { RawClient.Response($0) })
            #expect(response.status == status && response.headers["connection"] == "close")
            #expect(answer?.hasSuffix("\(target.prefix { $0 != "?" }) 0") == true)
            client.close()
        }
        #expect(await running.server.stop())
    }

    @Test func `a trusted proxy is exempt from the limit per client`() async throws {
        var limits = HTTPLimits.patient
        limits.connectionsPerClient = 1
        let proxies = TrustedProxies([try #require(HTTPNetwork("127.0.0.0/8"))])
        let running = try RunningServer(limits: limits, proxies: proxies, handler: Self.echo)
        let clients = try (0..<3).map { _ in try running.client() }
        for client in clients { #expect(try await client.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200) }
        for client in clients { client.close() }
        #expect(await running.server.stop())
    }

    @Test func `a connection above the limit is refused and closed`() async throws {
        let started = TestGate()
        let open = TestGate()
        var limits = HTTPLimits.patient
        limits.connections = 1
        let running = try RunningServer(limits: limits) { request in
            started.open()
            await open.wait()
            return await Self.echo(request)
        }
        let first = try running.client()
        first.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        await started.wait()
        let second = try running.client()
        second.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = try await second.rest()
        let response = try #require(answer.flatMap { RawClient.Response($0) })
        #expect(response.status == 503)
        #expect(response.headers["retry-after"] == "1")
        open.open()
        #expect(try await first.response()?.status == 200)
        for client in [first, second] { client.close() }
        #expect(await running.server.stop())
    }

    /// S-159.
    @Test func `hundreds of idle connections do not lock out other clients`() async throws {
        let proxies = TrustedProxies([try #require(HTTPNetwork("127.0.0.0/8"))])
        let running = try RunningServer(proxies: proxies, handler: Self.echo)
        var idle: [RawClient] = []
        for number in 0..<300 {
            idle.append(try running.client())
            guard number % 50 == 0 else { continue }
            #expect(try await idle[number].ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200)
        }
        let last = try running.client()
        #expect(try await last.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200)
        #expect(try await idle[1].rest() == "", "the longest idle connections made room")
        #expect(try await idle[299].ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200)
        for client in idle + [last] { client.close() }
        #expect(await running.server.stop())
    }

    /// S-159.
    @Test(arguments: [
        "", "GET / HT", "GET / HTTP/1.1\r\nHost: a\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc",
    ]) func `a stalled request is aborted`(beginning: String) async throws {
        var limits = HTTPLimits.patient
        limits.headerTime = .milliseconds(10)
        limits.requestTime = .milliseconds(10)
        let running = try RunningServer(limits: limits, handler: Self.echo)
        let client = try running.client()
        client.send(beginning)
        let answer = try #require(try await client.rest(), "the connection stays open")
        #expect(!answer.contains("200 OK"))
        client.close()
        #expect(await running.server.stop())
    }

    @Test func `an idle connection is closed`() async throws {
        var limits = HTTPLimits.patient
        limits.idleTime = .milliseconds(10)
        let running = try RunningServer(limits: limits, handler: Self.echo)
        let client = try running.client()
        #expect(try await client.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200)
        #expect(try await client.rest() == "")
        client.close()
        #expect(await running.server.stop())
    }

    @Test func `the server wakes up immediately for a response or a stop`() async throws {
        var limits = HTTPLimits.patient
        limits.stepTime = .seconds(600)
        let running = try RunningServer(limits: limits, handler: Self.echo)
        let client = try running.client()
        for _ in 0..<3 { #expect(try await client.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200) }
        #expect(await running.server.stop())
        #expect(try await client.rest() == "")
        client.close()
    }

    @Test func `stopping waits for the request in progress and accepts no more requests`() async throws {
        let started = TestGate()
        let open = TestGate()
        let running = try RunningServer { request in
            started.open()
            await open.wait()
            return await Self.echo(request)
        }
        let client = try running.client()
        client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        await started.wait()
        let idle = try running.client()
        async let stopped = running.server.stop()
        #expect(try await idle.rest() == "")
        #expect(throws: (any Error).self) { try running.client() }
        open.open()
        let answer = try await client.rest()
        #expect(answer?.contains("slow") == true)
        #expect(await stopped)
        for client in [client, idle] { client.close() }
    }

    @Test func `stopping abandons a request that does not finish`() async throws {
        let started = TestGate()
        let open = TestGate()
        let running = try RunningServer { request in
            started.open()
            await open.wait()
            return await Self.echo(request)
        }
        let client = try running.client()
        client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        await started.wait()
        #expect(await !running.server.stop(within: .milliseconds(1)))
        open.open()
        client.close()
    }

    @Test func `a disconnect cancels the task of its request and does not affect other clients`() async throws {
        let started = TestGate()
        let cancelled = TestGate()
        let running = try RunningServer { request in
            guard request.target.path == ["slow"] else { return await Self.echo(request) }
            await withTaskCancellationHandler {
                started.open()
                await cancelled.wait()
            } onCancel: {
                cancelled.open()
            }
            return await Self.echo(request)
        }
        let client = try running.client()
        client.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        await started.wait()
        client.close()
        await cancelled.wait()
        let next = try running.client()
        #expect(try await next.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 200)
        next.close()
        #expect(await running.server.stop())
    }

    @Test func `a secret response is sent completely`() async throws {
        let running = try RunningServer { _ in
            HTTPResponse(status: 200, body: .secret(Secret(copying: "a token".utf8Span.span)))
        }
        let client = try running.client()
        #expect(try await client.ask("GET / HTTP/1.1\r\nHost: a\r\n\r\n")?.body == "a token")
        client.close()
        #expect(await running.server.stop())
    }

    @Test func `the log contains the route of a request, but neither its path nor its query`() async throws {
        let entries = Locked<[HTTPLogEntry]>([])
        let router = Router([
            Router.Route("GET", "/things/{id}") { _, parameters in
                HTTPResponse(status: 200, parameters["id"], as: "text/plain")
            }
        ]) { _, status in HTTPResponse(status: status) }
        let running = try RunningServer(
            logger: { entry in entries.withLock { $0.append(entry) } }, handler: { await router.respond(to: $0) })
        let client = try running.client()
        #expect(try await client.ask("GET /things/secret?token=x HTTP/1.1\r\nHost: a\r\n\r\n")?.body == "secret")
        #expect(
            try await client.ask("POST /things/secret HTTP/1.1\r\nHost: a\r\n\r\n")?.headers["allow"] == "GET, HEAD")
        #expect(try await client.ask("GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n")?.status == 404)
        client.close()
        #expect(await running.server.stop())
        let seen = entries.withLock { $0 }
        #expect(seen.map(\.status) == [200, 405, 404])
        #expect(seen.map(\.route) == ["/things/{id}", "/things/{id}", nil])
        #expect(seen.map(\.method) == ["GET", "POST", "GET"])
        #expect(seen.allSatisfy { $0.peer?.isLoopback == true })
    }
}
