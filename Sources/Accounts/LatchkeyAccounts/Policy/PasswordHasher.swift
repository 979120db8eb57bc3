public import LatchkeySecrets

/// Hashes and verifies passwords on separate threads.
public protocol PasswordHasher: Sendable {
    /// Hashes a password with a random salt and the current parameters.
    ///
    /// - Parameter password: a nonempty password, prepared with the OpaqueString profile (RFC 8265, section 4.2).
    /// - Returns: the hash with its `PasswordHash.milliseconds`.
    func hash(_ password: Secret) async throws(HashError) -> PasswordHash

    /// Parses a stored hash without hashing anything.
    ///
    /// - Throws: ``HashError/unsupported``; ``HashError/costTooHigh``.
    func parse(_ stored: PasswordHash) throws(HashError) -> ParsedHash

    /// The ``HashTraits/milliseconds`` of a stored hash, without the other traits. An import calls this for millions of
    /// hashes.
    ///
    /// - Throws: the same errors as ``parse(_:)``.
    func milliseconds(of stored: PasswordHash) throws(HashError) -> Int

    /// A hash with the current parameters that matches no password.
    ///
    /// Verifying against it takes as long as verifying against a real hash.
    var decoy: PasswordHash { get }

    /// The latest fallback that was not recorded yet. Each fallback is returned once.
    func takeFallback() -> HashFallback?

    /// Makes ``takeFallback()`` return a fallback again if it could not be recorded.
    func returnFallback(_ fallback: HashFallback)
}

extension PasswordHasher {
    /// The default implementation calls ``parse(_:)``.
    public func milliseconds(of stored: PasswordHash) throws(HashError) -> Int { try parse(stored).traits.milliseconds }

    /// The default for a hasher with a single engine, which never falls back.
    public func takeFallback() -> HashFallback? { nil }

    /// The default for a hasher with a single engine: does nothing.
    public func returnFallback(_ fallback: HashFallback) {}
}

/// The failure of an engine in its self-test. A slower engine replaced it.
public struct HashFallback: Equatable, Sendable {
    /// The name of the engine that failed, such as `avx512`.
    public let engine: String

    /// - Parameter engine: the name of the engine, in lowercase letters and digits.
    public init(engine: String) { self.engine = engine }
}

/// A stored hash that its hasher can verify, parsed once and then reused.
public struct ParsedHash: Sendable {
    /// Verifies every spelling of a password in one job on the hasher's threads, even after one matches. If none matches, it computes further hashes like new ones until it has taken the time of hashes with the
    /// estimated milliseconds `work`, one for each spelling. The work of a failure then does not depend on the stored
    /// hash. If `work` is 0, it computes no further hashes.
    ///
    /// - Returns: the index of the first spelling that matches; nil if none does.
    package typealias Verification =
        @Sendable (_ spellings: [Secret], _ work: Int) async throws(HashError) -> Int?

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
        /// The usual name of the parameter: `m`, `rounds`, `cost`.
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
    /// The parameters in the scheme's usual order.
    public let parameters: [Parameter]
    /// The status of the hash relative to new hashes.
    public let status: HashStatus
    /// The estimated milliseconds of one verification on an idle core of 2024.
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

    /// The parameters as a string, such as `m=65536,t=3,p=1`; empty if the scheme has none.
    public var parameterText: String { Self.text(of: parameters) }

    /// Joins parameters as `name=value`.
    package static func text(of parameters: [Parameter]) -> String {
        parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
    }
}

/// The status of a stored hash relative to new hashes.
public enum HashStatus: String, Equatable, Sendable {
    case current
    /// The hash uses another scheme. A login rehashes the password.
    case otherScheme = "scheme"
    /// The hash uses other parameters of the same scheme. A login rehashes the password.
    case otherParameters = "parameters"
    /// The hash is more expensive than new hashes. It is only replaced if a downgrade is allowed.
    case stronger
}

/// The reason why a password was not hashed or verified.
public enum HashError: Error, Equatable, Sendable {
    /// The scheme of the stored hash is unknown, or the hash is malformed.
    case unsupported
    /// The stored hash needs more memory or time than the limits allow. The library was not called.
    case costTooHigh
    /// Too many passwords are waiting to be hashed, or this one waited too long.
    case overloaded
    /// The system does not have enough memory.
    case outOfMemory
    case noRandomness
    /// The files that divide the memory between processes cannot be used.
    case store(StoreError)
}
