import CMicroHTTPD
import Glibc
import LatchkeySecrets
import LatchkeySystem

/// One request and its response on a connection of libmicrohttpd.
///
/// libmicrohttpd calls ``step(_:_:upload:size:)`` on the thread of the daemon: for the head, for each piece of the
/// body, at the end of the body, and when the response is ready. In between, the connection is suspended, so that no
/// thread waits for it.
@safe
final class Exchange: Sendable {
    private enum Phase: Sendable {
        case head
        case body(Upload)
        /// The connection is suspended unless the handler has only just begun, on the daemon's thread.
        case working(isSuspended: Bool)
        case answered(HTTPResponse)
        case done
    }

    /// The body during its upload.
    fileprivate struct Upload: Sendable {
        let method: String
        let headers: HTTPHeaders
        /// The value of `Content-Length`.
        let length: Int
        var pieces: [Secret] = []
    }

    private let server: HTTPServer
    private let id = Exchange.newID()
    private let target: HTTPTarget?
    /// The target without its query, for a refusal.
    private let path: HTTPTarget?
    private let isTooLong: Bool
    private let peer: HTTPAddress?
    private let began = ContinuousClock.now
    private let phase = Locked(Phase.head)
    /// Whether the server counts the request as in progress.
    private let isCounted = Locked(false)
    /// For the log: the method, and the client once the headers have named it.
    private let method = Locked("-")
    private let client: Locked<HTTPAddress?>

    init(_ server: HTTPServer, target: String, peer: HTTPAddress?) {
        self.server = server
        self.target = HTTPTarget(target)
        path = self.target ?? HTTPTarget(String(target.prefix { $0 != "?" }))
        isTooLong = target.utf8.count > HTTPTarget.maximumBytes
        self.peer = peer
        client = Locked(peer)
    }

    /// Performs the next step. Called only on the daemon's thread.
    func step(
        _ connection: OpaquePointer, _ head: RequestHead, upload: UnsafePointer<CChar>?, size: UnsafeMutablePointer<Int>
    ) -> MHD_Result {
        switch phase.withLock({ $0 }) {
        case .head: return unsafe begin(connection, head)
        case .body(var body):
            let count = unsafe size.pointee
            guard count > 0, let upload = unsafe upload else { return unsafe work(on: body, connection) }
            unsafe size.pointee = 0
            unsafe body.take(upload, count)
            phase.withLock { [body] in $0 = .body(body) }
            return .YES
        case .working: return .YES
        case .answered(let response): return unsafe queue(response, on: connection)
        case .done: return .YES
        }
    }

    private func begin(_ connection: OpaquePointer, _ head: RequestHead) -> MHD_Result {
        let method = unsafe String(validatingCString: head.method) ?? ""
        if RequestGate.isMethod(method) { self.method.withLock { $0 = method } }
        let connectionID = ConnectionTable.ID(bitPattern: connection)
        if server.connections.isSpare(connectionID) {
            return unsafe queue(.busy, on: connection)
        }
        server.connections.allow(connectionID, server.limits.requestTime)
        let gate = unsafe RequestGate(server.limits, readingHeadOf: connection, from: head)
        let client = server.client(of: peer, gate.headers)
        self.client.withLock { $0 = client }
        switch gate.verdict(
            method: method, target: target, version: unsafe String(validatingCString: head.version) ?? "")
        {
        case .refused(let status):
            let refusal = refusal(status == 400 && isTooLong ? 414 : status, to: method, gate.headers)
            return unsafe queue(refusal, on: connection)
        case .passes(let length):
            let counted = server.countedClient(client)
            guard server.connections.begin(connectionID, client: counted, hasBody: length > 0) else {
                return unsafe queue(refusal(503, to: method, gate.headers), on: connection)
            }
            let upload = Upload(method: method, headers: gate.headers, length: length)
            phase.withLock { $0 = .body(upload) }
            return .YES
        }
    }

    private func work(on upload: Upload, _ connection: OpaquePointer) -> MHD_Result {
        guard let target, let body = upload.whole else {
            return unsafe queue(refusal(400, to: upload.method, upload.headers), on: connection)
        }
        let connectionID = ConnectionTable.ID(bitPattern: connection)
        let request = HTTPRequest(
            method: upload.method, target: target, headers: upload.headers, body: body, peer: peer, id: id
        ) { [server] in server.connections.exempt(connectionID) }
        server.connections.uploaded(connectionID)
        if let response = server.prepared(request) { return unsafe queue(response, on: connection) }
        phase.withLock { $0 = .working(isSuspended: false) }
        server.connections.allow(connectionID, nil)
        let waiting = unsafe WaitingConnection(connection)
        isCounted.withLock { $0 = true }
        server.workBegan()
        let task = server.respond(to: request) { [self] response in
            let isSuspended = phase.withLock { phase in
                defer { phase = .answered(response) }
                if case .working(isSuspended: true) = phase { return true }
                return false
            }
            guard isSuspended else { return }
            waiting.resume()
            server.wake()
        }
        let response: HTTPResponse? = phase.withLock { phase in
            if case .answered(let response) = phase { return response }
            waiting.suspend()
            phase = .working(isSuspended: true)
            return nil
        }
        if let response { return unsafe queue(response, on: connection) }
        server.connections.whenAbandoned(connectionID) { task.cancel() }
        return .YES
    }

    /// A refusal of a request that no route handles. Its connection is closed, because the start of the next request is
    /// unknown.
    private func refusal(_ status: Int, to method: String, _ headers: HTTPHeaders) -> HTTPResponse {
        guard let path else { return .refusal(status) }
        var response = server.refusal(
            HTTPRequest(method: method, target: path, headers: headers, peer: peer, id: id), status)
        response.closes = true
        if status == 503 { response.set("Retry-After", "1") }
        return response
    }

    private func queue(_ response: HTTPResponse, on connection: OpaquePointer) -> MHD_Result {
        phase.withLock { $0 = .done }
        server.connections.allow(ConnectionTable.ID(bitPattern: connection), server.limits.requestTime)
        log(response)
        return unsafe response.queue(on: connection, id: id, closing: response.closes || server.isStopping)
    }

    /// Sends our refusal and ends the connection. The response that libmicrohttpd was about to send would contain its
    /// header block twice.
    func refuse(_ connection: OpaquePointer, status: Int) {
        phase.withLock { $0 = .done }
        let response = HTTPResponse.refusal(status)
        log(response)
        let socket = unsafe latchkey_http_socket(connection)
        let bytes = Array(response.text(id: id).utf8)
        _ = unsafe send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }

    private func log(_ response: HTTPResponse) {
        server.log(
            HTTPLogEntry(
                id: id, method: method.withLock { $0 }, route: response.route, status: response.status,
                problem: response.problem, duration: began.duration(to: .now), peer: peer,
                client: client.withLock { $0 }))
    }

    /// Called when libmicrohttpd has finished the request, because the response was sent or the client has
    /// disconnected.
    func completed(_ connection: OpaquePointer) {
        if isCounted.withLock({ $0 }) { server.workEnded() }
        server.connections.finish(ConnectionTable.ID(bitPattern: connection))
    }
}

extension Exchange.Upload {
    /// Copies a piece of the body and wipes the original.
    fileprivate mutating func take(_ piece: UnsafePointer<CChar>, _ count: Int) {
        let bytes = unsafe UnsafeRawBufferPointer(start: piece, count: count)
        pieces.append(Secret(copying: unsafe bytes.assumingMemoryBound(to: UInt8.self).span))
        // libmicrohttpd owns the buffer, but does not read it again after this call.
        unsafe explicit_bzero(UnsafeMutableRawPointer(mutating: piece), count)
    }

    /// The whole body; nil if its length differs from `Content-Length`.
    fileprivate var whole: Secret? {
        if pieces.count == 1, pieces[0].count == length { return pieces[0] }
        var bytes = SecretBytes(capacity: length)
        for piece in pieces where !piece.withBytes({ bytes.append($0) }) { return nil }
        return bytes.count == length ? Secret(bytes) : nil
    }
}

/// A connection that is waiting for its response.
@safe
private struct WaitingConnection: Sendable {
    // Proof: the daemon's thread suspends the connection. libmicrohttpd retains a suspended connection until it is
    // resumed. It is resumed only once, which any thread may do.
    private nonisolated(unsafe) let connection: OpaquePointer

    init(_ connection: OpaquePointer) { unsafe self.connection = connection }

    func suspend() { unsafe MHD_suspend_connection(connection) }

    func resume() { unsafe MHD_resume_connection(connection) }
}

extension HTTPResponse {
    /// A response that the server itself sends, before any route is called.
    package static func refusal(_ status: Int) -> HTTPResponse {
        var response = HTTPResponse(
            status: status, #"{"type":"about:blank","title":"\#(reason(of: status))","status":\#(status)}"#,
            as: "application/problem+json")
        response.headers += [
            ("Cache-Control", "no-store"), ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
            ("X-Content-Type-Options", "nosniff"),
        ]
        response.closes = true
        return response
    }

    /// A refusal as it is sent.
    fileprivate func text(id: String) -> String {
        guard case .bytes(let body) = body else { return "" }
        let all =
            headers + [("X-Request-Id", id), ("Connection", "close"), ("Content-Length", String(body.count))]
        return "HTTP/1.1 \(status) \(Self.reason(of: status))\r\n"
            + all.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n" + String(decoding: body, as: UTF8.self)
    }

    /// The response to a client with too many connections.
    fileprivate static var busy: HTTPResponse { refusal(503).adding("Retry-After", "1") }

    fileprivate func queue(on connection: OpaquePointer, id: String, closing: Bool) -> MHD_Result {
        guard let response = unsafe makeResponse() else { return .NO }
        defer { unsafe MHD_destroy_response(response) }
        for (name, value) in headers {
            guard unsafe MHD_add_response_header(response, name, value) == .YES else { return .NO }
        }
        _ = unsafe MHD_add_response_header(response, "X-Request-Id", id)
        if closing { _ = unsafe MHD_add_response_header(response, "Connection", "close") }
        return unsafe MHD_queue_response(connection, UInt32(status), response)
    }

    private func makeResponse() -> OpaquePointer? {
        switch body {
        case .bytes(let bytes):
            return unsafe bytes.withUnsafeBytes { bytes in
                unsafe MHD_create_response_from_buffer(
                    bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
            }
        case .secret(let secret):
            let lent = unsafe Unmanaged.passRetained(secret)
            return unsafe secret.withBytes { bytes in
                unsafe bytes.withUnsafeBufferPointer { bytes in
                    // The secret is retained until libmicrohttpd has sent it, and its bytes are not moved.
                    unsafe MHD_create_response_from_buffer_with_free_callback_cls(
                        bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress),
                        { secret in
                            if let secret = unsafe secret { unsafe Unmanaged<Secret>.fromOpaque(secret).release() }
                        },
                        lent.toOpaque())
                }
            }
        }
    }
}

extension Exchange {
    /// A new request ID: 16 hexadecimal digits.
    private static func newID() -> String {
        // If there is no randomness, all IDs are equal, but nothing depends on them.
        let bytes = (try? RandomSource.system.bytes(8)) ?? [UInt8](repeating: 0, count: 8)
        return Hexadecimal.text(of: bytes)
    }
}
