import LatchkeyCommandLine
import LatchkeySystem
import Testing

@Suite(.timeLimit(.minutes(60)))
struct SessionWatchTests {
    @Test(arguments: [(SessionWatch.State.live, false), (.ended, true), (.unknown, false)])
    func `only an ended session has ended`(state: SessionWatch.State, hasEnded: Bool) async {
        let session = SessionWatch { state }
        #expect(await session.state() == state)
        #expect(await session.hasEnded() == hasEnded)
    }

    @Test func `waiting for the end goes on while the state is unknown`() async {
        let looks = Locked(0)
        let states: [SessionWatch.State] = [.live, .unknown, .unknown, .live, .ended]
        let session = SessionWatch(
            pausing: {},
            looking: {
                looks.withLock { looks in
                    looks += 1
                    return states[looks - 1]
                }
            })
        #expect(await session.waitForEnd())
        #expect(looks.withLock { $0 } == 5)
    }

    @Test func `waiting ends with its task`() async {
        let waiting = Task { await SessionWatch { .live }.waitForEnd() }
        waiting.cancel()
        #expect(await !waiting.value)
    }
}
