import Glibc

/// Sends a short message to another process over a Unix socket.
package enum UnixDatagram {
    /// Sends a string. It is lost if no process receives it.
    ///
    /// - Parameter name: the path of the socket, or `@` followed by an abstract name (unix(7)); at most 107 bytes.
    package static func send(_ text: String, to name: String) {
        guard let first = name.utf8.first, name.utf8.count < 108 else { return }
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { path in
            unsafe path.copyBytes(from: name.utf8)
            if first == UInt8(ascii: "@") { unsafe path[0] = 0 }
        }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + name.utf8.count)
        let bytes = Array(text.utf8)
        unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = unsafe sendto(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, size)
            }
        }
    }
}
