import EventBurst
import Testing

/// scripts/bench events runs the full version and prints its figures.
@Suite(.timeLimit(.minutes(60)))
struct EventBurstTests {
    @Test func `in a burst no listener delays another, and each accounts for every event`() async throws {
        let burst = await EventBurst(of: 2000)
        #expect(burst.hearings.count == 8)
        for hearing in burst.hearings {
            #expect(hearing.isInOrder, "\(hearing.name)")
            if hearing.name == "throws" {
                #expect(hearing.events == 10 && hearing.missed == 0, "dropped when it threw")
            } else {
                #expect(hearing.events + hearing.missed == 2000, "\(hearing.name)")
            }
            if hearing.name == "room for all" { #expect(hearing.missed == 0) }
            if hearing.name == "blocks for ever" { #expect(hearing.missed > 0) }
        }
    }
}
