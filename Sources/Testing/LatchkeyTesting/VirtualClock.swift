public import LatchkeyAccounts
import LatchkeySystem

/// A clock that only moves when a test moves it, and counts how often it is read. It is the clock of an account
/// service; ``instant`` is the time for a terminal.
public final class VirtualClock: LatchkeyAccounts.Clock {
    private struct State {
        var now: Timestamp
        var instant = ContinuousClock.now
        var readings = 0
    }

    private let state: Locked<State>

    /// - Parameter now: the start time; by default 2026-01-01T00:00:00Z.
    public init(now: Timestamp = Timestamp(milliseconds: 1_767_225_600_000)) { state = Locked(State(now: now)) }

    public func now() -> Timestamp {
        state.withLock {
            $0.readings += 1
            return $0.now
        }
    }

    /// The same time for a terminal, as its parameter `now` returns it.
    public var instant: ContinuousClock.Instant { state.withLock { $0.instant } }

    /// The number of calls of ``now()``.
    public var readings: Int { state.withLock { $0.readings } }

    /// Advances the clock by `duration`. A negative duration puts it back.
    public func advance(by duration: Duration) {
        state.withLock {
            $0.now = $0.now.advanced(by: duration)
            $0.instant = $0.instant.advanced(by: duration)
        }
    }
}
