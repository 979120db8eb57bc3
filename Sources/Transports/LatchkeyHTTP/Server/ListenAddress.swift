import CLinux
// The compiler assigns socket types to the C module that it reads first: this one or Glibc.
import CMicroHTTPD
import Glibc
package import LatchkeySystem

/// The address on which a server listens.
package enum ListenAddress: Hashable, Sendable {
    /// An address and a port. Port 0 lets the system choose a free port.
    case address(HTTPAddress, port: UInt16)
    /// The path of a Unix socket.
    case unix(path: String)

    /// The port without a setting.
    package static let standardPort: UInt16 = 8421

    /// The default: a port on the loopback interface.
    package static func standard(port: UInt16 = standardPort) -> ListenAddress {
        .address(HTTPAddress([127, 0, 0, 1]), port: port)
    }

    /// Parses `127.0.0.1:8421`, `[::1]:8421`, `localhost:8421`, `:8421` for all addresses, only a port, only an address, or
    /// `unix:PATH` with an absolute path; nil for anything else.
    ///
    /// - Parameter standardPort: the port of an address without one.
    package init?(_ text: String, standardPort: UInt16 = standardPort) {
        if text.hasPrefix("unix:") {
            let path = String(text.dropFirst(5))
            // The kernel stores at most 108 bytes, including a NUL (unix(7)).
            guard path.hasPrefix("/"), path.utf8.count < 108, !path.utf8.contains(0) else { return nil }
            self = .unix(path: path)
            return
        }
        // An IPv6 address needs brackets, because its last group could be a port.
        if text == "localhost" || text.hasSuffix("]") || HTTPAddress(text)?.bytes.count == 4 {
            self.init(text + ":" + String(standardPort))
            return
        }
        let colon = text.lastIndex(of: ":")
        let host = colon.map { text[..<$0] } ?? "127.0.0.1"
        let digits = colon.map { text[text.index(after: $0)...] } ?? text[...]
        guard let port = UInt16(digits), String(port) == digits else { return nil }
        switch host {
        case "": self = .address(HTTPAddress([UInt8](repeating: 0, count: 16)), port: port)
        case "localhost": self = .address(HTTPAddress([127, 0, 0, 1]), port: port)
        case _ where host.hasPrefix("[") && host.hasSuffix("]"):
            guard let address = HTTPAddress(host.dropFirst().dropLast()), address.bytes.count == 16 else { return nil }
            self = .address(address, port: port)
        default:
            guard let address = HTTPAddress(host), address.bytes.count == 4 else { return nil }
            self = .address(address, port: port)
        }
    }

    /// The address in the format that ``init(_:)`` parses.
    package var text: String {
        switch self {
        case .address(let address, let port):
            (address.bytes.count == 4 ? address.text : "[" + address.text + "]") + ":" + String(port)
        case .unix(let path): "unix:" + path
        }
    }

    /// The address for a client on this machine, such as the loopback address for a listener on all addresses.
    package var localText: String {
        guard case .address(let address, let port) = self, address.bytes.allSatisfy({ $0 == 0 }) else { return text }
        return Self.standard(port: port).text
    }

    /// Whether only this machine can connect.
    package var isLocal: Bool {
        switch self {
        case .address(let address, _): address.isLoopback
        case .unix: true
        }
    }
}

/// A socket that accepts connections. It is closed when it is released, unless a server has taken it over.
package final class ListenSocket: Sendable {
    /// The address of the socket, with the port that the system chose.
    package let address: ListenAddress
    private let socket: Locked<Int32?>

    /// Opens a socket.
    ///
    /// An abandoned Unix socket is replaced. Its user and group can connect (mode 0660).
    ///
    /// - Parameter group: the group of a Unix socket; nil for the process's group.
    /// - Throws: EEXIST for a path with a file that is not a socket; EPERM for a group without this user.
    package init(_ address: ListenAddress, group: UInt32? = nil) throws(SystemError) {
        switch address {
        case .unix(let path):
            socket = Locked(try Self.unix(path, group))
            self.address = address
        case .address(let host, let port):
            let number = try Self.network(host, port)
            socket = Locked(number)
            self.address = .address(host, port: Self.port(of: number) ?? port)
        }
    }

    /// Takes over a listening socket from the service manager (sd_listen_fds(3)); nil if `number` is not a listening
    /// socket.
    package init?(inherited number: Int32) {
        var isListening: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard unsafe getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0, isListening == 1 else {
            return nil
        }
        _ = latchkey_set_close_on_exec(number, 1)
        socket = Locked(number)
        address = Self.address(of: number) ?? .standard()
    }

    deinit { if let number = socket.withLock({ $0 }) { close(number) } }

    /// Transfers the socket to a new owner, who closes it.
    func take() -> Int32? {
        socket.withLock { socket in
            defer { socket = nil }
            return socket
        }
    }

    private static func network(_ host: HTTPAddress, _ port: UInt16) throws(SystemError) -> Int32 {
        let isIPv4 = host.bytes.count == 4
        let number = Glibc.socket(isIPv4 ? AF_INET : AF_INET6, Int32(SOCK_STREAM.rawValue) | closeOnExec, 0)
        guard number >= 0 else { throw SystemError(code: errno) }
        var on: Int32 = 1
        unsafe setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        let code: Int32
        if isIPv4 {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &address.sin_addr) { unsafe $0.copyBytes(from: host.bytes) }
            code = bound(number, to: &address)
        } else {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            unsafe withUnsafeMutableBytes(of: &address.sin6_addr) { unsafe $0.copyBytes(from: host.bytes) }
            code = bound(number, to: &address)
        }
        try listening(number, code)
        return number
    }

    private static func unix(_ path: String, _ group: UInt32?) throws(SystemError) -> Int32 {
        let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | closeOnExec, 0)
        guard number >= 0 else { throw SystemError(code: errno) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        // The file of a socket remains when its process is killed. It may only be replaced if it refuses connections.
        let isStale = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(number, address, socklen_t(MemoryLayout<sockaddr_un>.size)) != 0 && errno == ECONNREFUSED
            }
        }
        var status = stat()
        var code: Int32 = 0
        if isStale, unsafe lstat(path, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFSOCK { unsafe unlink(path) } else { code = EEXIST }
        }
        // Linux creates the file with the mode of the socket, less the umask. The umask itself belongs to all threads.
        if code == 0 { code = fchmod(number, 0o660) == 0 ? bound(number, to: &address) : errno }
        // Connections are refused until the socket listens.
        if code == 0, let group, unsafe lchown(path, .max, group) != 0 { code = errno }
        if code == 0, unsafe fchmodat(AT_FDCWD, path, 0o660, AT_SYMLINK_NOFOLLOW) != 0 { code = errno }
        try listening(number, code)
        return number
    }

    private static func bound<Address>(_ number: Int32, to address: inout Address) -> Int32 {
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(number, $0, socklen_t(MemoryLayout<Address>.size)) == 0 ? 0 : errno
            }
        }
    }

    private static func listening(_ number: Int32, _ code: Int32) throws(SystemError) {
        guard code == 0 else {
            close(number)
            throw SystemError(code: code)
        }
        guard listen(number, 128) == 0 else {
            let code = errno
            close(number)
            throw SystemError(code: code)
        }
    }

    private static func port(of number: Int32) -> UInt16? {
        guard case .address(_, let port)? = address(of: number) else { return nil }
        return port
    }

    private static func address(of number: Int32) -> ListenAddress? {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { storage in
            unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard unsafe getsockname(number, address, &size) == 0 else { return nil }
                guard let host = unsafe HTTPAddress(address) else {
                    let path = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_un.self).sun_path
                    let bytes = unsafe withUnsafeBytes(of: path) { unsafe Array($0.prefix { $0 != 0 }) }
                    return .unix(path: String(decoding: bytes, as: UTF8.self))
                }
                // The port is at the same offset in both structures.
                let port = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self).sin_port
                return .address(host, port: UInt16(bigEndian: port))
            }
        }
    }

    private static let closeOnExec = Int32(bitPattern: UInt32(SOCK_CLOEXEC.rawValue))
}
