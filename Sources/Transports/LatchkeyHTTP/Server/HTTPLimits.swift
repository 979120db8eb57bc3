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
    /// The maximum number of connections of one client, and of its requests behind a trusted proxy.
    public var connectionsPerClient = 64
    /// The maximum number of requests with an incomplete body. The other connections are reserved for requests without
    /// a body.
    public var uploads = 192
    /// The maximum number of requests of one client with an incomplete body.
    public var uploadsPerClient = 16
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
