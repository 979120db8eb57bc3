import Glibc

/// The IP address of a request, as reported by the caller.
///
/// The operating system user does not count as a source, because all logins may run as one user.
public struct RequestSource: Equatable, Sendable {
    /// The address in the format of RFC 5952. An IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2) is converted to
    /// IPv4.
    public let text: String
    /// The part of the address that identifies a source: the whole IPv4 address, or the 64-bit prefix of an IPv6
    /// address, the smallest that a subscriber gets (RFC 6177).
    let network: [UInt8]

    /// Nil unless `text` is an IPv4 or IPv6 address.
    public init?(_ text: String) {
        guard text.utf8.count <= Int(INET6_ADDRSTRLEN) else { return nil }
        if let bytes = Self.bytes(of: text, AF_INET, count: 4) {
            self.init(bytes)
        } else if let bytes = Self.bytes(of: text, AF_INET6, count: 16) {
            let isMapped = bytes.prefix(12).elementsEqual([UInt8](repeating: 0, count: 10) + [0xFF, 0xFF])
            self.init(isMapped ? Array(bytes.suffix(4)) : bytes)
        } else {
            return nil
        }
    }

    private init?(_ address: [UInt8]) {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = address.count == 4 ? AF_INET : AF_INET6
        guard unsafe inet_ntop(family, address, &buffer, socklen_t(buffer.count)) != nil else { return nil }
        text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        network = address.count == 4 ? address : Array(address.prefix(8))
    }

    private static func bytes(of text: String, _ family: Int32, count: Int) -> [UInt8]? {
        guard !text.utf8.contains(0) else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
