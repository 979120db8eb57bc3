import Glibc

/// The system's clocks. Only the composition root reads them.
public enum SystemTime {
    /// Milliseconds since 1970-01-01T00:00:00Z. Can go back when the clock is set.
    public static func wallMilliseconds() -> Int64 { nanoseconds(of: CLOCK_REALTIME) / 1_000_000 }

    /// Nanoseconds since an arbitrary moment. Never goes back.
    public static func monotonicNanoseconds() -> Int64 { nanoseconds(of: CLOCK_MONOTONIC) }

    /// Milliseconds since the system started, including sleep. Never goes back.
    public static func sinceBootMilliseconds() -> Int64 { nanoseconds(of: CLOCK_BOOTTIME) / 1_000_000 }

    /// Processor time of this process on all cores, in nanoseconds.
    public static func processNanoseconds() -> Int64 { nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) }

    private static func nanoseconds(of clock: Int32) -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
