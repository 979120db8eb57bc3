import CMicroHTTPD
import Glibc
package import LatchkeySystem

/// Serves HTTP/1.1 on sockets, using libmicrohttpd.
///
/// It speaks plain HTTP, so a proxy in front of it must provide TLS.
@safe
package final class HTTPServer: Sendable {
    let limits: HTTPLimits
    let connections: ConnectionTable
    private let proxies: TrustedProxies
    private let handler: @Sendable (HTTPRequest) async -> HTTPResponse
    /// The response that is ready without the handler; nil if there is none.
    let prepared: @Sendable (HTTPRequest) -> HTTPResponse?
    /// Creates the response to a request that no route handles, such as one with a body that is too long.
    let refusal: @Sendable (HTTPRequest, Int) -> HTTPResponse
    private let executor: SerialThread?
    /// Whether the handler of a request takes less time than a change of threads.
    private let isBrief: @Sendable (HTTPRequest) -> Bool
    private let logger: @Sendable (HTTPLogEntry) -> Void
    private let state = Locked(State())

    private struct State {
        var daemons: [Daemon] = []
        /// The number of daemons whose threads are running.
        var running = 0
        var working = 0
        var isStopping = false
        /// The callers that are waiting until no thread runs.
        var waiting: [CheckedContinuation<Void, Never>] = []

        mutating func takeWaiting() -> [CheckedContinuation<Void, Never>] {
            defer { waiting = [] }
            return waiting
        }
    }

    /// - Parameters:
    ///   - proxies: the trusted proxies. Their connections do not count as those of one client.
    ///   - logger: called for each response, on a thread of the server.
    ///   - executor: the preferred executor for handlers; nil for Swift's pool.
    ///   - isBrief: whether the handler of a request takes less time than a change of threads. It then begins on the
    ///     thread of the server, if the executor is idle.
    ///   - refusal: creates the response with this status to a request that does not reach the handler. The request has no
    ///     query and no body.
    ///   - prepared: the response that is ready, for a request that needs no handler; nil for any other. Called on a thread
    ///     of the server, where it must not wait.
    ///   - handler: handles a request. Its task is cancelled if the client disconnects.
    package init(
        limits: HTTPLimits = HTTPLimits(), proxies: TrustedProxies = TrustedProxies(),
        logger: @escaping @Sendable (HTTPLogEntry) -> Void = { _ in }, executor: SerialThread? = nil,
        isBrief: @escaping @Sendable (HTTPRequest) -> Bool = { _ in false },
        refusal: @escaping @Sendable (HTTPRequest, Int) -> HTTPResponse = { _, status in .refusal(status) },
        prepared: @escaping @Sendable (HTTPRequest) -> HTTPResponse? = { _ in nil },
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) {
        self.limits = limits
        self.proxies = proxies
        self.logger = logger
        self.handler = handler
        self.prepared = prepared
        self.executor = executor
        self.isBrief = isBrief
        self.refusal = refusal
        connections = ConnectionTable(limits)
    }

    /// Starts serving the connections of a socket on a new thread.
    package func serve(_ socket: ListenSocket) throws(SystemError) {
        guard let number = socket.take() else { throw SystemError(code: EBADF) }
        guard let daemon = Daemon(number, self) else {
            close(number)
            throw SystemError(code: ENOMEM)
        }
        state.withLock { state in
            state.daemons.append(daemon)
            state.running += 1
        }
        do throws(SystemError) {
            try DetachedThread.start { [self] in run(daemon) }
        } catch {
            daemonEnded(daemon)
            throw error
        }
    }

    /// Serves until the server has stopped and no request is in progress.
    private func run(_ daemon: Daemon) {
        var isAccepting = true
        while true {
            let (isStopping, isIdle) = state.withLock { ($0.isStopping, $0.working == 0) }
            if isStopping, isAccepting {
                daemon.stopAccepting()
                connections.refuseMore()
                isAccepting = false
            }
            if isStopping, isIdle { break }
            daemon.step(within: limits.stepTime)
            connections.tidy(every: limits.stepTime)
        }
        daemonEnded(daemon)
    }

    private func daemonEnded(_ daemon: Daemon) {
        daemon.stop()
        let waiting: [CheckedContinuation<Void, Never>] = state.withLock { state in
            state.running -= 1
            return state.running == 0 ? state.takeWaiting() : []
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Stops accepting connections, waits for the requests in progress, and then closes all connections.
    ///
    /// - Parameter limit: the time after which requests in progress are abandoned.
    /// - Returns: whether all requests received a response.
    @discardableResult
    package func stop(within limit: Duration = .seconds(30)) async -> Bool {
        state.withLock { $0.isStopping = true }
        wake()
        let deadline = Task { [self] in
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            for continuation in state.withLock({ $0.takeWaiting() }) { continuation.resume() }
        }
        await withCheckedContinuation { continuation in
            let hasStopped = state.withLock { state in
                if state.running > 0 { state.waiting.append(continuation) }
                return state.running == 0
            }
            if hasStopped { continuation.resume() }
        }
        deadline.cancel()
        return state.withLock { $0.running } == 0
    }

    var isStopping: Bool { state.withLock { $0.isStopping } }

    /// Handles a request and passes its response to `answer`, perhaps before it returns. The task is cancelled if the
    /// client disconnects.
    func respond(to request: HTTPRequest, _ answer: @escaping @Sendable (HTTPResponse) -> Void) -> Task<Void, Never> {
        let start = { [executor, handler] in
            Task(executorPreference: executor) { answer(await handler(request)) }
        }
        guard let executor, isBrief(request) else { return start() }
        return executor.lend(start)
    }

    func log(_ entry: HTTPLogEntry) { logger(entry) }

    /// Wakes the threads, so that they send responses that are ready.
    func wake() { for daemon in state.withLock({ $0.daemons }) { daemon.wake() } }

    func workBegan() { state.withLock { $0.working += 1 } }

    func workEnded() {
        let isLast = state.withLock { state in
            state.working -= 1
            return state.isStopping && state.working == 0
        }
        // The threads of other sockets are waiting for this request too.
        if isLast { wake() }
    }

    /// The client to which a connection is counted; nil for a proxy, which represents many clients, and for a Unix
    /// socket.
    fileprivate func client(at peer: HTTPAddress?) -> [UInt8]? { proxies.contains(peer) ? nil : peer?.client }

    /// The client of a request, behind trusted proxies.
    func client(of peer: HTTPAddress?, _ headers: HTTPHeaders) -> HTTPAddress? { proxies.client(of: peer, headers) }

    /// The client whose limits the request counts toward; nil if the peer is a proxy that names no client.
    func countedClient(_ client: HTTPAddress?) -> [UInt8]? { proxies.contains(client) ? nil : client?.client }
}

/// The log entry of a request.
package struct HTTPLogEntry: Sendable {
    package let id: String
    /// The method; `-` if the request had none.
    package let method: String
    /// The template of the route. The path is not logged, because paths and queries may contain private data.
    package let route: String?
    package let status: Int
    /// See ``HTTPResponse/problem``.
    package let problem: String?
    package let duration: Duration
    /// The address of the connection; nil for a Unix socket.
    package let peer: HTTPAddress?
    /// The client behind trusted proxies; nil if only a Unix socket is known.
    package let client: HTTPAddress?
}

/// A libmicrohttpd daemon with one listening socket. A thread of ``HTTPServer`` runs it.
///
/// libmicrohttpd's internal threads are not used, because they can hang. When 128 connections have events at the same
/// time, such a thread waits for another event before it handles them, or before it notices that the daemon has
/// stopped.
@safe
private final class Daemon: Sendable {
    // Proof: only the thread that runs the daemon uses this pointer.
    private nonisolated(unsafe) let daemon: OpaquePointer
    /// The libmicrohttpd descriptor that becomes readable when there is an event.
    private let events: Int32
    /// The descriptor that becomes readable after ``wake()``.
    private let wakeup: Int32
    // Proof: written before the daemon starts, and only read by it.
    private nonisolated(unsafe) let callbacks: UnsafeMutablePointer<latchkey_http_callbacks>
    private let context: DaemonContext

    /// - Parameter server: must live until ``stop()`` returns.
    init?(_ socket: Int32, _ server: HTTPServer) {
        wakeup = latchkey_http_wakeup()
        guard wakeup >= 0 else { return nil }
        context = DaemonContext(server)
        unsafe callbacks = .allocate(capacity: 1)
        unsafe callbacks.initialize(
            to: latchkey_http_callbacks(
                context: Unmanaged.passUnretained(context).toOpaque(), accept: accepts, connection: connectionChanged,
                target: requestBegan, handle: requestStep, completed: requestCompleted, refused: requestRefused))
        let limits = server.limits
        let daemon = unsafe latchkey_http_start(
            socket, UInt32(limits.connections + HTTPLimits.spare), UInt32(limits.idleTime.components.seconds + 30),
            // The buffer of a connection: the headers and a part of the body.
            limits.headers + 49_152, callbacks)
        guard let daemon = unsafe daemon else {
            close(wakeup)
            unsafe callbacks.deallocate()
            return nil
        }
        unsafe self.daemon = daemon
        events = unsafe latchkey_http_poll_descriptor(daemon)
    }

    deinit {
        close(wakeup)
        unsafe callbacks.deallocate()
    }

    /// Handles pending events, or waits at most `limit` for an event or for ``wake()``.
    func step(within limit: Duration) {
        var milliseconds = Int32(limit / .milliseconds(1))
        var timeout: UInt64 = 0
        if unsafe MHD_get_timeout(daemon, &timeout) == .YES { milliseconds = Int32(min(timeout, UInt64(milliseconds))) }
        let input = Int16(POLLIN)
        var descriptors = [
            pollfd(fd: events, events: input, revents: 0), pollfd(fd: wakeup, events: input, revents: 0),
        ]
        if unsafe poll(&descriptors, 2, milliseconds) > 0, descriptors[1].revents != 0 { latchkey_http_woken(wakeup) }
        guard unsafe MHD_run(daemon) != .YES else { return }
        // The system has run out of memory or descriptors. Retrying immediately would only waste processor time.
        usleep(100_000)
    }

    /// Ends the wait of ``step(within:)``.
    func wake() { latchkey_http_wake(wakeup) }

    /// Closes the listening socket. Connections stay open. Call this only on the thread that calls ``step(within:)``,
    /// because libmicrohttpd aborts the process if it adds the socket to its events at the same time.
    func stopAccepting() {
        let number = unsafe MHD_quiesce_daemon(daemon)
        if number >= 0 { close(number) }
    }

    /// Closes all connections. Call it once, after the last ``step(within:)``.
    func stop() { unsafe MHD_stop_daemon(daemon) }
}

/// The context of a daemon's callbacks.
private final class DaemonContext: Sendable {
    unowned let server: HTTPServer
    /// The requests whose headers libmicrohttpd still reads, by connection.
    let beginning = Locked<[ConnectionTable.ID: Exchange]>([:])

    init(_ server: HTTPServer) { self.server = server }
}

// MARK: Callbacks of libmicrohttpd, on the threads that run its daemons

private func daemonContext(_ context: UnsafeMutableRawPointer?) -> DaemonContext? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<DaemonContext>.fromOpaque(context).takeUnretainedValue()
}

private func server(_ context: UnsafeMutableRawPointer?) -> HTTPServer? { unsafe daemonContext(context)?.server }

private func accepts(
    _ context: UnsafeMutableRawPointer?, _ address: UnsafePointer<sockaddr>?, _ size: socklen_t
) -> MHD_Result {
    guard let server = unsafe server(context) else { return .NO }
    let peer = unsafe address.flatMap { unsafe HTTPAddress($0) }
    return server.connections.admits(server.client(at: peer)) ? .YES : .NO
}

private func connectionChanged(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ change: MHD_ConnectionNotificationCode
) {
    guard let server = unsafe server(context), let connection = unsafe connection else { return }
    let id = ConnectionTable.ID(bitPattern: connection)
    guard change == .CONNECTION_NOTIFY_STARTED else { return server.connections.close(id) }
    let peer = unsafe latchkey_http_peer(connection).flatMap { unsafe HTTPAddress($0) }
    server.connections.open(
        id, socket: unsafe latchkey_http_socket(connection), client: server.client(at: peer))
}

private func requestBegan(
    _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let daemon = unsafe daemonContext(context), let target = unsafe target, let connection = unsafe connection
    else { return nil }
    let peer = unsafe latchkey_http_peer(connection).flatMap { unsafe HTTPAddress($0) }
    let text = unsafe String(validatingCString: target) ?? ""
    // libmicrohttpd would add each parameter to a buffer that a long query fills. It owns the target, which it is about
    // to change itself, and now finds an empty query.
    if let query = unsafe strchr(target, 0x3F) { unsafe UnsafeMutablePointer(mutating: query)[1] = 0 }
    let exchange = Exchange(daemon.server, target: text, peer: peer)
    daemon.beginning.withLock { $0[ConnectionTable.ID(bitPattern: connection)] = exchange }
    return unsafe Unmanaged.passRetained(exchange).toOpaque()
}

private func requestStep(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ url: UnsafePointer<CChar>?,
    _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ upload: UnsafePointer<CChar>?,
    _ size: UnsafeMutablePointer<Int>?, _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
    guard let connection = unsafe connection, let size = unsafe size, let state = unsafe state?.pointee,
        let method = unsafe method, let version = unsafe version
    else { return .NO }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(state).takeUnretainedValue()
    unsafe daemonContext(context)?.beginning.withLock { $0[ConnectionTable.ID(bitPattern: connection)] = nil }
    return unsafe exchange.step(
        connection, RequestHead(method: method, version: version), upload: upload, size: size)
}

private func requestCompleted(
    _ context: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
    _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ code: MHD_RequestTerminationCode
) {
    guard let state = unsafe state, let object = unsafe state.pointee else { return }
    unsafe state.pointee = nil
    unsafe daemonContext(context)?.beginning.withLock { $0[ConnectionTable.ID(bitPattern: connection)] = nil }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(object).takeRetainedValue()
    if let connection = unsafe connection { unsafe exchange.completed(connection) }
}

/// libmicrohttpd does not name the connection. It is the one whose headers are complete and not yet handed over.
private func requestRefused(_ context: UnsafeMutableRawPointer?, _ status: UInt32) {
    guard let daemon = unsafe daemonContext(context) else { return }
    for (id, exchange) in daemon.beginning.withLock({ $0 }) {
        guard let connection = unsafe OpaquePointer(bitPattern: id),
            unsafe latchkey_http_head_size(connection) > 0
        else { continue }
        unsafe exchange.refuse(connection, status: Int(status))
    }
}
