public import LatchkeySecrets

/// Hashes and verifies passwords on separate threads.
public protocol PasswordHasher: Sendable {
    /// Hashes a password with a random salt and the current parameters.
    ///
    /// - Parameter password: prepared by the OpaqueString profile (RFC 8265, section 4.2); not empty.
    /// - Returns: the hash with its ``PasswordHash/milliseconds``.
    func hash(_ password: Secret) async throws(HashError) -> PasswordHash

    /// Parses a stored hash without hashing anything.
    ///
    /// - Throws: ``HashError/unsupported``; ``HashError/costTooHigh``.
    func parse(_ stored: PasswordHash) throws(HashError) -> ParsedHash

    /// The ``HashTraits/milliseconds`` of a stored hash, without its other traits: an import asks for millions.
    ///
    /// - Throws: what ``parse(_:)`` throws.
    func milliseconds(of stored: PasswordHash) throws(HashError) -> Int

    /// A hash with the current parameters that no password matches.
    ///
    /// Verifying against it takes as long as verifying against a real hash.
    var decoy: PasswordHash { get }

    /// A fallback that no caller has recorded yet. Each is returned once.
    func takeFallback() -> HashFallback?

    /// Makes ``takeFallback()`` return a fallback again, because it could not be recorded.
    func returnFallback(_ fallback: HashFallback)
}

extension PasswordHasher {
    /// Uses ``parse(_:)``.
    public func milliseconds(of stored: PasswordHash) throws(HashError) -> Int { try parse(stored).traits.milliseconds }

    /// Nil: a hasher with one engine never falls back.
    public func takeFallback() -> HashFallback? { nil }

    /// Does nothing.
    public func returnFallback(_ fallback: HashFallback) {}
}

/// An engine computed a wrong tag in its self-test, so that a slower one replaced it.
public struct HashFallback: Equatable, Sendable {
    /// The name of the engine that failed, such as `avx512`.
    public let engine: String

    /// - Parameter engine: lowercase letters and digits.
    public init(engine: String) { self.engine = engine }
}

/// A stored hash that its hasher can verify, parsed once for every use.
public struct ParsedHash: Sendable {
    /// Verifies several spellings of a password on the hasher's own threads, without a break: all of them, whichever
    /// matches. If none does, it also spends the estimated time `filler` in milliseconds on each of them, with hashes like
    /// new ones, so that the work of a failure does not depend on the stored hash.
    ///
    /// - Returns: the index of the first spelling that matches; nil if none does.
    package typealias Verification =
        @Sendable (_ spellings: [Secret], _ filler: Int) async throws(HashError) -> Int?

    /// The properties that are visible without the password.
    public let traits: HashTraits
    package let verify: Verification

    package init(traits: HashTraits, verify: @escaping Verification) {
        self.traits = traits
        self.verify = verify
    }

    /// Whether a password that is prepared as for ``PasswordHasher/hash(_:)`` matches the hash.
    public func matches(_ password: Secret) async throws(HashError) -> Bool { try await verify([password], 0) != nil }
}

/// The properties of a stored hash that are visible without the password.
public struct HashTraits: Equatable, Sendable {
    /// One parameter of a scheme.
    public struct Parameter: Equatable, Sendable {
        /// The usual name: `m`, `rounds`, `cost`.
        public let name: String
        /// The value of the parameter.
        public let value: Int

        /// Creates a parameter.
        package init(_ name: String, _ value: Int) {
            self.name = name
            self.value = value
        }
    }

    /// The name of the scheme, such as `argon2id` or `sha512-crypt`.
    public let scheme: String
    /// The parameters in the scheme's own order.
    public let parameters: [Parameter]
    /// The comparison with new hashes.
    public let status: HashStatus
    /// Estimated milliseconds of one verification on an idle core of 2024.
    public let milliseconds: Int
    /// The number of password bytes that the scheme uses; nil for all.
    public let significantByteCount: Int?

    /// Creates the description of a hash.
    package init(
        scheme: String, parameters: [Parameter], status: HashStatus, milliseconds: Int, significantByteCount: Int? = nil
    ) {
        self.scheme = scheme
        self.parameters = parameters
        self.status = status
        self.milliseconds = milliseconds
        self.significantByteCount = significantByteCount
    }

    /// `m=65536,t=3,p=1`; empty if the scheme has no parameters.
    public var parameterText: String { Self.text(of: parameters) }

    /// Joins parameters as `name=value`.
    package static func text(of parameters: [Parameter]) -> String {
        parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
    }
}

/// The comparison of a stored hash with new hashes.
public enum HashStatus: String, Equatable, Sendable {
    case current
    /// Uses another scheme; a login rehashes it.
    case otherScheme = "scheme"
    /// Uses other parameters of the same scheme; a login rehashes it.
    case otherParameters = "parameters"
    /// More expensive than new hashes; not replaced unless a downgrade is allowed.
    case stronger
}

/// The reason why a password was not hashed or verified.
public enum HashError: Error, Equatable, Sendable {
    /// The scheme of the stored hash is unknown, or the hash is malformed.
    case unsupported
    /// The stored hash needs more memory or time than the limits allow. The library was not called.
    case costTooHigh
    /// Too many passwords wait to be hashed, or this one waited too long.
    case overloaded
    /// The system has too little memory.
    case outOfMemory
    case noRandomness
    /// The files that divide the memory between processes cannot be used.
    case store(StoreError)
}
