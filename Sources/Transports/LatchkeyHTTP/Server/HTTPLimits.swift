/// The limits of a server.
package struct HTTPLimits: Sendable {
    /// The maximum size of a body in bytes.
    package var body = 65_536
    /// The maximum size of all header names and values together, in bytes.
    package var headers = 16_384
    /// The maximum number of headers.
    package var headerCount = 100
    /// The maximum number of open connections.
    package var connections = 256
    /// The maximum number of connections of one client, and of its requests behind a trusted proxy.
    package var connectionsPerClient = 64
    /// The maximum number of requests with an incomplete body. The other connections are reserved for requests without
    /// a body.
    package var uploads = 192
    /// The maximum number of requests of one client with an incomplete body.
    package var uploadsPerClient = 16
    /// The time limit for the headers of a connection's first request.
    package var headerTime = Duration.seconds(10)
    /// The time limit for receiving a whole request, and for sending a response.
    package var requestTime = Duration.seconds(30)
    /// The time limit for an idle connection between two requests.
    package var idleTime = Duration.seconds(60)

    /// The maximum time that a thread waits for events before it checks for overdue connections.
    package var stepTime = Duration.milliseconds(250)

    /// Creates the default limits.
    package init() {}

    /// The number of connections above the limit that receive a refusal. Further ones are closed without a response.
    static let spare = 64
}
