import Glibc

/// Where random bytes come from: the operating system, or a seeded source in a test.
public struct RandomSource: Sendable {
    /// The system would not give random bytes (exit status 71).
    public struct Unavailable: Error, Equatable, Sendable {
        public init() {}
    }

    /// Fills the span; up to 256 bytes at a time.
    public typealias Fill = @Sendable (inout MutableSpan<UInt8>) throws(Unavailable) -> Void

    private let fill: Fill

    public init(fill: @escaping Fill) { self.fill = fill }

    /// The kernel's generator: `getrandom(2)` through `getentropy(3)`, whose failure is an error and not an abort.
    public static let system = RandomSource { (bytes) throws(Unavailable) in
        let result = unsafe bytes.withUnsafeMutableBytes { buffer in
            // An empty span may have no address.
            unsafe buffer.baseAddress.map { unsafe getentropy($0, buffer.count) } ?? 0
        }
        guard result == 0 else { throw Unavailable() }
    }

    /// `count` random bytes, 0 to 256, for what is no secret: salts, ids.
    public func bytes(_ count: Int) throws(Unavailable) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        try fill(&span)
        return bytes
    }

    /// `count` random bytes, 0 to 256, in locked memory: tokens, codes, keys.
    public func secret(_ count: Int) throws(Unavailable) -> SecretBytes {
        var secret = SecretBytes(capacity: count)
        try unsafe secret.fill { (buffer) throws(Unavailable) in
            var span = unsafe buffer.mutableSpan
            try fill(&span)
            return count
        }
        return secret
    }
}
