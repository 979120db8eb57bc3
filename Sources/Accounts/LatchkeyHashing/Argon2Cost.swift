/// The cost of new hashes, which is never below a fixed minimum.
public struct Argon2Cost: Equatable, Sendable {
    /// The cost is below the minimum of OWASP's Password Storage Cheat Sheet, or its memory is too small for the lanes.
    public struct BelowFloor: Error, Equatable, Sendable {
        /// Creates the error.
        public init() {}
    }

    /// The parameters of Argon2id with this cost.
    package let parameters: Argon2Parameters

    /// The memory in KiB.
    public var memory: UInt32 { parameters.memory }
    /// The number of passes over the memory.
    public var iterations: UInt32 { parameters.iterations }
    /// The number of lanes. It affects the hash, but one thread computes all lanes.
    public var parallelism: UInt32 { parameters.parallelism }

    /// 65536 KiB, 3 passes and 1 lane. This is the second option of RFC 9106, section 4, but with one lane instead of
    /// four.
    public static let standard = Argon2Cost(parameters: .standard)

    /// The minimum pairs of KiB and passes, each with one lane. OWASP's Password Storage Cheat Sheet considers them
    /// equivalent.
    package static let floors: [(memory: UInt32, iterations: UInt32)] = [
        (47_104, 1), (19_456, 2), (12_288, 3), (9_216, 4), (7_168, 5),
    ]

    /// - Parameters:
    ///   - memory: the memory in KiB. With `iterations`, it must reach one of these pairs: 47104 and 1, 19456 and 2,
    ///     12288 and 3, 9216 and 4, or 7168 and 5 (OWASP Password Storage Cheat Sheet).
    ///   - iterations: the number of passes over the memory.
    ///   - parallelism: the number of lanes, at least 1; each needs 8 KiB (RFC 9106, section 3.1).
    /// - Throws: ``BelowFloor``. ``Argon2Hasher`` refuses a cost above ``StoredCostCaps``.
    public init(memory: UInt32, iterations: UInt32, parallelism: UInt32) throws(BelowFloor) {
        let isEnough = Self.floors.contains { memory >= $0.memory && iterations >= $0.iterations }
        guard isEnough,
            let parameters = Argon2Parameters(memory: memory, iterations: iterations, parallelism: parallelism)
        else { throw BelowFloor() }
        self.init(parameters: parameters)
    }

    private init(parameters: Argon2Parameters) { self.parameters = parameters }
}

/// The parameters of an Argon2id hash (RFC 9106, section 3.1).
///
/// ``Argon2Cost`` and ``StoredCostCaps`` limit the values.
package struct Argon2Parameters: Equatable, Sendable {
    /// The memory in KiB, at least 8 per lane.
    package let memory: UInt32
    /// The number of passes over the memory, at least 1.
    package let iterations: UInt32
    /// The number of lanes, at least 1.
    package let parallelism: UInt32

    /// Creates parameters; nil if RFC 9106, section 3.1, does not allow them.
    package init?(memory: UInt32, iterations: UInt32, parallelism: UInt32) {
        guard iterations >= 1, 1...0xFF_FFFF ~= parallelism, memory >= 8 * parallelism else { return nil }
        self.init(unchecked: memory, iterations, parallelism)
    }

    private init(unchecked memory: UInt32, _ iterations: UInt32, _ parallelism: UInt32) {
        self.memory = memory
        self.iterations = iterations
        self.parallelism = parallelism
    }

    /// The second option of RFC 9106, section 4, but with one lane instead of four, because a login gets at most one
    /// core.
    static let standard = Argon2Parameters(unchecked: 65_536, 3, 1)

    /// KiB times passes. The time of a hash is proportional to it.
    var work: UInt64 { UInt64(memory) * UInt64(iterations) }

    /// The estimated milliseconds of one hash on a core of 2024: 122 for 64 MiB and three passes.
    var milliseconds: Double { Double(work) / Double(3 << 16) * 122 }
}
