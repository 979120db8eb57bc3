/// Changes from any source. Applying them twice or in a different order has the same result.
struct Changes: Equatable, Sendable {
    var contacts: [Contact] = []
    /// The partners of chats that were created, perhaps without a message.
    var chats: [Contact.ID] = []
    var messages: [Message] = []
    /// The messages that have been read.
    var read: Set<Message.ID> = []
    /// The number of the last included change in the database; 0 for other sources.
    var revision: Int64 = 0

    var isEmpty: Bool { contacts.isEmpty && chats.isEmpty && messages.isEmpty && read.isEmpty }
}

/// The data for the list of chats. The messages are read one page at a time.
struct Overview: Equatable, Sendable {
    var contacts: [Contact] = []
    /// The partners of all chats.
    var chats: [Contact.ID] = []
    /// The last message of each chat that has one.
    var last: [Message] = []
    /// The last messages that have been read.
    var read: Set<Message.ID> = []
    /// The unread messages to the user, by author.
    var unread: [Contact.ID: Set<Message.ID>] = [:]
    /// The typed and unsent texts, by contact.
    var drafts: [Contact.ID: String] = [:]
    /// The number of the last included change in the database.
    var revision: Int64 = 0
}

/// Part of a chat.
struct Page: Equatable, Sendable {
    /// In order.
    var messages: [Message] = []
    /// The messages of the page that have been read.
    var read: Set<Message.ID> = []
    /// Whether there are earlier messages.
    var hasEarlier = false

    /// The number of messages of a whole page.
    static let size = 100
    /// The largest number of messages that are shown.
    static let shown = 50
}
