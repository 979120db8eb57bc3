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
