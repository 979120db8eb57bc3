import LatchkeyAccounts
import LatchkeySystem

/// The wall clock of the machine.
struct SystemClock: Clock {
    func now() -> Timestamp { Timestamp(milliseconds: SystemTime.wallMilliseconds()) }
}
