import LatchkeySystem

@testable import chat

/// Ada's program without a disk, a socket or a terminal: events in, view models and effects out.
struct ChatStory {
    private(set) var state: ChatState
    /// Of the last event.
    private(set) var effects: [ChatEffect] = []

    /// - Parameter clock: milliseconds; it stands still.
    init(clock: Int64 = 100) {
        let count = Locked(0)
        state = ChatState(
            me: .ada,
            newID: {
                count.withLock { count in
                    count += 1
                    return "own\(count)"
                }
            }, now: { clock })
    }

    /// Reads everything from the archive.
    static func loaded(_ changes: Changes = Changes(), clock: Int64 = 100) -> ChatStory {
        var story = ChatStory(clock: clock)
        var all = changes
        all.contacts += [.bob, .cleo]
        story.take(.asked(.load), .loaded(all), .synchronised(Changes()))
        return story
    }

    mutating func take(_ events: ChatEvent...) { take(events) }

    mutating func take(_ events: [ChatEvent]) { for event in events { effects = state.take(event) } }

    var viewModel: ChatViewModel { ChatViewModelBuilder(state: state).build() }

    /// The list of chats only.
    var chats: [RowViewModel] {
        guard case .chats(let rows) = viewModel.screen else { return [] }
        return rows.dropLast(2)
    }

    var messages: [MessageViewModel] {
        guard case .conversation(let chat) = viewModel.screen else { return [] }
        return chat.messages
    }
}
