public import LatchkeySecrets
import LatchkeySystem

extension RandomSource {
    /// A source that returns the same bytes for the same seed. Only for tests.
    public static func seeded(_ seed: UInt64) -> RandomSource {
        let generator = Locked(SeededGenerator(seed: seed))
        return RandomSource { (bytes) throws(RandomSource.Unavailable) in
            for index in bytes.indices {
                bytes[index] = generator.withLock { UInt8(truncatingIfNeeded: $0.next()) }
            }
        }
    }

    /// A source that always fails.
    public static let exhausted = RandomSource { (_) throws(RandomSource.Unavailable) in throw Unavailable() }
}
