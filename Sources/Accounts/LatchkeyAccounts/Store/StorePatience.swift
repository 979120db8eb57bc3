import LatchkeySystem

/// The time that one request may wait for a store that does not answer, over all of its transactions.
///
/// Without a limit, a frozen server would hold each request, and the threads behind it, until it answers.
package final class StorePatience: Sendable {
    /// The time that is left for the request of the current task; nil outside of requests.
    @TaskLocal package static var current: StorePatience?

    /// The limit of a request, and of each transaction outside of requests. With the last connection attempt, a request
    /// takes less than 30 s.
    package static let limit = Duration.seconds(20)

    private let left: Locked<Duration>

    package init(_ limit: Duration = StorePatience.limit) { left = Locked(limit) }

    /// The time that is left for waiting.
    package var rest: Duration { left.withLock { max($0, .zero) } }

    /// Spends the time that a transaction took.
    package func spend(_ time: Duration) { left.withLock { $0 -= time } }
}
