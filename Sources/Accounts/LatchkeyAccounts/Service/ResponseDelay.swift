/// Delays a response until a multiple of an interval after the request.
///
/// Hashes differ in cost, so an immediate response would reveal which accounts have expensive ones. A random delay
/// would not help, because averaging removes it.
public struct ResponseDelay: Sendable {
    /// The time on a monotonic clock.
    let now: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async -> Void

    /// - Parameters:
    ///   - now: the time on a monotonic clock.
    ///   - sleep: waits for a duration.
    public init(now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// Responds immediately. Used for operators, who can read the hashes anyway.
    public static let none = ResponseDelay(now: { .zero }, sleep: { _ in })

    /// A copy of the delay that calls `body` first and ignores cancellation. A client that pretends to disconnect must
    /// not learn more from an early response.
    func preceded(by body: @escaping @Sendable () -> Void) -> ResponseDelay {
        ResponseDelay(now: now) { [sleep] duration in
            body()
            await Task.detached { await sleep(duration) }.value
        }
    }

    /// Returns at the next multiple of `interval` after `arrival`.
    func wait(since arrival: Duration, interval: Duration) async {
        let elapsed = max(now() - arrival, .zero)
        let slots = Int64((elapsed / interval).rounded(.up))
        await sleep(interval * max(slots, 1) - elapsed)
    }

    /// - Parameter slowest: the estimated milliseconds of the slowest verification.
    /// - Returns: twice the estimate, because a machine may be slower or busy; a multiple of 50 ms, at least 250 ms.
    static func interval(slowest: Int) -> Duration {
        .milliseconds(max(250, (2 * slowest + 49) / 50 * 50))
    }
}
