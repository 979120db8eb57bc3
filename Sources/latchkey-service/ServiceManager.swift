import Glibc
import LatchkeyHTTP
import LatchkeySystem

/// The protocol of service managers such as systemd: sockets that they open, and news that they wait for.
enum ServiceManager {
    /// Tells the service manager about a state (sd_notify(3)); does nothing without one.
    static func notify(_ state: String) {
        guard let name = variable("NOTIFY_SOCKET"), let first = name.utf8.first, name.utf8.count < 108 else { return }
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
            unsafe path.copyBytes(from: name.utf8)
            // An abstract socket: its name begins with a NUL.
            if first == UInt8(ascii: "@") { unsafe path[0] = 0 }
        }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
        let bytes = Array(state.utf8)
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = unsafe sendto(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, size)
            }
        }
    }

    /// The sockets that the service manager has opened for this process (sd_listen_fds(3)).
    static func sockets(_ inherited: InheritedEnvironment?) -> [ListenSocket] {
        guard let inherited, variable("LISTEN_PID").flatMap({ Int32($0) }) == getpid(),
            let count = variable("LISTEN_FDS").flatMap({ Int32($0) }), 1...64 ~= count
        else { return [] }
        return (3..<3 + count).filter(inherited.has).compactMap { ListenSocket(inherited: $0) }
    }

    private static func variable(_ name: String) -> String? {
        unsafe getenv(name).flatMap { unsafe String(validatingCString: $0) }
    }
}
