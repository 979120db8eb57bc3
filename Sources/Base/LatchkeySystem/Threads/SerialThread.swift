/// A thread that serves as an actor's executor, for blocking work that must stay on one thread, such as that of a
/// database connection.
///
/// A task that prefers this executor calls the actor without switching threads, which would cost more than a small
/// query.
///
/// The thread ends when the executor is released and no job is waiting.
public final class SerialThread: SerialExecutor, TaskExecutor {
    /// A job that retains the executor until it has run, because the runtime only borrows the executor.
    private struct Item: Sendable {
        let job: UnownedJob
        let executor: SerialThread
    }

    private let queue: BlockingQueue<Item>

    /// Starts the thread immediately, because a job cannot be refused if the thread cannot be started later.
    ///
    /// - Throws: ``SystemError`` with `EAGAIN` if the system has run out of threads.
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
