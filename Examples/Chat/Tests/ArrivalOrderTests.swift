import Testing

@testable import chat

/// Two sources deliver the same changes in any order.
@Suite(.timeLimit(.minutes(60)))
struct ArrivalOrderTests {
    private static let first = Message("m1", from: .bob, at: 10, "First")
    private static let own = Message("m2", from: .ada, to: .bob, at: 20, "Second")
    private static let last = Message("m3", from: .bob, at: 30, "Third")

    private static let arrivals: [NetworkMessage] = [
        .arrived(Changes(messages: [first])),
        .arrived(Changes(messages: [own, first], revision: 2)),
        .arrived(Changes(read: ["m2"])),
        .arrived(Changes(messages: [last])),
        .arrived(Changes(messages: [own], read: ["m2"], revision: 3)),
        .arrived(Changes(messages: [last], revision: 4)),
    ]

    @Test func `an open chat looks the same for any order and repetition of changes`() {
        var orders = 0
        Self.permutations(of: Self.arrivals) { arrivals in
            var story = ChatStory.loaded()
            story.take(.open("b"))
            story.take(arrivals)
            #expect(
                story.messages == [
                    MessageViewModel(day: "Today", author: "bob", time: "00:00", text: "First", delivery: nil),
                    MessageViewModel(author: "You", time: "00:00", text: "Second", delivery: "read"),
                    MessageViewModel(author: "bob", time: "00:00", text: "Third", delivery: nil),
                ])
            #expect(story.viewModel.notice == nil)
            orders += 1
        }
        #expect(orders == 720)
    }

    @Test func `a closed chat counts each message once for any order of changes`() {
        Self.permutations(of: Self.arrivals) { arrivals in
            var story = ChatStory.loaded()
            story.take(arrivals)
            #expect(story.chats.map(\.unread) == [2])
            #expect(story.viewModel.title == "Chats of ada (2 unread)")
            #expect(story.viewModel.notice != nil)
        }
    }

    /// Heap's algorithm.
    private static func permutations<Element>(of elements: [Element], _ body: ([Element]) -> Void) {
        func permute(_ elements: inout [Element], _ count: Int) {
            guard count > 1 else { return body(elements) }
            for index in 0..<count {
                permute(&elements, count - 1)
                elements.swapAt(count.isMultiple(of: 2) ? index : 0, count - 1)
            }
        }
        var elements = elements
        permute(&elements, elements.count)
    }
}
