import LatchkeyAccounts
import LatchkeySystem

/// Makes every failed verification take the same processor time for every stored hash.
///
/// The estimates of the schemes are wrong by different factors, which depend on the processor and on its other work.
/// Work that is equal by estimate would therefore reveal which accounts have imported hashes. The thread's processor
/// time is measured instead. It hardly depends on the other threads, unlike the time that passes.
struct EqualWork: Sendable {
    /// The work of a failure before any measurement, as a multiple of its estimate. If the factor were 1, the first
    /// failure with the slowest hash would take longer than those before it on half of all machines.
    static let leastFactor = 1.5
    /// Bounds the work after a measurement that went wrong, for example on a virtual machine that lost its processor.
    static let mostFactor = 4.0
    /// The time of cheaper hashes is too short to be measured.
    private static let leastEstimate = 20

    /// The greatest measured time of a hash, as a multiple of its estimate. It never falls: if it did, tries with
    /// unknown names could prepare a failure that takes longer than theirs.
    private let factor = Locked(Self.leastFactor)
    private let processorTime: @Sendable () -> Int64

    /// - Parameter processorTime: the nanoseconds that the calling thread has run.
    init(processorTime: @escaping @Sendable () -> Int64 = SystemTime.threadNanoseconds) {
        self.processorTime = processorTime
    }

    /// Runs `verification`. If nothing matches, calls `spend` until both have taken the time of `work`.
    ///
    /// - Parameters:
    ///   - estimate: the estimated milliseconds of `verification`.
    ///   - work: the estimated milliseconds of the slowest verification; 0 to do no further work.
    ///   - spend: computes hashes with the given estimated milliseconds.
    func verify(
        estimate: Int, costing work: Int, _ verification: () throws(HashError) -> Int?,
        spend: (Double) throws(HashError) -> Void
    ) throws(HashError) -> Int? {
        guard work > 0 else { return try verification() }
        let start = processorTime()
        let match = try verification()
        var elapsed = milliseconds(since: start)
        let factor = factor.withLock { factor in
            if estimate >= Self.leastEstimate { factor = min(max(factor, elapsed / Double(estimate)), Self.mostFactor) }
            return factor
        }
        guard match == nil else { return match }
        let target = Double(work) * factor
        // A clock that stands still must not keep the thread forever.
        var allowance = Double(work) * Self.mostFactor * 2
        while target - elapsed >= 1, allowance > 0 {
            // Undershoots on purpose. The next round does the rest.
            let part = (target - elapsed) / factor
            try spend(part)
            allowance -= part
            elapsed = milliseconds(since: start)
        }
        return nil
    }

    private func milliseconds(since start: Int64) -> Double { Double(processorTime() - start) / 1_000_000 }
}
