/// The maximum cost of a stored Argon2 hash. It prevents a malicious row from using up the memory.
public struct StoredCostCaps: Equatable, Sendable {
    /// The memory in KiB.
    public let memory: UInt32
    /// The passes over the memory.
    public let iterations: UInt32
    /// The lanes.
    public let parallelism: UInt32
    /// KiB times passes; the time is proportional to it.
    public let work: UInt64
    /// The limits for other schemes.
    public var imported = ImportedCostCaps()

    /// 256 MiB, 64 passes, 16 lanes, and passes over 1 GiB in total, which take about 0.7 seconds.
    public static let standard = StoredCostCaps(
        memory: 256 << 10, iterations: 64, parallelism: 16, work: 1 << 20)

    /// - Parameters:
    ///   - memory: KiB.
    ///   - iterations: passes over the memory.
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

/// The maximum cost of a stored hash with a scheme other than Argon2. Each limit is about a second of work.
public struct ImportedCostCaps: Equatable, Sendable {
    /// The binary logarithm of bcrypt's rounds.
    public var bcryptCost = 14
    /// The rounds of sha256-crypt and sha512-crypt.
    public var shaRounds: UInt32 = 1_000_000
    /// The binary logarithm of scrypt's and yescrypt's N.
    public var scryptExponent: UInt32 = 17
    /// The KiB of scrypt.
    public var scryptMemory = 256 << 10
    /// N times r times p of scrypt.
    public var scryptWork: UInt64 = 2 << 20
    /// The KiB of yescrypt: the memory of `$y$jCT`.
    public var yescryptMemory = 128 << 10
    /// The iterations of PBKDF2, times the number of digests per tag.
    public var pbkdf2Iterations: UInt32 = 4_000_000

    /// Creates the default limits.
    public init() {}
}
