/// A bounded number of threads for long or blocking work, above all hashing. On Swift's pool a few such jobs would stop
/// every other task.
///
/// A thread starts when work arrives and none is idle; all end when the object is dropped.
public final class WorkerThreads: Sendable {
    /// The reason why work was not done.
    public enum Refusal: Error, Equatable, Sendable {
        /// The queue is full.
        case full
        /// The task was cancelled while its work waited. Work that has started is not interrupted.
        case cancelled
        /// The system could not start a thread.
        case noThread
    }

    /// The number of jobs that can run at once.
    public let count: Int

    private let queue: BlockingQueue<any WaitingWork>
    private let started = Locked(0)

    /// Sets the bounds; no thread starts yet.
    ///
    /// - Parameters:
    ///   - count: the highest number of threads, at least 1.
    ///   - waitingLimit: the number of jobs that may wait, at least 1. A job that an idle thread is about to take
    ///     counts.
    public init(count: Int, waitingLimit: Int) {
        self.count = max(count, 1)
        queue = BlockingQueue(limit: max(waitingLimit, 1))
    }

    deinit { queue.close() }

    /// Runs `work` on one of the threads. Work that can fail returns a `Result`, which keeps the type of its error.
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
            // The thread retains the queue instead of `self`, so that `self` can be dropped.
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
    /// Runs the job and resumes the task that waits for it.
    func run()
    /// Resumes the task with `refusal` if the job has not started.
    func refuse(_ refusal: WorkerThreads.Refusal)
}

/// A job and the task that waits for it. The code that takes the continuation resumes it: the thread that runs the job,
/// or a refusal, which may come before the continuation exists.
private final class Work<Answer: Sendable>: WaitingWork {
    typealias Continuation = CheckedContinuation<Void, Never>

    private enum Phase {
        case new
        case waiting(Continuation)
        case running
        // Stored here instead of passed through the continuation: ThreadSanitizer on Linux does not see that order
        // (docs/decisions/0003-locks.md).
        case ended(Result<Answer, WorkerThreads.Refusal>)
    }

    private let work: @Sendable () -> Answer
    private let phase = Locked(Phase.new)

    init(_ work: @escaping @Sendable () -> Answer) { self.work = work }

    /// The result, after the continuation has been resumed.
    func answer() throws(WorkerThreads.Refusal) -> Answer {
        let result: Result<Answer, WorkerThreads.Refusal> = phase.withLock { phase in
            if case .ended(let result) = phase { result } else { .failure(.cancelled) }
        }
        return try result.get()
    }

    /// Stores the continuation. Returns false, after resuming it, if the job was refused already.
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
