import LatchkeyHashing
import LatchkeySecrets
import TestSupport
import Testing

struct Cost: Decodable {
    let memory: UInt32
    let iterations: UInt32
    let parallelism: UInt32
    let allowed: Bool
    let why: String
}

extension Argon2Parameters {
    /// The cheapest parameters that Argon2 allows: some microseconds.
    static var least: Argon2Parameters {
        get throws { try #require(Argon2Parameters(memory: 8, iterations: 1, parallelism: 1)) }
    }
}

extension SeededGenerator {
    mutating func bytes(_ counts: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: counts, using: &self)).map { _ in UInt8.random(in: .min ... .max, using: &self) }
    }
}
