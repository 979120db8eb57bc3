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

    /// How it stands to the hashes that are made now.
    public enum Standing: String, Equatable, Sendable {
        case current
        /// Of another scheme, and so made anew.
        case otherScheme = "scheme"
        /// Of the same scheme with other parameters, and so made anew.
        case otherParameters = "parameters"
        /// Dearer than those made now: left alone, unless a downgrade is allowed.
        case stronger
    }

    /// By name, such as `argon2id` or `sha512-crypt`.
    public let scheme: String
    /// In the scheme's own order.
    public let parameters: [Parameter]
    public let standing: Standing
    /// Milliseconds of one verification, on a machine of 2024 with one core to itself. An estimate.
    public let milliseconds: Int
    /// How many bytes of a password the scheme looks at; nil for all.
    public let provedByteCount: Int?

    package init(
        scheme: String, parameters: [Parameter], standing: Standing, milliseconds: Int, provedByteCount: Int? = nil
    ) {
        self.scheme = scheme
        self.parameters = parameters
        self.standing = standing
        self.milliseconds = milliseconds
        self.provedByteCount = provedByteCount
    }

    /// `m=65536,t=3,p=1`; empty where the scheme has no parameters.
    public var parameterText: String { Self.text(of: parameters) }

    package static func text(of parameters: [Parameter]) -> String {
        parameters.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
    }

    /// Whether it is made anew once a password of `byteCount` bytes has been found right.
    package func isRenewed(knowing byteCount: Int, allowingDowngrade: Bool) -> Bool {
        // What a scheme cuts off was never proved: a hash of all of it could lock out its owner.
        if let provedByteCount, byteCount > provedByteCount { return false }
        return switch standing {
        case .current: false
        case .otherScheme, .otherParameters: true
        case .stronger: allowingDowngrade
        }
    }
}
