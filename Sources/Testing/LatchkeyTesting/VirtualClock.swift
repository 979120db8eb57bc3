public import LatchkeyAccounts
import LatchkeySystem

/// A clock that only moves when a test moves it, and counts how often it was read. It is the clock of an account
/// service, and ``instant`` is the one of a terminal.
public final class VirtualClock: LatchkeyAccounts.Clock {
    private struct State {
        var now: Timestamp
        var instant = ContinuousClock.now
        var readings = 0
    }

    private let state: Locked<State>

    /// - Parameter now: by default 2026-01-01T00:00:00Z.
    public init(now: Timestamp = Timestamp(milliseconds: 1_767_225_600_000)) { state = Locked(State(now: now)) }

    public func now() -> Timestamp {
        state.withLock {
            $0.readings += 1
            return $0.now
        }
    }

    /// The same time for a terminal: what its parameter `now` returns.
    public var instant: ContinuousClock.Instant { state.withLock { $0.instant } }

    /// How often ``now()`` was called.
    public var readings: Int { state.withLock { $0.readings } }

    /// Lets `duration` pass; a negative duration puts the clock back.
    public func advance(by duration: Duration) {
        state.withLock {
            $0.now = $0.now.advanced(by: duration)
            $0.instant = $0.instant.advanced(by: duration)
        }
    }
}
