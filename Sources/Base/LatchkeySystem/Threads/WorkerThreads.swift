/// A limited number of threads for long or blocking work, especially hashing. On Swift's pool, a few such jobs would
/// stop all other tasks.
///
/// A thread starts when a job arrives and no thread is idle. All threads end when the object is released.
public final class WorkerThreads: Sendable {
    /// The reason why a job was not done.
    public enum Refusal: Error, Equatable, Sendable {
        /// The queue is full.
        case full
        /// The task was cancelled while its job was waiting. A job that has started is not interrupted.
        case cancelled
        /// The system could not start a thread.
        case noThread
    }

    /// The maximum number of jobs that run at the same time.
    public let count: Int

    private let queue: BlockingQueue<any WaitingWork>
    private let started = Locked(0)

    /// Sets the limits without starting a thread.
    ///
    /// - Parameters:
    ///   - count: the maximum number of threads, at least 1.
    ///   - waitingLimit: the maximum number of waiting jobs, at least 1. A job that an idle thread is about to take
    ///     counts as waiting.
    public init(count: Int, waitingLimit: Int) {
        self.count = max(count, 1)
        queue = BlockingQueue(limit: max(waitingLimit, 1))
    }

    deinit { queue.close() }

    /// Runs `work` on one of the threads. Work that can fail returns a `Result`, which preserves the type of its error.
    public func run<Answer: Sendable>(_ work: @escaping @Sendable () -> Answer) async throws(Refusal) -> Answer {
        let waiting = Work(work)
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard waiting.wait(with: continuation) else { return }
                switch queue.offer(waiting) {
                case .accepted: break
                case .acceptedWithoutThread: startThread(for: waiting)
                case .full: waiting.refuse(.full)
                }
            }
        } onCancel: {
            waiting.refuse(.cancelled)
            queue.withdraw { $0 === waiting }
        }
        return try waiting.answer()
    }

    private func startThread(for waiting: any WaitingWork) {
        let mayStart = started.withLock { started in
            guard started < count else { return false }
            started += 1
            return true
        }
        guard mayStart else { return }
        do {
            // The thread retains the queue instead of `self`, so that `self` can be released.
            try DetachedThread.start { [queue] in while let work = queue.take() { work.run() } }
        } catch {
            let others = started.withLock { started in
                started -= 1
                return started
            }
            guard others == 0 else { return }
            waiting.refuse(.noThread)
            queue.withdraw { $0 === waiting }
        }
    }
}

private protocol WaitingWork: AnyObject, Sendable {
    /// Runs the job and resumes the waiting task.
    func run()
    /// Resumes the task with `refusal` if the job has not started.
    func refuse(_ refusal: WorkerThreads.Refusal)
}

/// A job and the task that waits for it. The code that takes the continuation must resume it: the thread that runs the
/// job, or a refusal, which may come before the continuation exists.
private final class Work<Answer: Sendable>: WaitingWork {
    typealias Continuation = CheckedContinuation<Void, Never>

    private enum Phase {
        case new
        case waiting(Continuation)
        case running
        // The result is stored here instead of being passed through the continuation, because ThreadSanitizer on Linux
        // does not recognize that order (docs/decisions/0003-locks.md).
        case ended(Result<Answer, WorkerThreads.Refusal>)
    }

    private let work: @Sendable () -> Answer
    private let phase = Locked(Phase.new)

    init(_ work: @escaping @Sendable () -> Answer) { self.work = work }

    /// The result. Call this after the continuation was resumed.
    func answer() throws(WorkerThreads.Refusal) -> Answer {
        let result: Result<Answer, WorkerThreads.Refusal> = phase.withLock { phase in
            if case .ended(let result) = phase { result } else { .failure(.cancelled) }
        }
        return try result.get()
    }

    /// Stores the continuation. If the job was already refused, resumes the continuation and returns false.
    func wait(with continuation: Continuation) -> Bool {
        let isRefused = phase.withLock { phase in
            if case .ended = phase { return true }
            phase = .waiting(continuation)
            return false
        }
        if isRefused { continuation.resume() }
        return !isRefused
    }

    func run() {
        let continuation: Continuation? = phase.withLock { phase in
            guard case .waiting(let continuation) = phase else { return nil }
            phase = .running
            return continuation
        }
        guard let continuation else { return }
        let answer = work()
        phase.withLock { $0 = .ended(.success(answer)) }
        continuation.resume()
    }

    func refuse(_ refusal: WorkerThreads.Refusal) {
        let continuation: Continuation? = phase.withLock { phase in
            switch phase {
            case .new:
                phase = .ended(.failure(refusal))
                return nil
            case .waiting(let continuation):
                phase = .ended(.failure(refusal))
                return continuation
            case .running, .ended: return nil
            }
        }
        continuation?.resume()
    }
}
