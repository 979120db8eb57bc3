import LatchkeyAccounts

/// The state of the program: open screens, running work, failures.
///
/// Uses no clock, disk or socket. It alone decides what an event changes and which effects it has,
/// so a test can pass in events and check the result.
struct ChatState: Sendable {
    let me: Contact
    private(set) var conversations: Conversations
    /// The stack of screens; the last one is shown. A finished screen is removed.
    private(set) var screens = [Screen.chats]
    private(set) var running: Set<ChatEvent.Step> = []
    private(set) var failures: [ChatEvent.Step: StoreError] = [:]
    /// The last message for a chat that is not open.
    private(set) var notice: Message?
    private(set) var ending: Ending?

    /// Read messages that their authors could not be notified of yet.
    private var owed: [Contact.ID: [Message.ID]] = [:]
    private let newID: @Sendable () -> Message.ID
    private let now: @Sendable () -> Int64

    enum Screen: Equatable, Sendable {
        case chats, contacts
        case chat(Contact.ID)
    }
    enum Ending: Sendable { case left, loggedOut, expired }

    init(me: Contact, newID: @escaping @Sendable () -> Message.ID, now: @escaping @Sendable () -> Int64) {
        self.me = me
        self.newID = newID
        self.now = now
        conversations = Conversations(me: me)
    }

    /// The chat on the screen.
    var openChat: Contact.ID? { if case .chat(let contact) = screens.last { contact } else { nil } }

    mutating func take(_ event: ChatEvent) -> [ChatEffect] {
        let before = openChat
        var effects = react(to: event)
        if openChat != before {
            if before != nil { effects.append(.closeSocket) }
            if let openChat { effects.append(.openSocket(openChat)) }
        }
        if case .notTold = event { return effects }  // an immediate retry would fail too
        return effects + tellWhatWasRead()
    }

    private mutating func react(to event: ChatEvent) -> [ChatEffect] {
        switch event {
        case .asked(let request): return take(request)
        case .loaded(let changes):
            end(.load)
            _ = conversations.take(changes)
            running.insert(.synchronise)
            return [.synchronise(since: changes.revision), .watch(since: changes.revision)]
        case .synchronised(let changes):
            end(.synchronise)
            takeArrived(changes)
        case .arrived(let changes, by: let route):
            if route == .push { end(.watch) }
            takeArrived(changes)
        case .failed(let step, let why):
            running.remove(step)
            failures[step] = why
        case .sent(let message): conversations.setSent(message.id)
        case .notSent(let id, let why): conversations.setFailed(id, why)
        case .notTold(let ids, to: let contact): owed[contact, default: []] += ids
        case .sessionEnded:
            screens = []
            ending = .expired
        }
        return []
    }

    private mutating func take(_ request: ChatRequest) -> [ChatEffect] {
        switch request {
        case .open(let contact) where contact != me.id: screens = [.chats, .chat(contact)]
        case .open: break
        case .findContact: screens = [.chats, .contacts]
        case .back:
            screens.removeLast()
            if screens.isEmpty { ending = .left }
        case .logOut:
            screens = []
            ending = .loggedOut
        case .load:
            guard running.insert(.load).inserted else { return [] }
            failures = [:]
            return [.load]
        case .send(let text, to: let contact):
            let seen = conversations.chat(with: contact).last?.writtenAt ?? .min
            // Wraps around if another program wrote the latest possible time: a wrong order is better than a crash.
            let message = Message(
                id: newID(), author: me.id, reader: contact, writtenAt: max(now(), seen &+ 1), text: text)
            conversations.write(message)
            return [.send(message)]
        case .sendAgain(let contact): return conversations.retry(with: contact).map(ChatEffect.send)
        }
        notice = nil
        return []
    }

    private mutating func end(_ step: ChatEvent.Step) {
        running.remove(step)
        failures[step] = nil
    }

    private mutating func takeArrived(_ changes: Changes) {
        if let last = conversations.take(changes).last(where: { $0.author != openChat }) { notice = last }
        // Read in another terminal of the same account.
        if let notice, changes.read.contains(notice.id) { self.notice = nil }
    }

    /// Marks the messages on the screen as read.
    private mutating func tellWhatWasRead() -> [ChatEffect] {
        guard let openChat else { return [] }
        let unread = conversations.unread(from: openChat)
        conversations.setRead(unread)
        let ids = (owed.removeValue(forKey: openChat) ?? []) + unread
        return ids.isEmpty ? [] : [.tell(ids, to: openChat)]
    }
}
