/// A thread that serves as an actor's executor, for blocking work that belongs to one thread, such as a database
/// connection.
///
/// A task that prefers this executor calls such an actor without a thread switch, which would cost more than a small
/// query.
///
/// The thread ends when the executor is dropped and no job waits.
public final class SerialThread: SerialExecutor, TaskExecutor {
    /// A job retains the executor until it has run, because the runtime only borrows it.
    private struct Item: Sendable {
        let job: UnownedJob
        let executor: SerialThread
    }

    private let queue: BlockingQueue<Item>

    /// Starts the thread now instead of at the first job, because a job cannot be refused.
    ///
    /// - Throws: ``SystemError``, `EAGAIN` if the system has no thread.
    public init() throws(SystemError) {
        let queue = BlockingQueue<Item>(limit: .max)
        self.queue = queue
        try DetachedThread.start {
            while let item = queue.take() {
                unsafe item.job.runSynchronously(
                    isolatedTo: item.executor.asUnownedSerialExecutor(),
                    taskExecutor: item.executor.asUnownedTaskExecutor())
            }
        }
    }

    deinit { queue.close() }

    /// Queues a job of an actor or of a task that prefers this executor.
    public func enqueue(_ job: consuming ExecutorJob) {
        _ = queue.offer(Item(job: UnownedJob(job), executor: self))
    }
}
