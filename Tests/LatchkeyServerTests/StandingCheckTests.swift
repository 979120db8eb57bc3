import LatchkeyAccounts
import Synchronization
import Testing

@testable import LatchkeyServer

@Suite(.timeLimit(.minutes(60)))
struct StandingCheckTests {
    private static let start = Timestamp(milliseconds: 1_000_000)

    @Test func `an old result is replaced before it is shown, and a new one is kept`() async {
        let check = StandingCheck<Int>(for: .seconds(2), patience: .seconds(3600))
        let calls = Mutex(0)
        func value(after seconds: Int64, again: Bool = false) async -> Int? {
            await check.value(at: Self.start.advanced(by: .seconds(seconds)), again: again) {
                calls.withLock { count in
                    count += 1
                    return count
                }
            }?.value
        }
        #expect(await value(after: 0) == 1)
        #expect(await value(after: 2) == 1, "it is not old yet")
        #expect(await value(after: 3) == 2)
        #expect(await value(after: 3, again: true) == 3)
    }

    @Test func `a request does not wait long for a slow check`() async {
        let check = StandingCheck<Int>(for: .seconds(2), patience: .milliseconds(20))
        let (results, continuation) = AsyncStream<Int>.makeStream()
        func value(after seconds: Int64) async -> Int? {
            await check.value(at: Self.start.advanced(by: .seconds(seconds))) {
                for await result in results { return result }
                return 0
            }?.value
        }
        #expect(await value(after: 0) == nil)
        continuation.yield(1)
        while await value(after: 0) == nil { await Task.yield() }
        #expect(await value(after: 3) == 1, "the last result, while the next check runs")
        continuation.finish()
    }
}
