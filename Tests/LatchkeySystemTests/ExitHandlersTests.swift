import LatchkeySystem
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ExitHandlersTests {
    @Test func `exit handlers run in the order in which they were added, on each run`() {
        let said = Locked<[Int]>([])
        ExitHandlers.add { said.withLock { $0.append(1) } }
        ExitHandlers.add { said.withLock { $0.append(2) } }
        ExitHandlers.run()
        ExitHandlers.run()
        #expect(said.withLock { $0 } == [1, 2, 1, 2])
    }
}
