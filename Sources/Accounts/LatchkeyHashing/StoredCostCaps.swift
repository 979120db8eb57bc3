/// The maximum cost of a stored Argon2 hash. It prevents a manipulated row from exhausting the memory.
public struct StoredCostCaps: Equatable, Sendable {
    /// The memory in KiB.
    public let memory: UInt32
    /// The number of passes over the memory.
    public let iterations: UInt32
    /// The number of lanes.
    public let parallelism: UInt32
    /// KiB times passes. The time of a hash is proportional to it.
    public let work: UInt64
    /// The limits for other schemes.
    public var imported = ImportedCostCaps()

    /// 256 MiB, 64 passes and 16 lanes. Memory times passes is limited to 1 GiB, which takes about 0.7 seconds.
    public static let standard = StoredCostCaps(
        memory: 256 << 10, iterations: 64, parallelism: 16, work: 1 << 20)

    /// - Parameters:
    ///   - memory: KiB.
    ///   - iterations: the number of passes over the memory.
    ///   - parallelism: lanes.
    ///   - work: KiB times passes.
    public init(memory: UInt32, iterations: UInt32, parallelism: UInt32, work: UInt64) {
        self.memory = memory
        self.iterations = iterations
        self.parallelism = parallelism
        self.work = work
    }

    func allow(_ parameters: Argon2Parameters) -> Bool {
        parameters.memory <= memory && parameters.iterations <= iterations && parameters.parallelism <= parallelism
            && parameters.work <= work
    }
}

/// The maximum cost of a stored hash with a scheme other than Argon2. Each limit allows about a second of work.
public struct ImportedCostCaps: Equatable, Sendable {
    /// The binary logarithm of bcrypt's number of rounds.
    public var bcryptCost = 14
    /// The number of rounds of sha256-crypt and sha512-crypt.
    public var shaRounds: UInt32 = 1_000_000
    /// The binary logarithm of scrypt's and yescrypt's N.
    public var scryptExponent: UInt32 = 17
    /// The memory of scrypt in KiB.
    public var scryptMemory = 256 << 10
    /// N × r × p of scrypt.
    public var scryptWork: UInt64 = 2 << 20
    /// The memory of yescrypt in KiB. The default is that of `$y$jCT`.
    public var yescryptMemory = 128 << 10
    /// The number of PBKDF2 iterations, times the number of digests per tag.
    public var pbkdf2Iterations: UInt32 = 4_000_000

    /// Creates the default limits.
    public init() {}
}
