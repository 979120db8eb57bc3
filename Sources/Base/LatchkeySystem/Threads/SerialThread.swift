import Glibc

/// A thread that serves as an actor's executor, for blocking work that must not run in parallel, such as that of a
/// database connection.
///
/// A task that prefers this executor calls the actor without switching threads, which would cost more than a small
/// query. A thread that starts such a task can also run its beginning itself: see `lend(_:)`.
///
/// The thread ends when the executor is released and no job is waiting.
public final class SerialThread: SerialExecutor, TaskExecutor {
    /// A job that retains the executor until it has run, because the runtime only borrows the executor.
    private struct Item: Sendable {
        let job: UnownedJob
        let executor: SerialThread

        func run() {
            unsafe job.runSynchronously(
                isolatedTo: executor.asUnownedSerialExecutor(), taskExecutor: executor.asUnownedTaskExecutor())
        }
    }

    /// A thread that runs the jobs that it enqueues itself, instead of the executor's own thread.
    private struct Borrower {
        let thread: pthread_t
        var jobs: [Item] = []
        /// Whether further jobs are for the executor's own thread.
        var hasEnded = false
    }

    private let queue: BlockingQueue<Item>
    /// Locked by the thread that runs a job, so that only one job runs at a time.
    private let turn = Locked<Void>(())
    private let borrower = Locked<Borrower?>(nil)

    /// Starts the thread immediately, because a job cannot be refused if the thread cannot be started later.
    ///
    /// - Throws: ``SystemError`` with `EAGAIN` if the system has run out of threads.
    public init() throws(SystemError) {
        let queue = BlockingQueue<Item>(limit: .max)
        self.queue = queue
        try DetachedThread.start { [turn] in
            while let item = queue.take() { turn.withLock { _ in item.run() } }
        }
    }

    deinit { queue.close() }

    /// Queues a job of an actor or of a task that prefers this executor.
    public func enqueue(_ job: consuming ExecutorJob) {
        let item = Item(job: UnownedJob(job), executor: self)
        let isTaken = borrower.withLock { borrower in
            guard let thread = borrower?.thread, thread == pthread_self(), borrower?.hasEnded == false else {
                return false
            }
            borrower?.jobs.append(item)
            return true
        }
        if !isTaken { _ = queue.offer(item) }
    }

    /// Runs `body`, which starts a task that prefers this executor. If no job is running, the task begins on the calling
    /// thread, without a change of threads, and the call returns when the task has ended or waits for something. The rest
    /// of the task runs on the executor's own thread.
    ///
    /// Only for tasks that take less time than a change of threads. Long or blocking work would stop the calling thread:
    /// an actor that is about to start some calls ``endLoan()`` first.
    package func lend<Result: Sendable>(_ body: () -> Result) -> Result {
        let result: Result? = turn.withLockIfFree { _ in
            borrower.withLock { $0 = Borrower(thread: pthread_self()) }
            let result = body()
            // Only this thread adds jobs.
            while let job = borrower.withLock({ $0?.jobs.isEmpty ?? true ? nil : $0?.jobs.removeFirst() }) { job.run() }
            borrower.withLock { $0 = nil }
            return result
        }
        return result ?? body()
    }

    /// Whether the running job is on a borrower's thread. Call this only in a job of this executor.
    package var isLent: Bool { borrower.withLock { $0 != nil } }

    /// Continues the running job on the executor's own thread after `Task.yield()`.
    package func endLoan() { borrower.withLock { $0?.hasEnded = true } }
}
