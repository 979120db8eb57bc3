/// The most that a stored hash of another scheme than Argon2 may ask for. Each is about a second's work.
public struct ForeignCostCaps: Equatable, Sendable {
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
