import Testing

@testable import scoreboard

@Suite final class GameClockTests {
    private var clock = GameClock()

    @Test func `time passes only while the clock runs`() {
        clock.look(at: 5_000)
        #expect(clock.remaining == 600_000)
        clock.start(at: 10_000)
        clock.look(at: 11_000)
        clock.look(at: 13_500)
        #expect(clock.remaining == 596_500)
        clock.stop()
        clock.look(at: 20_000)
        #expect(clock.remaining == 596_500)
    }

    @Test(arguments: [11_001, 3_600_000, -9_001, Int64.max, .min])
    func `a jump counts nothing and focusOrder the clock`(now: Int64) {
        clock.start(at: 0)
        clock.look(at: 1_000)
        clock.look(at: now)
        #expect(clock.remaining == 599_000)
        #expect(!clock.isRunning)
    }

    @Test func `a small step back counts nothing, and gives nothing back`() {
        clock.start(at: 10_000)
        clock.look(at: 12_000)
        clock.look(at: 11_000)
        #expect(clock.remaining == 598_000)
        #expect(clock.isRunning)
        clock.look(at: 11_500)
        #expect(clock.remaining == 597_500)
    }

    @Test func `the time ends at nothing, and the clock stands there`() {
        clock = GameClock(remaining: 400, lastLook: 0)
        clock.look(at: 1_000)
        #expect(clock == GameClock(remaining: 0))
        clock.start(at: 2_000)
        #expect(!clock.isRunning)
    }

    @Test func `what a file cannot mean is put right`() {
        #expect(GameClock(remaining: -5, lastLook: 7) == GameClock(remaining: 0))
        #expect(GameClock(remaining: .max).remaining == GameClock.whole)
    }

    @Test(arguments: [(600_000, "10:00"), (599_999, "10:00"), (599_000, "9:59"), (1, "0:01"), (0, "0:00")])
    func `the time shows minutes and seconds`(remaining: Int64, text: String) {
        #expect(GameClock(remaining: remaining).text == text)
    }
}
