/// All messages of one account, from every source.
///
/// Holds three facts: written messages, read messages, and own messages that are not stored yet. The first two only
/// grow, so sources may deliver them in any order, and twice.
struct Conversations: Sendable {
    let me: Contact.ID
    private(set) var contacts: [Contact.ID: Contact] = [Contact.bot.id: .bot]
    private var messages: [Message.ID: Message] = [:]
    private var read: Set<Message.ID> = []
    /// Own messages that are not known to be stored: being sent, or failed.
    private var pending: [Message.ID: Delivery] = [:]

    init(me: Contact) {
        self.me = me.id
        contacts[me.id] = me
    }

    /// - Returns: new messages from other users.
    mutating func take(_ changes: Changes) -> [Message] {
        for contact in changes.contacts { contacts[contact.id] = contact }
        read.formUnion(changes.read)
        var new: [Message] = []
        for message in changes.messages where (message.author == me) != (message.reader == me) {
            pending[message.id] = nil
            guard messages.updateValue(message, forKey: message.id) == nil else { continue }
            if message.reader == me { new.append(message) }
        }
        return new
    }

    // MARK: Own messages

    mutating func write(_ message: Message) {
        messages[message.id] = message
        pending[message.id] = .sending
    }

    mutating func setSent(_ id: Message.ID) { pending[id] = nil }

    /// Ignored if a source has delivered the message: then it was sent.
    mutating func setFailed(_ id: Message.ID, _ why: Delivery.Failure) {
        if pending[id] != nil { pending[id] = .failed(why) }
    }

    /// Marks the failed messages of a chat for sending again.
    mutating func retry(with contact: Contact.ID) -> [Message] {
        let failed = chat(with: contact).filter { if case .failed = delivery(of: $0) { true } else { false } }
        for message in failed { pending[message.id] = .sending }
        return failed
    }

    /// The messages that would be lost if the program ended now.
    var unsent: [Message] { pending.keys.compactMap { messages[$0] }.sorted(by: Message.isBefore) }

    func delivery(of message: Message) -> Delivery {
        if read.contains(message.id) { return .read }
        return pending[message.id] ?? .sent
    }

    // MARK: Reading

    func chat(with contact: Contact.ID) -> [Message] {
        messages.values.filter { $0.partner(of: me) == contact }.sorted(by: Message.isBefore)
    }

    /// The chats with their last messages, newest first.
    var chats: [(contact: Contact.ID, last: Message, unread: Int)] {
        Dictionary(grouping: messages.values) { $0.partner(of: me) }.compactMap { contact, messages in
            messages.max(by: Message.isBefore).map { (contact, $0, messages.count(where: isUnread)) }
        }.sorted { Message.isBefore($1.last, $0.last) }
    }

    func unread(from contact: Contact.ID) -> [Message.ID] {
        messages.values.filter { $0.author == contact && isUnread($0) }.sorted(by: Message.isBefore).map(\.id)
    }

    var unreadCount: Int { messages.values.count(where: isUnread) }

    mutating func setRead(_ ids: [Message.ID]) { read.formUnion(ids) }

    private func isUnread(_ message: Message) -> Bool { message.reader == me && !read.contains(message.id) }

    /// A name to show, even for an unknown contact.
    func name(of contact: Contact.ID) -> String {
        guard let known = contacts[contact] else { return "unknown user" }
        return known.isFormer ? "formerly " + known.name : known.name
    }
}
