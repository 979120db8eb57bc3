/// What a new hash costs: never less than the floor, which nothing configures away.
public struct Argon2Cost: Equatable, Sendable {
    /// Less than OWASP's Password Storage Cheat Sheet allows, or than Argon2 needs for so many lanes.
    public struct BelowFloor: Error, Equatable, Sendable {
        public init() {}
    }

    package let parameters: Argon2Parameters

    /// KiB.
    public var memory: UInt32 { parameters.memory }
    /// Passes over the memory.
    public var iterations: UInt32 { parameters.iterations }
    /// Lanes. They change the hash and not how many threads compute it, which is one.
    public var parallelism: UInt32 { parameters.parallelism }

    /// 65536 KiB, 3 passes, 1 lane: RFC 9106, section 4, second option, with one lane.
    public static let standard = Argon2Cost(parameters: .standard)

    /// KiB and passes that OWASP's Password Storage Cheat Sheet holds equal, each with one lane.
    static let floors: [(memory: UInt32, iterations: UInt32)] = [
        (47_104, 1), (19_456, 2), (12_288, 3), (9_216, 4), (7_168, 5),
    ]

    /// - Parameters:
    ///   - memory: KiB; with `iterations` at least one of 47104 and 1, 19456 and 2, 12288 and 3, 9216 and 4, 7168 and
    ///     5 (OWASP Password Storage Cheat Sheet).
    ///   - iterations: passes over the memory.
    ///   - parallelism: lanes, at least 1, with 8 KiB for each (RFC 9106, section 3.1).
    /// - Throws: ``BelowFloor``. What is too much, ``StoredCostCaps`` says, and ``Argon2Hasher`` refuses.
    public init(memory: UInt32, iterations: UInt32, parallelism: UInt32) throws(BelowFloor) {
        let isEnough = Self.floors.contains { memory >= $0.memory && iterations >= $0.iterations }
        guard isEnough,
            let parameters = Argon2Parameters(memory: memory, iterations: iterations, parallelism: parallelism)
        else { throw BelowFloor() }
        self.init(parameters: parameters)
    }

    private init(parameters: Argon2Parameters) { self.parameters = parameters }
}

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
