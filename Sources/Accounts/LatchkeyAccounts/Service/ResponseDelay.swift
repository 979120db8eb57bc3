/// Delays a response until the next multiple of an interval since the request.
///
/// Hashes differ in cost: an immediate response would reveal which account has an expensive one. A random delay would
/// not help, because averaging removes it.
public struct ResponseDelay: Sendable {
    /// The time on a clock that never goes back.
    let now: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async -> Void

    /// - Parameters:
    ///   - now: the time on a clock that never goes back.
    ///   - sleep: waits for a duration.
    public init(now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// Responds immediately: for operators, who can read the hashes anyway.
    public static let none = ResponseDelay(now: { .zero }, sleep: { _ in })

    /// A copy of the delay that calls `body` first and ignores cancellation. A client that seems to have disconnected
    /// must not learn more from an early response.
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
    /// - Returns: twice that, because a machine may be slower or busy; in steps of 50 ms, at least 250 ms.
    static func interval(slowest: Int) -> Duration {
        .milliseconds(max(250, (2 * slowest + 49) / 50 * 50))
    }
}
