import LatchkeyFlows

/// Everything on the screen. A new view model is made for each change.
struct ChatViewModel: Equatable, Sendable, StreamedEvent {
    let title: String
    let status: StatusViewModel
    /// A notice about a message for a chat that is not open.
    let notice: String?
    /// The message that arrived last, whether or not its chat is open.
    let news: String?
    let screen: ScreenViewModel
    /// Other available requests.
    let actions: [ActionViewModel]
    /// The number of messages that have arrived since the start.
    let arrivals: Int
    /// Whether a request has no response yet.
    let isBusy: Bool
    /// Whether the program has ended.
    let isOver: Bool

    /// A new listener receives the current view model first.
    var isPresent: Bool { true }
    func outdates(_ earlier: ChatViewModel) -> Bool { true }
}

/// Running work or an error that does not belong to one message.
enum StatusViewModel: Equatable, Sendable {
    case idle
    case busy(String)
    case failed(String)
}

/// A request with the key that makes it.
struct ActionViewModel: Equatable, Sendable {
    let label: String
    let request: ChatRequest
}

/// The content of one screen.
enum ScreenViewModel: Equatable, Sendable {
    case chats([RowViewModel])
    case contacts
    case conversation(ConversationViewModel)
}

/// A request that can be chosen from a list.
struct RowViewModel: Equatable, Sendable {
    let label: String
    /// The number of unread messages.
    var unread = 0
    /// The time of the last message, or its date.
    var date = ""
    var detail = ""
    let request: ChatRequest
}

/// The messages of the open chat.
struct ConversationViewModel: Equatable, Sendable {
    let partner: Contact.ID
    /// Whether there are messages before the shown ones.
    let hasEarlier: Bool
    let messages: [MessageViewModel]
    /// The messages after the shown ones, more than fit on a screen.
    let later: [MessageViewModel]
    /// The text that the user typed in an earlier session.
    var draft = ""
}

/// One message for the screen.
struct MessageViewModel: Equatable, Sendable {
    /// The date; nil if the message above has the same date.
    var day: String?
    /// Nil if the message above has the same author.
    let author: String?
    /// For example `14:03`.
    var time = ""
    let text: String
    /// The delivery; nil for messages of others, and if the message below shows the same.
    let delivery: String?
    var isFailed = false
}
