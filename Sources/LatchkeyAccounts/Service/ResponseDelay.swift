/// Holds an answer back until the next multiple of an interval has passed since the question came.
///
/// What is stored costs more to verify for one account than for another; an answer that left when it was ready would tell
/// which. A random delay would not do: whoever asks often enough sees through it.
public struct ResponseDelay: Sendable {
    /// Time since some moment, which never goes back.
    let now: @Sendable () -> Duration
    private let sleep: @Sendable (Duration) async -> Void

    public init(now: @escaping @Sendable () -> Duration, sleep: @escaping @Sendable (Duration) async -> Void) {
        self.now = now
        self.sleep = sleep
    }

    /// Answers leave when they are ready: for whoever owns the store, and could read the hashes themselves.
    public static let none = ResponseDelay(now: { .zero }, sleep: { _ in })

    /// Returns at the first multiple of `interval` that has not passed yet.
    func wait(since arrival: Duration, interval: Duration) async {
        let elapsed = max(now() - arrival, .zero)
        let slots = Int64((elapsed / interval).rounded(.up))
        await sleep(interval * max(slots, 1) - elapsed)
    }

    /// - Parameter slowest: milliseconds that the dearest verification is estimated to take.
    /// - Returns: twice that, for machines are slower than the estimate's and have other things to do; in steps of 50 ms,
    ///   and at least 250 ms.
    static func interval(slowest: Int) -> Duration {
        .milliseconds(max(250, (2 * slowest + 49) / 50 * 50))
    }
}
