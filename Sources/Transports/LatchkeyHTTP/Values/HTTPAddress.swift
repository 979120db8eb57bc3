// The compiler assigns socket types to the C module that it reads first: one of these two.
import CMicroHTTPD
import Glibc

/// An IP address of a host or a network.
package struct HTTPAddress: Hashable, Sendable {
    /// The address in 4 or 16 bytes. An IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2) has 4 bytes.
    let bytes: [UInt8]

    /// Parses an IPv4 or IPv6 address; nil for anything else.
    package init?(_ text: some StringProtocol) {
        var buffer = [UInt8](repeating: 0, count: 16)
        let text = String(text)
        guard text.utf8.count < Int(INET6_ADDRSTRLEN), !text.utf8.contains(0) else { return nil }
        if unsafe inet_pton(AF_INET, text, &buffer) == 1 {
            self.init(Array(buffer.prefix(4)))
        } else if unsafe inet_pton(AF_INET6, text, &buffer) == 1 {
            self.init(buffer)
        } else {
            return nil
        }
    }

    init(_ bytes: [UInt8]) {
        let isWrapped =
            bytes.count == 16 && bytes.prefix(12).elementsEqual([UInt8](repeating: 0, count: 10) + [255, 255])
        self.bytes = isWrapped ? Array(bytes.suffix(4)) : bytes
    }

    /// Whether the address is a loopback address: 127.0.0.0/8 or `::1`.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }

    /// The address in the format of RFC 5952.
    package var text: String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard unsafe inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The part of the address that identifies a client: the whole IPv4 address, or the 64-bit prefix of an IPv6
    /// address (RFC 6177).
    package var client: [UInt8] { bytes.count == 4 ? bytes : Array(bytes.prefix(8)) }

    /// The address of a socket; nil for a Unix socket.
    init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(unsafe address.pointee.sa_family) {
        case AF_INET:
            var address = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
            self.init(unsafe withUnsafeBytes(of: &address.sin_addr) { unsafe Array($0) })
        case AF_INET6:
            var address = unsafe UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self)
            self.init(unsafe withUnsafeBytes(of: &address.sin6_addr) { unsafe Array($0) })
        default: return nil
        }
    }
}

/// A network in CIDR notation, such as `10.0.0.0/8` (RFC 4632), or a single address.
package struct HTTPNetwork: Hashable, Sendable {
    private let address: HTTPAddress
    private let bits: Int

    /// Parses a network; nil if it is invalid or has bits set after its prefix.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = HTTPAddress(parts[0]) else { return nil }
        var bits = address.bytes.count * 8
        if parts.count == 2 {
            guard let given = Int(parts[1]), String(given) == parts[1], 0...bits ~= given else { return nil }
            bits = given
        }
        self.address = address
        self.bits = bits
        for index in bits..<address.bytes.count * 8 where address.bit(index) { return nil }
    }

    /// Whether the network contains `address`.
    package func contains(_ address: HTTPAddress) -> Bool {
        guard address.bytes.count == self.address.bytes.count else { return false }
        return (0..<bits).allSatisfy { address.bit($0) == self.address.bit($0) }
    }
}

extension HTTPAddress {
    fileprivate func bit(_ index: Int) -> Bool { bytes[index / 8] >> (7 - index % 8) & 1 == 1 }
}
