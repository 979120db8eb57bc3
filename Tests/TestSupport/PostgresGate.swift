import Foundation
import Glibc
import LatchkeySystem

/// Passes messages between clients and a PostgreSQL server, and stops before each statement.
///
/// A client sends a batch of statements at once. The gate has the server run them one by one, so that a test can have other
/// transactions run between two of them, or have one of them fail.
package final class PostgresGate: Sendable {
    package struct Statement: Sendable {
        package let sql: String
        /// All statements of the batch.
        package let batch: [String]
        /// Whether it came as text without parameters. Such a statement does not fail here.
        package let isSimple: Bool
    }

    /// What happens to a statement.
    package enum Verdict: Sendable {
        /// The server runs it.
        case pass
        /// The server rolls the transaction back instead, with this SQLSTATE: 40001 after a conflict with another one.
        case fail(_ state: String)
        /// The client loses its connection. This statement and the rest of its batch wait at the first gate, then reach the
        /// server, and wait at the second gate after it has answered.
        case late(ThreadGate, answered: ThreadGate)
    }

    /// The folder of the socket.
    private let folder: String
    private let server: String
    private let listener: Int32
    private let verdict: @Sendable (Statement) -> Verdict
    private let completed: @Sendable (String) -> Void

    /// - Parameters:
    ///   - verdict: called with each statement, on the thread of its connection, which it may block.
    ///   - completed: called with the SQL once the server has run the statement.
    package init(
        before server: PostgresServer, completed: @escaping @Sendable (String) -> Void = { _ in },
        _ verdict: @escaping @Sendable (Statement) -> Verdict
    ) throws {
        self.server = server.folder
        folder = server.folder + "/" + server.newDatabaseName()
        (self.verdict, self.completed) = (verdict, completed)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        listener = try unsafe Self.socket(folder) { (socket, address, length) in
            unsafe bind(socket, address, length) == 0 ? listen(socket, 64) : -1
        }
        Thread.detachNewThread { [self] in accept() }
    }

    /// The address of a database of the server, through this gate.
    package func address(of address: String) -> String { address.replacing("host=\(server)", with: "host=\(folder)") }

    /// Accepts no more clients.
    package func close() { shutdown(listener, Int32(SHUT_RDWR)) }

    private static func socket(
        _ folder: String, _ open: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws -> Int32 {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = folder + "/.s.PGSQL.5432"
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe open(socket, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard code == 0 else { throw POSIXError(.EIO) }
        return socket
    }

    private func accept() {
        while true {
            let client = Glibc.accept(listener, nil, nil)
            guard client >= 0 else {
                _ = Glibc.close(listener)
                return
            }
            Thread.detachNewThread { [self] in
                guard let server = try? unsafe Self.socket(server, { unsafe connect($0, $1, $2) }) else {
                    _ = Glibc.close(client)
                    return
                }
                var relay = Relay(client: client, server: server)
                try? relay.run(verdict, completed)
                relay.close()
            }
        }
    }
}

/// One connection, whose messages have the format of the PostgreSQL manual, "Frontend/Backend Protocol".
private struct Relay {
    struct Ended: Error {}

    /// A type and the bytes of the whole message, or only the bytes of the first one, which has no type.
    struct Message {
        let type: Character
        let bytes: [UInt8]

        /// The zero-terminated texts after the type and length.
        var texts: [String] {
            bytes.dropFirst(5).split(separator: 0, omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
    }

    private var client: Int32
    private let server: Int32
    /// The SQL of each prepared statement.
    private var prepared: [String: String] = [:]
    /// The number of messages since the last statement, each of which the server answers with one.
    private var unanswered = 0

    init(client: Int32, server: Int32) { (self.client, self.server) = (client, server) }

    func close() {
        for socket in [client, server] where socket >= 0 { _ = Glibc.close(socket) }
    }

    mutating func run(_ verdict: (PostgresGate.Statement) -> PostgresGate.Verdict, _ completed: (String) -> Void) throws
    {
        try send(message(from: client, hasType: false), to: server)
        try relay(until: "Z")
        while let batch = try batch() {
            let statements = statements(of: batch)
            var mayPass = true
            for (place, message) in batch.enumerated() {
                if mayPass, let sql = statements[place] {
                    let all = statements.keys.sorted().compactMap { statements[$0] }
                    switch verdict(PostgresGate.Statement(sql: sql, batch: all, isSimple: message.type == "Q")) {
                    case .pass: break
                    case .fail where message.type == "Q": break
                    case .fail(let state):
                        try fail(with: state)
                        mayPass = false
                        continue
                    case .late(let gate, let answered):
                        _ = Glibc.close(client)
                        client = -1
                        gate.pass()
                        for message in batch[place...] { try send(message, to: server) }
                        while try self.message(from: server).type != "Z" {}
                        return answered.pass()
                    }
                }
                try send(message, to: server)
                switch message.type {
                case "P", "B", "D": unanswered += 1
                case "E" where mayPass:
                    try send(Self.flush, to: server)
                    mayPass = try relay(until: "C", "E", "I", "s") != "E"
                    unanswered = 0
                    completed(statements[place] ?? "")
                case "Q":
                    // A COPY needs the rows.
                    if try relay(until: "Z", "G") == "Z" { completed(statements[place] ?? "") }
                case "S", "c", "f":
                    try relay(until: "Z")
                    unanswered = 0
                    if message.type != "S" { completed("COPY") }
                default: break
                }
            }
        }
    }

    /// Reads messages until one that the server must answer. Nil when the client has gone.
    private func batch() throws -> [Message]? {
        var batch: [Message] = []
        while true {
            let message = try message(from: client)
            if message.type == "X" { return nil }
            batch.append(message)
            if ["S", "Q", "d", "c", "f"].contains(message.type) { return batch }
        }
    }

    /// The SQL of each statement, by the place of the message that runs it.
    private mutating func statements(of batch: [Message]) -> [Int: String] {
        var bound = ""
        var statements: [Int: String] = [:]
        for (place, message) in batch.enumerated() {
            switch message.type {
            case "P": prepared[message.texts[0]] = message.texts[1]
            case "B": bound = prepared[message.texts[1]] ?? ""
            case "E": statements[place] = bound
            case "Q": statements[place] = message.texts[0]
            default: break
            }
        }
        return statements
    }

    private static let flush = Message(type: "H", bytes: Array("H".utf8) + [0, 0, 0, 4])

    /// Has the server report a failure. The client does not see that this takes a statement.
    private mutating func fail(with state: String) throws {
        let sql = "DO $$ BEGIN RAISE SQLSTATE '\(state)'; END $$"
        try send(Self.message("P", [0] + Array(sql.utf8) + [0, 0, 0]), to: server)
        try send(Self.message("B", [0, 0, 0, 0, 0, 0, 0, 0]), to: server)
        try send(Self.message("E", [0, 0, 0, 0, 0]), to: server)
        try send(Self.flush, to: server)
        while unanswered > 0 {
            try send(message(from: server), to: client)
            unanswered -= 1
        }
        while true {
            let message = try message(from: server)
            if message.type == "1" || message.type == "2" { continue }
            try send(message, to: client)
            if message.type == "E" { return }
        }
    }

    private static func message(_ type: Character, _ body: [UInt8]) -> Message {
        let length = UInt32(body.count + 4)
        let head = [type.asciiValue ?? 0] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
        return Message(type: type, bytes: head + body)
    }

    /// Passes on what the server sends, until it has sent a message of one of these types.
    @discardableResult
    private func relay(until types: Character...) throws -> Character {
        while true {
            let message = try message(from: server)
            try send(message, to: client)
            if types.contains(message.type) { return message.type }
        }
    }

    private func message(from socket: Int32, hasType: Bool = true) throws -> Message {
        let head = try read(hasType ? 5 : 4, from: socket)
        let length = head.suffix(4).reduce(0) { $0 << 8 | Int($1) }
        let body = try read(length - 4, from: socket)
        return Message(type: hasType ? Character(Unicode.Scalar(head[0])) : "0", bytes: head + body)
    }

    private func read(_ count: Int, from socket: Int32) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(count, 0))
        var filled = 0
        while filled < count {
            let got = unsafe bytes.withUnsafeMutableBytes {
                unsafe recv(socket, $0.baseAddress! + filled, count - filled, 0)
            }
            guard got > 0 else { throw Ended() }
            filled += got
        }
        return bytes
    }

    private func send(_ message: Message, to socket: Int32) throws {
        var sent = 0
        while sent < message.bytes.count {
            let count = unsafe message.bytes.withUnsafeBytes {
                unsafe Glibc.send(socket, $0.baseAddress! + sent, $0.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Ended() }
            sent += count
        }
    }
}
