/// The lifetimes of tokens (RFC 6749, section 1.5), which an operator can change.
public struct OpenIDSettings: Equatable, Sendable {
    /// Whether applications can use the provider.
    public var isEnabled = true
    /// The lifetime of an access token.
    public var accessLifetime = Duration.seconds(600)
    /// The lifetime of an ID token.
    public var idTokenLifetime = Duration.seconds(300)
    /// The maximum time between two uses of a grant's refresh tokens.
    public var refreshIdle = Duration.seconds(30 * 86400)
    /// The maximum lifetime of a grant.
    public var grantLifetime = Duration.seconds(180 * 86400)

    public init() {}

    /// The lifetime of a code. RFC 6749, section 4.1.2, recommends at most ten minutes.
    static let codeLifetime = Duration.seconds(60)
    /// The time within which a refresh can be repeated.
    static let leeway = Duration.seconds(10)
    /// The maximum number of access tokens from repetitions of one refresh.
    static let mostRepetitions = 16
    /// The time for which used refresh tokens are stored, to notice that one was stolen.
    static let usedTokenLifetime = Duration.seconds(7 * 86400)
}
