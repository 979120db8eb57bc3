import Glibc
import LatchkeySystem

/// The open connections of a server, how many each client has, and until when each must have made progress.
///
/// libmicrohttpd only ends connections on which nothing happens. A client that sends a byte now and then would hold one
/// forever, so this table ends those that take too long.
final class ConnectionTable: Sendable {
    /// Identifies a connection: the address of libmicrohttpd's structure, unique while the connection is open.
    typealias ID = UInt

    private struct Entry {
        let socket: Int32
        let client: [UInt8]?
        /// Nil while the server is at work on a request.
        var deadline: ContinuousClock.Instant?
        /// Whether the connection is above the limit, and is only told so.
        let isSpare: Bool
    }

    private struct State {
        var entries: [ID: Entry] = [:]
        var clients: [[UInt8]: Int] = [:]
        var isClosed = false
    }

    private let state = Locked(State())
    private let limits: HTTPLimits

    init(_ limits: HTTPLimits) { self.limits = limits }

    /// Whether a client may open another connection.
    ///
    /// - Parameter client: nil for a trusted proxy, which speaks for many.
    func admits(_ client: [UInt8]?) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            guard let client else { return true }
            return state.clients[client, default: 0] < limits.connectionsPerClient
        }
    }

    func open(_ id: ID, socket: Int32, client: [UInt8]?) {
        state.withLock { state in
            let isSpare = state.entries.count >= limits.connections
            state.entries[id] = Entry(
                socket: socket, client: client, deadline: .now + limits.headerTime, isSpare: isSpare)
            if let client { state.clients[client, default: 0] += 1 }
        }
    }

    func close(_ id: ID) {
        state.withLock { state in
            guard let client = state.entries.removeValue(forKey: id)?.client else { return }
            let rest = state.clients[client, default: 1] - 1
            state.clients[client] = rest > 0 ? rest : nil
        }
    }

    /// Whether the connection is above the limit.
    func isSpare(_ id: ID) -> Bool { state.withLock { $0.entries[id]?.isSpare ?? false } }

    /// Sets how long the connection has for its next step; nil while the server is at work.
    func allow(_ id: ID, _ time: Duration?) {
        state.withLock { state in state.entries[id]?.deadline = time.map { .now + $0 } }
    }

    /// The number of open connections.
    var count: Int { state.withLock { $0.entries.count } }

    /// Ends the connections whose time is over. libmicrohttpd then closes them.
    func endOverdue(at now: ContinuousClock.Instant = .now) {
        // Under the lock: the socket is closed only after the entry is gone, so its number cannot belong to another file.
        state.withLock { state in
            for entry in state.entries.values where entry.deadline.map({ $0 <= now }) ?? false {
                _ = shutdown(entry.socket, Int32(SHUT_RDWR))
            }
        }
    }

    /// Refuses new connections, and ends those on which no request is at work.
    func refuseMore() {
        state.withLock { state in
            state.isClosed = true
            for entry in state.entries.values where entry.deadline != nil {
                _ = shutdown(entry.socket, Int32(SHUT_RD))
            }
        }
    }
}
