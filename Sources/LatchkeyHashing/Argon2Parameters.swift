/// What an Argon2id hash was or is to be made with (RFC 9106, section 3.1). Says nothing of whether that is too little
/// or too much: ``Argon2Cost`` and ``StoredCostCaps`` do.
package struct Argon2Parameters: Equatable, Sendable {
    /// KiB, at least 8 for each lane.
    package let memory: UInt32
    /// Passes over the memory, at least 1.
    package let iterations: UInt32
    /// Lanes, at least 1.
    package let parallelism: UInt32

    /// Nil for what RFC 9106, section 3.1 rules out.
    package init?(memory: UInt32, iterations: UInt32, parallelism: UInt32) {
        guard iterations >= 1, 1...0xFF_FFFF ~= parallelism, memory >= 8 * parallelism else { return nil }
        self.init(unchecked: memory, iterations, parallelism)
    }

    private init(unchecked memory: UInt32, _ iterations: UInt32, _ parallelism: UInt32) {
        self.memory = memory
        self.iterations = iterations
        self.parallelism = parallelism
    }

    /// RFC 9106, section 4, second option, with one lane for its four: a login has one core to itself at best.
    static let standard = Argon2Parameters(unchecked: 65_536, 3, 1)

    /// KiB times passes, to which the time is proportional.
    var work: UInt64 { UInt64(memory) * UInt64(iterations) }

    /// Of one hash, on a core of 2024: 122 for 64 MiB and three passes.
    var milliseconds: Double { Double(work) / Double(3 << 16) * 122 }
}
