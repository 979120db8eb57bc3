/// The limits of a server.
public struct HTTPLimits: Sendable {
    /// The maximum size of a body in bytes.
    public var body = 65_536
    /// The maximum size of all header names and values together, in bytes.
    public var headers = 16_384
    /// The maximum number of headers.
    public var headerCount = 100
    /// The maximum number of open connections.
    public var connections = 256
    /// The maximum number of connections of one client. Trusted proxies are exempt.
    public var connectionsPerClient = 64
    /// The time limit for the headers of a connection's first request.
    public var headerTime = Duration.seconds(10)
    /// The time limit for receiving a whole request, and for sending a response.
    public var requestTime = Duration.seconds(30)
    /// The time limit for an idle connection between two requests.
    public var idleTime = Duration.seconds(60)

    /// The maximum time that a thread waits for events before it checks for overdue connections.
    package var stepTime = Duration.milliseconds(250)

    /// Creates the default limits.
    public init() {}

    /// The number of connections above the limit that receive a refusal. Further ones are closed without a response.
    static let spare = 64
}
