import Glibc

/// The system's clocks. Only the composition root reads them.
public enum SystemTime {
    /// Milliseconds since 1970-01-01T00:00:00Z. The value can decrease when the clock is set.
    public static func wallMilliseconds() -> Int64 { nanoseconds(of: CLOCK_REALTIME) / 1_000_000 }

    /// Nanoseconds since an arbitrary point in time. The value never decreases.
    public static func monotonicNanoseconds() -> Int64 { nanoseconds(of: CLOCK_MONOTONIC) }

    /// Milliseconds since boot, including sleep. The value never decreases.
    public static func sinceBootMilliseconds() -> Int64 { nanoseconds(of: CLOCK_BOOTTIME) / 1_000_000 }

    /// The processor time of this process in nanoseconds, summed over all cores.
    public static func processNanoseconds() -> Int64 { nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) }

    private static func nanoseconds(of clock: Int32) -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
