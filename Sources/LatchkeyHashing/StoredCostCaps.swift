/// The most that a stored hash may ask for: whoever can write a row must not make the process take all memory.
public struct StoredCostCaps: Equatable, Sendable {
    /// KiB.
    public let memory: UInt32
    /// Passes over the memory.
    public let iterations: UInt32
    /// Lanes.
    public let parallelism: UInt32
    /// KiB times passes, to which the time is proportional.
    public let work: UInt64
    /// Of other schemes.
    public var imported = ImportedCostCaps()

    /// 256 MiB, 64 passes, 16 lanes, and 1 GiB of memory passed over, which takes about 0.7 seconds.
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

/// The most that a stored hash of another scheme than Argon2 may ask for. Each is about a second's work.
public struct ImportedCostCaps: Equatable, Sendable {
    /// The binary logarithm of bcrypt's rounds.
    public var bcryptCost = 14
    /// Rounds of sha256-crypt and sha512-crypt.
    public var shaRounds: UInt32 = 1_000_000
    /// The binary logarithm of scrypt's and yescrypt's N.
    public var scryptExponent: UInt32 = 17
    /// KiB of scrypt.
    public var scryptMemory = 256 << 10
    /// N times r times p of scrypt.
    public var scryptWork: UInt64 = 2 << 20
    /// KiB of yescrypt: those of `$y$jCT`.
    public var yescryptMemory = 128 << 10
    /// Iterations of PBKDF2, times the digests that a tag takes.
    public var pbkdf2Iterations: UInt32 = 4_000_000

    public init() {}
}
