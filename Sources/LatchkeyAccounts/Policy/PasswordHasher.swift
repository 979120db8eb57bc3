public import LatchkeySecrets

/// Turns passwords into hashes and judges them, on threads of its own.
public protocol PasswordHasher: Sendable {
    /// Hashes a password with a fresh random salt at the parameters in force.
    ///
    /// - Parameter password: prepared as RFC 8265, section 4.2 (OpaqueString) says; not empty.
    func hash(_ password: Secret) async throws(HashError) -> PasswordHash

    /// Whether `password`, prepared likewise, is the one that `stored` was made of.
    func verify(_ password: Secret, against stored: PasswordHash) async throws(HashError) -> Bool

    /// A hash of nothing at the parameters in force, with a random salt made at start: verifying against it costs what
    /// verifying against a real one costs, and no password matches.
    var decoy: PasswordHash { get }

    /// What `stored` is, without hashing anything.
    ///
    /// - Throws: ``HashError/unsupported`` and ``HashError/costTooHigh``, as verifying against it would.
    func examine(_ stored: PasswordHash) throws(HashError) -> HashTraits
}

/// What a stored hash tells without a password.
public struct HashTraits: Equatable, Sendable {
    /// One parameter of its scheme.
    public struct Parameter: Equatable, Sendable {
        /// As operators know it: `m`, `rounds`, `cost`.
        public let name: String
        public let value: Int

        package init(_ name: String, _ value: Int) {
            self.name = name
            self.value = value
        }
    }

    /// By name, such as `argon2id` or `sha512-crypt`.
    public let scheme: String
    /// In the scheme's own order.
    public let parameters: [Parameter]
    public let status: HashStatus
    /// Milliseconds of one verification, on a machine of 2024 with one core to itself. An estimate.
    public let milliseconds: Int
    /// How many bytes of a password the scheme looks at; nil for all.
    public let significantByteCount: Int?

    package init(
        scheme: String, parameters: [Parameter], status: HashStatus, milliseconds: Int, significantByteCount: Int? = nil
    ) {
        self.scheme = scheme
        self.parameters = parameters
        self.status = status
        self.milliseconds = milliseconds
        self.significantByteCount = significantByteCount
    }

    /// `m=65536,t=3,p=1`; empty where the scheme has no parameters.
    public var parameterText: String { Self.text(of: parameters) }

    package static func text(of parameters: [Parameter]) -> String {
        parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
    }
}

/// How it stands to the hashes that are made now.
public enum HashStatus: String, Equatable, Sendable {
    case current
    /// Of another scheme, and so made anew.
    case otherScheme = "scheme"
    /// Of the same scheme with other parameters, and so made anew.
    case otherParameters = "parameters"
    /// Dearer than those made now: left alone, unless a downgrade is allowed.
    case stronger
}

/// Why nothing was hashed or verified.
public enum HashError: Error, Equatable, Sendable {
    /// The stored hash is of no scheme known here, or malformed.
    case unsupported
    /// The stored hash asks for more memory or time than the caps allow; the library was not called.
    case costTooHigh
    /// More waits for the hashing threads than may wait, or has waited for too long.
    case overloaded
    /// The system has no memory for it.
    case outOfMemory
    case noRandomness
    /// The files by which processes share their memory cannot be used.
    case store(StoreError)
}
