import Testing

@testable import scoreboard

@Suite(.timeLimit(.minutes(60))) final class GameClockTests {
    private var clock = GameClock()

    @Test func `time passes only while the clock runs`() {
        clock.update(at: 5_000)
        #expect(clock.remaining == 600_000)
        clock.start(at: 10_000)
        clock.update(at: 11_000)
        clock.update(at: 13_500)
        #expect(clock.remaining == 596_500)
        clock.stop()
        clock.update(at: 20_000)
        #expect(clock.remaining == 596_500)
    }

    @Test(arguments: [11_001, 3_600_000, -9_001, Int64.max, .min])
    func `a jump of the clock does not count, and pauses the game`(now: Int64) {
        clock.start(at: 0)
        clock.update(at: 1_000)
        clock.update(at: now)
        #expect(clock.remaining == 599_000)
        #expect(!clock.isRunning)
    }

    @Test func `if the clock steps back a little, the time does not change`() {
        clock.start(at: 10_000)
        clock.update(at: 12_000)
        clock.update(at: 11_000)
        #expect(clock.remaining == 598_000)
        #expect(clock.isRunning)
        clock.update(at: 11_500)
        #expect(clock.remaining == 597_500)
    }

    @Test func `at zero the clock pauses`() {
        clock = GameClock(remaining: 400, lastUpdate: 0)
        clock.update(at: 1_000)
        #expect(clock == GameClock(remaining: 0))
        clock.start(at: 2_000)
        #expect(!clock.isRunning)
    }

    @Test func `invalid stored times are corrected`() {
        #expect(GameClock(remaining: -5, lastUpdate: 7) == GameClock(remaining: 0))
        #expect(GameClock(remaining: .max).remaining == GameClock.whole)
    }

    @Test(arguments: [
        (600_000, "10:00", "10:00"), (599_999, "10:00", "10:00"), (599_000, "9:59", "9:59"), (60_000, "1:00", "1:00"),
        (59_999, "1:00", "1:00"), (59_900, "0:59.9", "1:00"), (42_301, "0:42.4", "0:43"), (9_900, "0:09.9", "0:10"),
        (1, "0:00.1", "0:01"), (0, "0:00.0", "0:00"),
    ])
    func `the time shows minutes and seconds, and tenths in the last minute`(
        remaining: Int64, text: String, short: String
    ) {
        #expect(GameClock(remaining: remaining).text == text && GameClock(remaining: remaining).shortText == short)
    }

    @Test func `a limit can only lower the time`() {
        clock.limit(to: 500_000)
        #expect(clock.remaining == 500_000)
        clock.limit(to: .max)
        #expect(clock.remaining == 500_000)
        clock.limit(to: -1)
        #expect(clock.remaining == 0)
    }
}
