import Foundation
import LatchkeySystem
import Testing

private actor Counter {
    nonisolated let thread: SerialThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }
    private var count = 0
    private var threads: Set<UInt> = []

    init() throws { thread = try SerialThread() }

    func step() {
        count += 1
        threads.insert(UInt(pthread_self()))
    }

    var state: (count: Int, threads: Int) { (count, threads.count) }

    /// The threads of the job before and after it leaves a borrowed thread.
    func leave() async -> (before: UInt, after: UInt) {
        let before = UInt(pthread_self())
        thread.endLoan()
        await Task.yield()
        return (before, UInt(pthread_self()))
    }

    /// Occupies the thread until the second value is true.
    func work(_ hasBegun: Locked<Bool>, until isOver: Locked<Bool>) {
        hasBegun.withLock { $0 = true }
        while !isOver.withLock({ $0 }) { usleep(1000) }
    }

    /// The threads that ``step()`` has run on.
    var seen: Set<UInt> { threads }
}

/// Starts a task on the calling thread. Returns the thread too.
private func lend<Result: Sendable>(
    _ thread: SerialThread, to work: @escaping @Sendable () async -> Result
) -> (thread: UInt, task: Task<Result, Never>) {
    (UInt(pthread_self()), thread.lend { Task(executorPreference: thread) { await work() } })
}

@Suite(.timeLimit(.minutes(60)))
struct SerialThreadTests {
    @Test func `all jobs of an actor run on one thread, and no job is lost`() async throws {
        let counter = try Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<1000 { group.addTask { await counter.step() } }
        }
        let state = await counter.state
        #expect(state.count == 1000)
        #expect(state.threads == 1)
    }

    @Test func `a task runs on the thread that starts it if no job is running`() async throws {
        let counter = try Counter()
        let isOver = Locked(false)
        let (here, _) = lend(counter.thread) {
            await counter.step()
            await counter.step()
            isOver.withLock { $0 = true }
        }
        // The call has returned after the end of the task.
        #expect(isOver.withLock { $0 })
        #expect(await counter.seen == [here])
        await counter.step()
        #expect(await counter.state.threads == 2)
    }

    @Test func `a job that ends the loan continues on the executor's own thread`() async throws {
        let counter = try Counter()
        let (here, task) = lend(counter.thread) { await counter.leave() }
        let threads = await task.value
        #expect(threads.before == here)
        await counter.step()
        #expect(await counter.seen == [threads.after])
    }

    @Test func `a task waits for the executor's own thread while a job is running`() async throws {
        let counter = try Counter()
        let (hasBegun, isOver) = (Locked(false), Locked(false))
        let first = Task { await counter.work(hasBegun, until: isOver) }
        while !hasBegun.withLock({ $0 }) { await Task.yield() }
        let (here, second) = lend(counter.thread) { await counter.step() }
        isOver.withLock { $0 = true }
        await first.value
        await second.value
        #expect(await counter.state.count == 1)
        #expect(await !counter.seen.contains(here))
    }

    @Test func `jobs of many threads and of borrowers never run at the same time`() async throws {
        let counter = try Counter()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    if number.isMultiple(of: 2) { return await counter.step() }
                    await lend(counter.thread) { await counter.step() }.task.value
                }
            }
        }
        #expect(await counter.state.count == 1000)
    }

    @Test func `the thread of an actor is released with the actor`() async throws {
        weak var thread: SerialThread?
        do {
            let counter = try Counter()
            await counter.step()
            thread = counter.thread
            #expect(thread != nil)
        }
        while thread != nil { await Task.yield() }
        #expect(thread == nil)
    }

    @Test func `creating many executors one after another does not exhaust the system's threads`() async throws {
        for _ in 0..<2000 {
            let counter = try Counter()
            await counter.step()
            #expect(await counter.state.count == 1)
        }
    }
}
