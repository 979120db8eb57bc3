public import LatchkeySecrets
import LatchkeySystem

extension RandomSource {
    /// The same bytes for the same seed (SplitMix64). For tests alone.
    public static func seeded(_ seed: UInt64) -> RandomSource {
        let state = Locked(seed)
        return RandomSource { (bytes) throws(RandomSource.Unavailable) in
            for index in bytes.indices {
                bytes[index] = state.withLock { state -> UInt8 in
                    state &+= 0x9E37_79B9_7F4A_7C15
                    var mixed = state
                    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
                    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
                    return UInt8(truncatingIfNeeded: mixed ^ (mixed >> 31))
                }
            }
        }
    }

    /// A system that gives no random bytes.
    public static let exhausted = RandomSource { (_) throws(RandomSource.Unavailable) in throw Unavailable() }
}
