import LatchkeySystem

@testable import chat

/// Ada's program without a disk, a socket or a terminal: requests and messages in, view models and effects out.
struct ChatStory {
    private(set) var state: ChatState
    /// The effects of the last request or message.
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
        loaded(from: Archive(messages: messages, read: read), clock: clock)
    }

    static func loaded(from archive: Archive, clock: Int64 = 100) -> ChatStory {
        var story = ChatStory(clock: clock)
        story.archive = archive
        story.take(.load)
        story.take(.loaded(story.archive.overview), .ended(.synchronise))
        return story
    }

    mutating func take(_ requests: ChatRequest...) {
        for request in requests { perform(state.take(request)) }
    }

    mutating func take(_ messages: NetworkMessage...) { take(messages) }

    mutating func take(_ messages: [NetworkMessage]) {
        for message in messages { perform(state.take(message)) }
    }

    /// The archive creates chats and reads pages immediately. The effects are those of all its responses.
    private mutating func perform(_ first: [ChatEffect]) {
        var waiting = first
        effects = []
        while !waiting.isEmpty {
            switch waiting.removeFirst() {
            case .create(let contact): waiting += state.take(.ended(.create(contact)))
            case .readPage(let first): waiting += state.take(.pageRead(archive.page(before: first), before: first))
            case let effect: effects.append(effect)
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
