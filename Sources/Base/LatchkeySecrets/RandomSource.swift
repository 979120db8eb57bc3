import Glibc

/// A source of random bytes: the operating system, or a seeded generator in a test.
public struct RandomSource: Sendable {
    /// The system did not return random bytes (exit status 71).
    public struct Unavailable: Error, Equatable, Sendable {
        /// Creates the error.
        public init() {}
    }

    /// Fills a span of up to 256 bytes.
    public typealias Fill = @Sendable (inout MutableSpan<UInt8>) throws(Unavailable) -> Void

    private let fill: Fill

    /// Creates a source that gets all bytes from `fill`.
    public init(fill: @escaping Fill) { self.fill = fill }

    /// The kernel's generator: `getrandom(2)` through `getentropy(3)`, which reports failures as errors.
    public static let system = RandomSource { (bytes) throws(Unavailable) in
        let result = unsafe bytes.withUnsafeMutableBytes { buffer in
            // An empty span may have a null pointer.
            unsafe buffer.baseAddress.map { unsafe getentropy($0, buffer.count) } ?? 0
        }
        guard result == 0 else { throw Unavailable() }
    }

    /// `count` random bytes (0 to 256) for values that are not secret, such as salts and IDs.
    public func bytes(_ count: Int) throws(Unavailable) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var span = bytes.mutableSpan
        try fill(&span)
        return bytes
    }

    /// `count` random bytes (0 to 256) in locked memory, for tokens, codes and keys.
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
