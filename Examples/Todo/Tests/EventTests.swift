import LatchkeyFlows
import Testing

@testable import todo

@Suite(.timeLimit(.minutes(60)))
struct EventTests {
    @Test func `a late listener receives the requests that have no response yet`() async {
        let events = EventStream<ModelEvent>()
        events.emit(.request(1, .all))
        events.emit(.request(2, .close))
        events.emit(.response(1, .todos([])))
        #expect(await events.events().next() == .event(.request(2, .close)))
    }
}
