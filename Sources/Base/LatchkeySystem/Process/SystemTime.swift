import Glibc

/// The system's clocks. Only the composition root reads them.
public enum SystemTime {
    /// Milliseconds since 1970-01-01T00:00:00Z. Can go back when the clock is set.
    ///
    /// The clock may show any time, also one whose nanoseconds exceed 64 bits (after 2262).
    public static func wallMilliseconds() -> Int64 {
        let time = time(of: CLOCK_REALTIME)
        return milliseconds(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }

    /// A time in milliseconds, clamped to the range of `Int64`.
    package static func milliseconds(seconds: Int64, nanoseconds: Int64) -> Int64 {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, overflowed) = product.addingReportingOverflow(nanoseconds / 1_000_000)
        return overflow || overflowed ? (seconds < 0 ? .min : .max) : sum
    }

    /// Nanoseconds since an arbitrary point in time. The value never decreases.
    public static func monotonicNanoseconds() -> Int64 { nanoseconds(of: CLOCK_MONOTONIC) }

    /// Milliseconds since boot, including sleep. The value never decreases.
    public static func sinceBootMilliseconds() -> Int64 { nanoseconds(of: CLOCK_BOOTTIME) / 1_000_000 }

    /// The processor time of this process in nanoseconds, summed over all cores.
    public static func processNanoseconds() -> Int64 { nanoseconds(of: CLOCK_PROCESS_CPUTIME_ID) }

    /// The processor time of the calling thread in nanoseconds.
    @Sendable public static func threadNanoseconds() -> Int64 { nanoseconds(of: CLOCK_THREAD_CPUTIME_ID) }

    private static func nanoseconds(of clock: Int32) -> Int64 {
        let time = time(of: clock)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    private static func time(of clock: Int32) -> timespec {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return time
    }
}
