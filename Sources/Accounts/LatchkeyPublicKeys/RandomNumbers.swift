import CHogweed
import LatchkeySecrets

/// Random numbers for nettle, which asks for them through a callback that cannot fail.
final class RandomNumbers {
    private let source: RandomSource
    /// Whether the source failed once. A result from then on is not secret and must not be used.
    private var isExhausted = false
    private var fillCount: UInt64 = 0

    /// A source returns at most this number of bytes at a time.
    private static let largestPiece = 256

    private init(_ source: RandomSource) { self.source = source }

    /// Passes the context for ``callback`` to `body`.
    ///
    /// - Parameter body: returns nil if the computation failed.
    /// - Throws: ``SigningFailure/noRandomBytes`` if the source failed during `body`, whose result is then dropped.
    static func lend<Result>(
        from source: RandomSource, _ body: (UnsafeMutableRawPointer) -> Result?
    ) throws(SigningFailure) -> Result {
        let numbers = RandomNumbers(source)
        let result = unsafe body(Unmanaged.passUnretained(numbers).toOpaque())
        if numbers.isExhausted { throw .noRandomBytes }
        guard let result else { throw .incorrectResult }
        return result
    }

    /// Nettle's `nettle_random_func`.
    static let callback: @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<UInt8>?) -> Void = {
        unsafe RandomNumbers.fill(UnsafeMutableBufferPointer(start: $2, count: $1), context: $0)
    }

    private static func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>, context: UnsafeMutableRawPointer?) {
        guard let context = unsafe context else { return }
        unsafe Unmanaged<RandomNumbers>.fromOpaque(context).takeUnretainedValue().fill(buffer)
    }

    private func fill(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        var offset = 0
        while offset < buffer.count {
            let piece = unsafe UnsafeMutableBufferPointer(rebasing: buffer[offset...].prefix(Self.largestPiece))
            if !isExhausted { isExhausted = unsafe !isFilled(piece) }
            if isExhausted { unsafe fillAnyhow(piece) }
            offset += piece.count
        }
    }

    /// Whether the source returned random bytes for `piece`.
    private func isFilled(_ piece: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        do throws(RandomSource.Unavailable) {
            let bytes = try source.secret(piece.count)
            bytes.withBytes { bytes in
                for index in bytes.indices { unsafe piece[index] = bytes[index] }
            }
            return true
        } catch {
            return false
        }
    }

    /// Writes changing bytes, because nettle repeats a computation until its random number is suitable.
    private func fillAnyhow(_ buffer: UnsafeMutableBufferPointer<UInt8>) {
        for start in stride(from: 0, to: buffer.count, by: SHA256Digest.byteCount) {
            fillCount += 1
            let number = (0..<8).map { [fillCount] in UInt8(truncatingIfNeeded: fillCount >> (8 * $0)) }
            let block = SHA256Digest.of(number.span)
            for (index, byte) in block.prefix(buffer.count - start).enumerated() { unsafe buffer[start + index] = byte }
        }
    }
}
