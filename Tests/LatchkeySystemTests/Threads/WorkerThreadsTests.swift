import Foundation
import LatchkeySystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct WorkerThreadsTests {
    enum Refused: Error, Equatable { case odd(Int) }

    @Test func `work runs on another thread and returns its result`() async throws {
        let threads = WorkerThreads(count: 2, waitingLimit: 4)
        let caller = pthread_self()
        let isElsewhere = try await threads.run { pthread_equal(caller, pthread_self()) == 0 }
        #expect(isElsewhere)
    }

    @Test func `an error of a job keeps its type`() async throws {
        let threads = WorkerThreads(count: 1, waitingLimit: 1)
        let result = try await threads.run { () -> Result<Int, Refused> in .failure(.odd(3)) }
        #expect(throws: Refused.odd(3)) { try result.get() }
    }

    @Test func `the number of concurrent jobs is limited to the number of threads`() async throws {
        let threads = WorkerThreads(count: 2, waitingLimit: 100)
        let running = Locked((now: 0, most: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 {
                group.addTask {
                    try await threads.run {
                        running.withLock { running in
                            running.now += 1
                            running.most = max(running.most, running.now)
                        }
                        for _ in 0..<50 { sched_yield() }
                        running.withLock { $0.now -= 1 }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(running.withLock { $0.now } == 0)
        #expect((1...2).contains(running.withLock { $0.most }))
    }

    @Test func `a job beyond the queue's limit is refused immediately`() async throws {
        let threads = WorkerThreads(count: 1, waitingLimit: 1)
        let gate = ThreadGate()
        async let running: Void = threads.run { gate.pass() }
        await gate.whenArrived(1)
        // Two jobs compete for one place in the queue. One is refused while the other still waits.
        let outcomes = await withTaskGroup(of: Result<Int, WorkerThreads.Refusal>.self) { group in
            for index in 0..<2 {
                group.addTask {
                    do throws(WorkerThreads.Refusal) {
                        return .success(try await threads.run { index })
                    } catch {
                        gate.open(for: 1)
                        return .failure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        try await running
        #expect(outcomes.count { $0 == .failure(.full) } == 1)
        #expect(outcomes.count { (try? $0.get()) != nil } == 1)
    }

    @Test func `a job cancelled in the queue never runs and frees its place`() async throws {
        let threads = WorkerThreads(count: 1, waitingLimit: 1)
        let gate = ThreadGate()
        let hasRun = Locked(false)
        async let running: Void = threads.run { gate.pass() }
        await gate.whenArrived(1)
        let waiting = Task {
            try await threads.run { hasRun.withLock { $0 = true } }
        }
        waiting.cancel()
        let outcome = await waiting.result
        #expect(throws: WorkerThreads.Refusal.cancelled) { try outcome.get() }
        async let next = threads.run { 7 }
        gate.open(for: 1)
        #expect(try await next == 7)
        try await running
        #expect(!hasRun.withLock { $0 })
    }

    @Test func `a job of a cancelled task is refused`() async throws {
        let threads = WorkerThreads(count: 1, waitingLimit: 1)
        let outcome = await Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await threads.run { 1 }
        }.result
        #expect(throws: WorkerThreads.Refusal.cancelled) { try outcome.get() }
    }

    @Test func `a task always resumes if it is cancelled while its job finishes`() async {
        let threads = WorkerThreads(count: 2, waitingLimit: 1000)
        let answers = await withTaskGroup(of: Bool.self) { group in
            for index in 0..<500 {
                group.addTask {
                    let task = Task { try await threads.run { index } }
                    if index.isMultiple(of: 2) { task.cancel() }
                    let result = await task.result
                    return (try? result.get()) == index || index.isMultiple(of: 2)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 500)
        #expect(answers.allSatisfy { $0 })
    }

    @Test func `threads start on demand and end with their owner`() async throws {
        final class Token: Sendable {
            let end: @Sendable () -> Void
            init(end: @escaping @Sendable () -> Void) { self.end = end }
            deinit { end() }
        }
        let ended = DispatchSemaphore(value: 0)
        do {
            let threads = WorkerThreads(count: 1, waitingLimit: 1)
            // Thread-local storage is destroyed when its thread ends.
            try await threads.run {
                var key = pthread_key_t()
                unsafe pthread_key_create(&key) { token in
                    if let token = unsafe token { unsafe Unmanaged<Token>.fromOpaque(token).release() }
                }
                let token = Token { ended.signal() }
                _ = unsafe pthread_setspecific(key, Unmanaged.passRetained(token).toOpaque())
            }
        }
        let outcome = await Task.detached { ended.waits(upTo: .now() + 600) }.value
        #expect(outcome == .success)
    }
}

extension DispatchSemaphore {
    /// `wait(timeout:)` is unavailable in asynchronous code.
    fileprivate func waits(upTo time: DispatchTime) -> DispatchTimeoutResult { wait(timeout: time) }
}
