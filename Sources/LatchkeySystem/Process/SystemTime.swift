import Glibc

/// Readings of the system's clocks. Nothing below the composition root takes one.
public enum SystemTime {
    /// Milliseconds since 1970-01-01T00:00:00Z; it can be set, and so go back.
    public static func wallMilliseconds() -> Int64 { nanoseconds(of: CLOCK_REALTIME) / 1_000_000 }

    /// Nanoseconds since some moment before the start; it never goes back.
    public static func monotonicNanoseconds() -> Int64 { nanoseconds(of: CLOCK_MONOTONIC) }

    /// Milliseconds since the system's start, also while it slept; it never goes back.
    public static func sinceBootMilliseconds() -> Int64 { nanoseconds(of: CLOCK_BOOTTIME) / 1_000_000 }

    /// Nanoseconds that this process has computed, on all cores together.
    public static func processNanoseconds() -> Int64 { nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) }

    private static func nanoseconds(of clock: Int32) -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
