import EventBurst
import Testing

/// scripts/bench events runs the full version and prints its figures.
@Suite(.timeLimit(.minutes(60)))
struct EventBurstTests {
    @Test func `in a burst of events, no listener delays another`() async throws {
        let burst = await EventBurst(of: 2000)
        #expect(burst.hearings.count == 8)
        for hearing in burst.hearings {
            #expect(hearing.isInOrder, "\(hearing.name)")
            if hearing.name != "throws" { #expect(hearing.events + hearing.missed == 2000, "\(hearing.name)") }
        }
        func hearing(_ name: String) throws -> EventBurst.Hearing {
            try #require(burst.hearings.first { $0.name == name })
        }
        let dropped = try hearing("throws")
        #expect(dropped.events == 10 && dropped.missed == 0, "dropped when it threw")
        #expect(try hearing("room for all").missed == 0)
        #expect(try hearing("blocks for ever").missed > 0)
    }
}
