import Glibc
import LatchkeyHTTP
import LatchkeySystem
import TestSupport

/// A client that sends exactly the given bytes.
///
/// Its calls block, so they run on separate threads. On Swift's pool they would block the server's tasks.
struct RawClient: Sendable {
    private static let threads = WorkerThreads(count: 64, waitingLimit: 512)

    private let socket: Int32

    init(_ address: ListenAddress) throws {
        switch address {
        case .address(_, let port):
            socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            try Self.connect(socket, &address)
        case .unix(let path):
            socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
            try Self.connect(socket, &address)
        }
        // A time limit for a test that has already failed.
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    private static func connect<Address>(_ socket: Int32, _ address: inout Address) throws {
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(socket, $0, socklen_t(MemoryLayout<Address>.size))
            }
        }
        guard code == 0 else { throw SystemError(code: errno) }
    }

    func send(_ text: String) {
        let bytes = Array(text.utf8)
        // A server that has refused the request may have closed the connection already.
        _ = unsafe Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }

    func close() { _ = Glibc.close(socket) }

    /// Reads until the server closes the connection; nil if it does not.
    func rest() async throws -> String? {
        try await Self.threads.run { [socket] in
            var read: [UInt8] = []
            while true {
                let piece = Self.receive(socket)
                guard let piece else { return nil }
                if piece.isEmpty { return String(decoding: read, as: UTF8.self) }
                read += piece
            }
        }
    }

    /// Reads one response with a `Content-Length`.
    func response() async throws -> Response? {
        try await Self.threads.run { [socket] in
            var read: [UInt8] = []
            while true {
                if let response = Response(String(decoding: read, as: UTF8.self)) { return response }
                guard let piece = Self.receive(socket), !piece.isEmpty else { return nil }
                read += piece
            }
        }
    }

    /// Sends a request and reads its response.
    func ask(_ text: String) async throws -> Response? {
        send(text)
        return try await response()
    }

    private static func receive(_ socket: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = unsafe recv(socket, &buffer, buffer.count, 0)
        // A reset counts as the end, because the server closed the connection while more bytes were arriving.
        if count < 0 { return errno == ECONNRESET ? [] : nil }
        return Array(buffer.prefix(count))
    }

    struct Response: Sendable {
        let status: Int
        let headers: [String: String]
        let body: String

        /// Nil if the response is incomplete.
        init?(_ text: String, hasBody: Bool = true) {
            let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            let lines = parts[0].split(separator: "\r\n")
            guard let status = lines.first?.split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else {
                return nil
            }
            var headers: [String: String] = [:]
            for line in lines.dropFirst() {
                let sides = line.split(separator: ": ", maxSplits: 1)
                headers[sides[0].lowercased()] = sides.count > 1 ? String(sides[1]) : ""
            }
            let length = headers["content-length"].flatMap { Int($0) } ?? 0
            guard !hasBody || parts[1].utf8.count >= length else { return nil }
            self.status = status
            self.headers = headers
            body = String(parts[1])
        }
    }
}

extension RunningServer {
    func client() throws -> RawClient { try RawClient(address) }
}
