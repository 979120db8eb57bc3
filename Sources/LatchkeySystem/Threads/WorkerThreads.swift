/// A few threads of our own for work that computes long or blocks, above all hashes: on Swift's pool a few of them would
/// stop every other task.
///
/// A thread is started when there is work for it and none is idle; all end when the object is dropped.
public final class WorkerThreads: Sendable {
    /// Why work was not done.
    public enum Refusal: Error, Equatable, Sendable {
        /// As much waits as may wait.
        case full
        /// The task was cancelled while its work waited. Work that has begun runs to its end.
        case cancelled
        /// The system has no thread to give.
        case noThread
    }

    /// How many pieces of work can run at once.
    public let count: Int

    private let queue: BlockingQueue<any WaitingWork>
    private let started = Locked(0)

    /// - Parameters:
    ///   - count: how many threads at most, at least 1.
    ///   - waitingLimit: how many pieces of work may wait, at least 1. One that an idle thread is about to take counts.
    public init(count: Int, waitingLimit: Int) {
        self.count = max(count, 1)
        queue = BlockingQueue(limit: max(waitingLimit, 1))
    }

    deinit { queue.close() }

    /// Runs `work` on one of the threads. To throw, answer a `Result`: its failure keeps its type.
    public func run<Answer: Sendable>(_ work: @escaping @Sendable () -> Answer) async throws(Refusal) -> Answer {
        let waiting = Work(work)
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard waiting.wait(with: continuation) else { return }
                switch queue.offer(waiting) {
                case .accepted: break
                case .acceptedWithNobodyToTakeIt: startThread(for: waiting)
                case .full: waiting.refuse(.full)
                }
            }
        } onCancel: {
            waiting.refuse(.cancelled)
            queue.withdraw { $0 === waiting }
        }
        return try result.get()
    }

    private func startThread(for waiting: any WaitingWork) {
        let mayStart = started.withLock { started in
            guard started < count else { return false }
            started += 1
            return true
        }
        guard mayStart else { return }
        do {
            // The thread holds the queue and not `self`, or nothing would ever be dropped.
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
    func run()
    func refuse(_ refusal: WorkerThreads.Refusal)
}

/// One piece of work and who waits for it. Whoever takes the continuation resumes it: the thread that runs the work, or
/// what refuses it, which may come before the continuation does.
private final class Work<Answer: Sendable>: WaitingWork {
    typealias Continuation = CheckedContinuation<Result<Answer, WorkerThreads.Refusal>, Never>

    private enum Phase {
        case new
        case waiting(Continuation)
        case refused(WorkerThreads.Refusal)
        case taken
    }

    private let work: @Sendable () -> Answer
    private let phase = Locked(Phase.new)

    init(_ work: @escaping @Sendable () -> Answer) { self.work = work }

    /// False where the work was refused already; the continuation has then been resumed.
    func wait(with continuation: Continuation) -> Bool {
        let refusal: WorkerThreads.Refusal? = phase.withLock { phase in
            if case .refused(let refusal) = phase { return refusal }
            phase = .waiting(continuation)
            return nil
        }
        guard let refusal else { return true }
        continuation.resume(returning: .failure(refusal))
        return false
    }

    func run() {
        let continuation: Continuation? = phase.withLock { phase in
            guard case .waiting(let continuation) = phase else { return nil }
            phase = .taken
            return continuation
        }
        continuation?.resume(returning: .success(work()))
    }

    func refuse(_ refusal: WorkerThreads.Refusal) {
        let continuation: Continuation? = phase.withLock { phase in
            switch phase {
            case .new:
                phase = .refused(refusal)
                return nil
            case .waiting(let continuation):
                phase = .taken
                return continuation
            case .refused, .taken: return nil
            }
        }
        continuation?.resume(returning: .failure(refusal))
    }
}
