/// The loaded part of the chats, with the delivery of the user's own messages.
struct Conversations: Sendable {
    /// The messages with one contact.
    struct Chat: Equatable, Sendable {
        /// The newest messages in order, without gaps.
        fileprivate(set) var messages: [Message] = []
        /// Whether the archive has messages before these.
        fileprivate(set) var hasEarlier = false
        /// The messages from the contact that the user has not seen.
        fileprivate(set) var unread: Set<Message.ID> = []
    }

    let me: Contact.ID
    private(set) var chats: [Contact.ID: Chat] = [:]
    private var contacts: [Contact.ID: Contact] = [Contact.bot.id: .bot]
    private var read: Set<Message.ID> = []
    /// The user's own messages that may not be stored: they are being sent, or have failed.
    private var pending: [Message.ID: (message: Message, delivery: Delivery)] = [:]

    init(me: Contact) {
        self.me = me.id
        contacts[me.id] = me
    }

    // MARK: From the sources

    /// Starts again with the last message of each chat, and with the user's own unsent messages.
    mutating func take(_ overview: Overview) {
        for contact in overview.contacts { contacts[contact.id] = contact }
        chats = Dictionary(overview.chats.map { ($0, Chat()) }, uniquingKeysWith: { chat, _ in chat })
        read = overview.read
        for message in overview.last where isMine(message) {
            pending[message.id] = nil
            chats[message.partner(of: me), default: Chat()].messages = [message]
            chats[message.partner(of: me), default: Chat()].hasEarlier = true
        }
        for (author, ids) in overview.unread { chats[author, default: Chat()].unread = ids }
        for message in unsent { insert(message) }
    }

    /// - Parameter first: the message that the page comes before. If the chat now begins with another message, the
    ///   page is ignored.
    mutating func take(_ page: Page, before first: Message) {
        let partner = first.partner(of: me)
        guard let chat = chats[partner], chat.messages.first == first else { return }
        read.formUnion(page.read)
        let earlier = page.messages.filter { Message.isBefore($0, first) }
        chats[partner]?.messages.insert(contentsOf: earlier, at: 0)
        chats[partner]?.hasEarlier = page.hasEarlier && !earlier.isEmpty
    }

    /// - Returns: new messages from other users.
    mutating func take(_ changes: Changes) -> [Message] {
        for contact in changes.contacts { contacts[contact.id] = contact }
        for partner in changes.chats { create(partner) }
        read.formUnion(changes.read)
        var new: [Message] = []
        for message in changes.messages where isMine(message) {
            pending[message.id] = nil
            insert(message)
            guard message.reader == me else { continue }
            if read.contains(message.id) {
                chats[message.author]?.unread.remove(message.id)
            } else if chats[message.author]?.unread.insert(message.id).inserted == true {
                new.append(message)
            }
        }
        return new
    }

    private func isMine(_ message: Message) -> Bool { (message.author == me) != (message.reader == me) }

    /// Inserts a message in its place. A message before the loaded ones is ignored, because its page contains it.
    private mutating func insert(_ message: Message) {
        let partner = message.partner(of: me)
        let chat = chats[partner, default: Chat()]
        let place = chat.messages.firstPlace(notBefore: message)
        if place < chat.messages.count && chat.messages[place].id == message.id { return }
        if place == 0 && chat.hasEarlier && !chat.messages.isEmpty { return }
        chats[partner, default: Chat()].messages.insert(message, at: place)
    }

    mutating func create(_ partner: Contact.ID) { if chats[partner] == nil { chats[partner] = Chat() } }

    // MARK: The user's own messages

    mutating func write(_ message: Message) {
        pending[message.id] = (message, .sending)
        insert(message)
    }

    mutating func setSent(_ id: Message.ID) { pending[id] = nil }

    /// Ignored if a source has delivered the message, because then it was sent.
    mutating func setFailed(_ id: Message.ID, _ why: Delivery.Failure) { pending[id]?.delivery = .failed(why) }

    /// Marks the failed messages of a chat for sending again.
    mutating func retry(with contact: Contact.ID) -> [Message] {
        let failed = failed(with: contact)
        for message in failed { pending[message.id]?.delivery = .sending }
        return failed
    }

    /// The messages of a chat that were not sent.
    func failed(with contact: Contact.ID) -> [Message] {
        unsent.filter { message in
            guard message.reader == contact, case .failed = delivery(of: message) else { return false }
            return true
        }
    }

    /// The messages that would be lost if the program ended now.
    var unsent: [Message] { pending.values.map(\.message).sorted(by: Message.isBefore) }

    func delivery(of message: Message) -> Delivery {
        if read.contains(message.id) { return .read }
        return pending[message.id]?.delivery ?? .sent
    }

    // MARK: Reading

    /// The chats with their last messages, newest first. A chat without messages is new.
    var list: [(contact: Contact.ID, last: Message?, unread: Int)] {
        chats.map { ($0.key, $0.value.messages.last, $0.value.unread.count) }.sorted { left, right in
            switch (left.1, right.1) {
            case (let left?, let right?): Message.isBefore(right, left)
            case (nil, nil): left.0 < right.0
            case (let last, _): last == nil
            }
        }
    }

    func unread(from contact: Contact.ID) -> [Message.ID] { chats[contact]?.unread.sorted() ?? [] }

    var unreadCount: Int { chats.values.reduce(0) { $0 + $1.unread.count } }

    mutating func setRead(_ ids: [Message.ID], from contact: Contact.ID) {
        read.formUnion(ids)
        chats[contact]?.unread.subtract(ids)
    }

    /// A name for the screen, even for an unknown contact.
    func name(of contact: Contact.ID) -> String {
        guard let known = contacts[contact] else { return "unknown user" }
        return known.isFormer ? "formerly " + known.name : known.name
    }
}

extension [Message] {
    /// The index of the first message that is not before `message`, by binary search.
    func firstPlace(notBefore message: Message) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if Message.isBefore(self[middle], message) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
