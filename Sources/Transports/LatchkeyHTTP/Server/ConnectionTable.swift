import Glibc
import LatchkeySystem

/// The open connections of a server, with the number of connections for each client and the deadline of each
/// connection's next step.
///
/// libmicrohttpd only ends connections without any activity. A client that sends a byte now and then could keep a
/// connection open forever, so this table ends connections that take too long.
///
/// When all connections are in use, a new connection replaces the longest idle one. Otherwise idle clients could lock
/// everyone else out. For the same reason, requests with an incomplete body never use all connections, and each client
/// has a limited number of them. A connection of a trusted proxy counts for the client of its current request. A
/// connection whose sender has authenticated as an application does not count.
final class ConnectionTable: Sendable {
    /// Identifies a connection: the address of libmicrohttpd's structure, which is unique while the connection is open.
    typealias ID = UInt

    fileprivate struct Entry {
        let socket: Int32
        /// The client of the connection, or of the current request behind a proxy; nil if it is unknown.
        var client: [UInt8]?
        /// Whether the peer is a trusted proxy, so that each request has a client.
        let isOfProxy: Bool
        /// Nil while the server processes a request.
        var deadline: ContinuousClock.Instant?
        /// The start of the pause between two requests; nil during a request.
        var idleSince: ContinuousClock.Instant? = .now
        /// The time when the server began to wait for the body of a request; nil if it does not.
        var uploadSince: ContinuousClock.Instant?
        /// Whether the connection is above the limit, and only receives a refusal.
        let isSpare: Bool
        /// Whether the table has ended the connection to make room for another one.
        var isEnded = false
        /// Called once if the client disconnects while the server processes its request.
        var abandon: (@Sendable () -> Void)?
    }

    fileprivate struct State {
        var entries: [ID: Entry] = [:]
        var clients: [[UInt8]: Int] = [:]
        var isClosed = false
        var lastTidied = ContinuousClock.now
    }

    private let state = Locked(State())
    private let limits: HTTPLimits

    init(_ limits: HTTPLimits) { self.limits = limits }

    /// Whether a client may open another connection.
    ///
    /// - Parameter client: nil for a trusted proxy, which represents many clients.
    func admits(_ client: [UInt8]?) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            guard let client else { return true }
            return state.clients[client, default: 0] < limits.connectionsPerClient
        }
    }

    func open(_ id: ID, socket: Int32, client: [UInt8]?) {
        state.withLock { state in
            let isSpare = state.entries.count >= limits.connections && !state.makeRoom(limits.connections)
            state.entries[id] = Entry(
                socket: socket, client: client, isOfProxy: client == nil, deadline: .now + limits.headerTime,
                isSpare: isSpare)
            if let client { state.clients[client, default: 0] += 1 }
            // The connection was accepted just before the server stopped.
            if state.isClosed { _ = shutdown(socket, Int32(SHUT_RD)) }
        }
    }

    func close(_ id: ID) {
        state.withLock { state in
            if let client = state.entries.removeValue(forKey: id)?.client { state.leave(client) }
        }
    }

    /// Counts a request whose head has arrived for its client.
    ///
    /// Ends the longest waiting upload if the client or all clients together have too many.
    ///
    /// - Parameters:
    ///   - client: the client behind a proxy; nil if no proxy has named it.
    ///   - hasBody: whether the server now waits for a body.
    /// - Returns: whether the client may have another request at the same time.
    func begin(_ id: ID, client: [UInt8]?, hasBody: Bool) -> Bool {
        state.withLock { state in
            guard let index = state.entries.index(forKey: id) else { return true }
            if let client, state.entries.values[index].isOfProxy {
                if state.clients[client, default: 0] >= limits.connectionsPerClient,
                    !state.endLongestUpload(of: client, ifMoreThan: 0)
                {
                    return false
                }
                state.entries.values[index].client = client
                state.clients[client, default: 0] += 1
            }
            guard hasBody else { return true }
            if let client = state.entries.values[index].client {
                _ = state.endLongestUpload(of: client, ifMoreThan: limits.uploadsPerClient - 1)
            }
            _ = state.endLongestUpload(ifMoreThan: limits.uploads - 1)
            state.entries.values[index].uploadSince = .now
            return true
        }
    }

    /// Stops counting the connection for its client. The limit for all clients together still applies.
    func exempt(_ id: ID) {
        state.withLock { state in
            guard let client = state.entries[id]?.client else { return }
            state.entries[id]?.client = nil
            state.leave(client)
        }
    }

    /// Notes that the whole body of a request has arrived.
    func uploaded(_ id: ID) { state.withLock { $0.entries[id]?.uploadSince = nil } }

    /// Notes that the connection waits for another request.
    func finish(_ id: ID) {
        state.withLock { state in
            guard let entry = state.entries[id] else { return }
            if entry.isOfProxy, let client = entry.client {
                state.entries[id]?.client = nil
                state.leave(client)
            }
            state.entries[id]?.uploadSince = nil
        }
        allow(id, limits.idleTime, isIdle: true)
    }

    /// Whether the connection is above the limit.
    func isSpare(_ id: ID) -> Bool { state.withLock { $0.entries[id]?.isSpare ?? false } }

    /// Sets the time limit for the connection's next step; nil while the server processes a request.
    ///
    /// - Parameter isIdle: whether the connection is waiting for another request.
    func allow(_ id: ID, _ time: Duration?, isIdle: Bool = false) {
        state.withLock { state in
            guard let index = state.entries.index(forKey: id) else { return }
            let now = ContinuousClock.now
            state.entries.values[index].deadline = time.map { now + $0 }
            state.entries.values[index].idleSince = isIdle ? now : nil
            state.entries.values[index].abandon = nil
        }
    }

    /// Calls `body` if the client disconnects while the server processes its request.
    func whenAbandoned(_ id: ID, _ body: @escaping @Sendable () -> Void) {
        state.withLock { state in state.entries[id]?.abandon = body }
    }

    /// Calls the `abandon` closures of requests whose client has closed the connection.
    func abandonLost() {
        let lost: [@Sendable () -> Void] = state.withLock { state in
            let working = state.entries.filter { $0.value.abandon != nil }
            guard !working.isEmpty else { return [] }
            let ids = Array(working.keys)
            var sockets = ids.map { pollfd(fd: working[$0]?.socket ?? -1, events: Self.hungUp, revents: 0) }
            guard unsafe poll(&sockets, nfds_t(sockets.count), 0) > 0 else { return [] }
            var bodies: [@Sendable () -> Void] = []
            for (id, socket) in zip(ids, sockets) where socket.revents != 0 {
                if let body = state.entries[id]?.abandon { bodies.append(body) }
                state.entries[id]?.abandon = nil
            }
            return bodies
        }
        for body in lost { body() }
    }

    /// `POLLRDHUP`: the peer will not send more data (poll(2)). Glibc's module does not export this constant.
    private static let hungUp: Int16 = 0x2000

    /// The number of open connections.
    var count: Int { state.withLock { $0.entries.count } }

    /// Ends overdue connections and reports clients that have disconnected, unless that was done within the last
    /// `interval`.
    func tidy(every interval: Duration) {
        let now = ContinuousClock.now
        let isDue = state.withLock { state in
            guard now - state.lastTidied >= interval else { return false }
            state.lastTidied = now
            return true
        }
        guard isDue else { return }
        endOverdue(at: now)
        abandonLost()
    }

    /// Ends overdue connections. libmicrohttpd then closes them.
    func endOverdue(at now: ContinuousClock.Instant = .now) {
        // This is under the lock, because a socket is only closed after its entry is removed. Its number therefore
        // cannot belong to another file.
        state.withLock { state in
            for entry in state.entries.values where entry.deadline.map({ $0 <= now }) ?? false {
                _ = shutdown(entry.socket, Int32(SHUT_RDWR))
            }
        }
    }

    /// Refuses new connections and ends connections without a request in progress.
    func refuseMore() {
        state.withLock { state in
            state.isClosed = true
            for entry in state.entries.values where entry.deadline != nil {
                _ = shutdown(entry.socket, Int32(SHUT_RD))
            }
        }
    }
}

extension ConnectionTable.State {
    fileprivate mutating func leave(_ client: [UInt8]) {
        let rest = clients[client, default: 1] - 1
        clients[client] = rest > 0 ? rest : nil
    }

    /// Ends the connection that has waited longest for a body, if more than `count` wait. Returns whether it did.
    ///
    /// - Parameter client: only connections of this client count; nil for all clients.
    fileprivate mutating func endLongestUpload(of client: [UInt8]? = nil, ifMoreThan count: Int) -> Bool {
        var waiting = 0
        var longest: (id: ConnectionTable.ID, since: ContinuousClock.Instant)?
        for (id, entry) in entries where client == nil || entry.client == client {
            guard let since = entry.uploadSince else { continue }
            waiting += 1
            if longest.map({ since < $0.since }) ?? true { longest = (id, since) }
        }
        guard waiting > count, let longest else { return false }
        end(longest.id)
        return true
    }

    private mutating func end(_ id: ConnectionTable.ID) {
        guard let entry = entries[id] else { return }
        entries[id]?.isEnded = true
        entries[id]?.uploadSince = nil
        _ = shutdown(entry.socket, Int32(SHUT_RDWR))
    }

    /// Ends the longest idle connection if `limit` connections are in use. Returns false if none is idle.
    fileprivate mutating func makeRoom(_ limit: Int) -> Bool {
        var used = 0
        var longest: (id: ConnectionTable.ID, since: ContinuousClock.Instant)?
        for (id, entry) in entries where !entry.isSpare && !entry.isEnded {
            used += 1
            guard let since = entry.idleSince, since < longest?.since ?? .now else { continue }
            longest = (id, since)
        }
        if used < limit { return true }
        guard let longest else { return false }
        end(longest.id)
        return true
    }
}
