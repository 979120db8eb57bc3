import Foundation
import Testing

extension Trait where Self == ProgramThreads {
    /// Runs the suite's tests on threads that may wait for programs.
    static var programs: Self { Self() }
}

/// A trait for suites whose tests wait for the binary. Swift has one thread for each processor, so tests that wait
/// there leave processors idle.
struct ProgramThreads: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(ProgramExecutor.shared) { try await function() }
    }
}

private final class ProgramExecutor: TaskExecutor {
    static let shared = ProgramExecutor()

    private let queue = OperationQueue()

    /// Two tests per processor, because one of them usually waits for a program.
    private init() { queue.maxConcurrentOperationCount = 2 * ProcessInfo.processInfo.activeProcessorCount }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.addOperation { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
