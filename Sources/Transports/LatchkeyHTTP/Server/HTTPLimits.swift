/// The bounds of a server.
public struct HTTPLimits: Sendable {
    /// The largest body, in bytes.
    public var body = 65_536
    /// The most bytes of header names and values together.
    public var headers = 16_384
    /// The most headers.
    public var headerCount = 100
    /// The most connections at once.
    public var connections = 256
    /// The most connections of one client that is no trusted proxy.
    public var connectionsPerClient = 64
    /// How long the headers of a connection's first request may take.
    public var headerTime = Duration.seconds(10)
    /// How long a whole request may take to arrive, and a response to be read.
    public var requestTime = Duration.seconds(30)
    /// How long a connection may be idle between two requests.
    public var idleTime = Duration.seconds(60)

    /// Creates the default bounds.
    public init() {}

    /// Connections above the limit that are told so, instead of being closed without a word.
    static let spare = 64
}
