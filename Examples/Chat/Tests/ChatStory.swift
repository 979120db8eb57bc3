import LatchkeySystem

@testable import chat

/// Ada's program without a disk, a socket or a terminal: events in, view models and effects out.
struct ChatStory {
    private(set) var state: ChatState
    /// The effects of the last event.
    private(set) var effects: [ChatEffect] = []

    /// - Parameter clock: milliseconds. The clock stands still.
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
    ///
    /// - Parameter messages: the whole archive. Each chat has only its last message until it is opened.
    static func loaded(_ messages: [Message] = [], read: Set<Message.ID> = [], clock: Int64 = 100) -> ChatStory {
        var story = ChatStory(clock: clock)
        story.archive = Archive(messages: messages, read: read)
        story.take(.asked(.load), .loaded(story.archive.overview), .synchronised(Changes()))
        return story
    }

    mutating func take(_ events: ChatEvent...) { take(events) }

    /// The archive creates chats and reads pages immediately. The effects are those of all its responses.
    mutating func take(_ events: [ChatEvent]) {
        for event in events {
            var waiting = [event]
            effects = []
            while !waiting.isEmpty {
                for effect in state.take(waiting.removeFirst()) {
                    switch effect {
                    case .create(let contact): waiting.append(.created(contact))
                    case .readPage(let first): waiting.append(.pageRead(archive.page(before: first), before: first))
                    default: effects.append(effect)
                    }
                }
            }
        }
    }

    var archive = Archive()

    var viewModel: ChatViewModel { ChatViewModelBuilder(state: state, zone: .utc).build() }

    /// Loads only the list of chats.
    var chats: [RowViewModel] {
        guard case .chats(let rows) = viewModel.screen else { return [] }
        return rows.dropLast(2)
    }

    var messages: [MessageViewModel] {
        guard case .conversation(let chat) = viewModel.screen else { return [] }
        return chat.messages
    }
}
