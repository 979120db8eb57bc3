import LatchkeyHashing
import LatchkeySecrets
import Testing

struct Cost: Decodable {
    let memory: UInt32
    let iterations: UInt32
    let parallelism: UInt32
    let allowed: Bool
    let why: String
}

extension Argon2Parameters {
    /// The least that Argon2 allows: some microseconds.
    static var least: Argon2Parameters {
        get throws { try #require(Argon2Parameters(memory: 8, iterations: 1, parallelism: 1)) }
    }
}

extension Secret {
    convenience init(_ text: String) { self.init(copying: Array(text.utf8).span) }
}

/// SplitMix64: the same numbers in each run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ counts: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: counts, using: &self)).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }
}
