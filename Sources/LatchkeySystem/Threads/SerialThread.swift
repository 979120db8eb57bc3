/// One thread of our own as an actor's executor: for what blocks and belongs to one thread, such as a database connection.
///
/// The thread ends when the executor is dropped and nothing waits any more.
public final class SerialThread: SerialExecutor {
    /// A job keeps the executor until it has run, for the runtime borrows it meanwhile.
    private struct Item: Sendable {
        let job: UnownedJob
        let executor: SerialThread
    }

    private let queue: BlockingQueue<Item>

    /// Starts the thread now and not at the first job, which could not be refused.
    ///
    /// - Throws: ``SystemError``, `EAGAIN` where the system has no thread to give.
    public init() throws(SystemError) {
        let queue = BlockingQueue<Item>(limit: .max)
        self.queue = queue
        try DetachedThread.start {
            while let item = queue.take() {
                unsafe item.job.runSynchronously(on: item.executor.asUnownedSerialExecutor())
            }
        }
    }

    deinit { queue.close() }

    public func enqueue(_ job: consuming ExecutorJob) {
        _ = queue.offer(Item(job: UnownedJob(job), executor: self))
    }
}
