import LatchkeyAccounts

/// The state of the program: open screens, running work, failures.
///
/// Uses no disk or socket. It alone decides what a request or a message changes and which effects it has, so a test can
/// pass them in and check the results.
struct ChatState: Sendable {
    let me: Contact
    private(set) var conversations: Conversations
    /// The stack of screens; the last one is shown. A finished screen is removed.
    private(set) var screens = [Screen.chats]
    /// The last message on the screen; nil for the newest one.
    private(set) var lastShown: Message?
    private(set) var running: Set<NetworkMessage.Step> = []
    private(set) var failures: [NetworkMessage.Step: StoreError] = [:]
    /// The chat that is being created, or whose creation failed.
    private(set) var creation: Creation?
    /// The last message that arrived for a chat that is not open.
    private(set) var notice: Message?
    /// The last message that arrived, whether or not its chat is open.
    private(set) var latest: Message?
    /// The number of messages that have arrived since the start.
    private(set) var arrivals = 0
    /// The texts that were typed in an earlier session and not sent. All windows of the account share them, until one of
    /// them sends a message in the chat.
    private(set) var drafts: [Contact.ID: String] = [:]
    private var hasLoaded = false
    private(set) var ending: Ending?

    /// Read messages whose authors could not be notified yet.
    private var owed: [Contact.ID: [Message.ID]] = [:]
    private let newID: @Sendable () -> Message.ID
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64

    enum Screen: Equatable, Sendable {
        case chats, contacts
        case chat(Contact.ID)
    }
    enum Creation: Equatable, Sendable {
        case busy(Contact.ID)
        case failed(Contact.ID, StoreError)
    }
    enum Ending: Sendable { case left, loggedOut, expired }

    init(me: Contact, newID: @escaping @Sendable () -> Message.ID, now: @escaping @Sendable () -> Int64) {
        self.me = me
        self.newID = newID
        self.now = now
        conversations = Conversations(me: me)
    }

    /// The partner of the chat on the screen.
    var openChat: Contact.ID? { if case .chat(let contact) = screens.last { contact } else { nil } }

    /// The number of loaded messages of the open chat up to the last one on the screen.
    var shownCount: Int {
        guard let openChat, let chat = conversations.chats[openChat] else { return 0 }
        return lastShown.map { min(chat.messages.firstPlace(notBefore: $0) + 1, chat.messages.count) }
            ?? chat.messages.count
    }

    mutating func take(_ request: ChatRequest) -> [ChatEffect] {
        let before = openChat
        return react(to: request) + changeSocket(from: before) + tellWhatWasRead() + readPageIfNeeded()
    }

    mutating func take(_ message: NetworkMessage) -> [ChatEffect] {
        let before = openChat
        let effects = react(to: message) + changeSocket(from: before)
        if case .notTold = message { return effects }  // an immediate retry would fail too
        return effects + tellWhatWasRead() + readPageIfNeeded()
    }

    private mutating func changeSocket(from before: Contact.ID?) -> [ChatEffect] {
        guard openChat != before else { return [] }
        lastShown = nil
        return (before == nil ? [] : [.closeSocket]) + (openChat.map { [.openSocket($0)] } ?? [])
    }

    private mutating func react(to message: NetworkMessage) -> [ChatEffect] {
        switch message {
        case .loaded(let overview):
            end(.load)
            conversations.take(overview)
            // The texts in this window are based on the drafts that it has read first.
            if !hasLoaded { drafts = overview.drafts }
            hasLoaded = true
            lastShown = nil
            running.insert(.synchronise)
            return [.synchronise(since: overview.revision), .watch(since: overview.revision)]
        case .pageRead(let page, before: let first):
            end(.page)
            conversations.take(page, before: first)
        case .arrived(let changes): takeArrived(changes)
        case .ended(.create(let contact)):
            conversations.create(contact)
            if creation == .busy(contact) { show(contact) }
        case .ended(let step): end(step)
        case .failed(.create(let contact), let why):
            if creation == .busy(contact) { creation = .failed(contact, why) }
        case .failed(let step, let why):
            running.remove(step)
            failures[step] = why
        case .sent(let message):
            conversations.setSent(message.id)
            drafts[message.reader] = nil
        case .notSent(let id, let why): conversations.setFailed(id, why)
        case .notTold(let ids, to: let contact): owed[contact, default: []] += ids
        case .sessionEnded:
            screens = []
            ending = .expired
        }
        return []
    }

    private mutating func react(to request: ChatRequest) -> [ChatEffect] {
        switch request {
        case .open(let contact):
            guard contact != me.id, creation != .busy(contact) else { return [] }
            guard conversations.chats[contact] == nil else {
                show(contact)
                break
            }
            creation = .busy(contact)
            return [.create(contact)]
        case .findContact:
            creation = nil
            screens = [.chats, .contacts]
        case .scroll(let distance):
            scroll(by: distance)
            failures[.page] = nil
            return []
        case .back:
            creation = nil
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
            let seen = conversations.chats[contact]?.messages.last?.writtenAt ?? .min
            // Wraps around if another program has stored the latest possible time, because a wrong order is better than
            // a crash.
            let message = Message(
                id: newID(), author: me.id, reader: contact, writtenAt: max(now(), seen &+ 1), text: text)
            conversations.write(message)
            lastShown = nil
            return [.send(message)]
        case .sendAgain(let contact): return conversations.retry(with: contact).map(ChatEffect.send)
        }
        notice = nil
        return []
    }

    private mutating func show(_ contact: Contact.ID) {
        creation = nil
        screens = [.chats, .chat(contact)]
    }

    private mutating func end(_ step: NetworkMessage.Step) {
        running.remove(step)
        failures[step] = nil
    }

    private mutating func takeArrived(_ changes: Changes) {
        for message in changes.messages where message.author == me.id {
            // An earlier message arrives again when it is read.
            let last = conversations.chats[message.reader]?.messages.last
            if last.map({ Message.isBefore($0, message) }) ?? true { drafts[message.reader] = nil }
        }
        let new = conversations.take(changes)
        arrivals += new.count
        latest = new.last ?? latest
        if let last = new.last(where: { $0.author != openChat }) { notice = last }
        // Read in another terminal by the same account.
        if let notice, changes.read.contains(notice.id) { self.notice = nil }
    }

    private mutating func scroll(by distance: Int) {
        guard let openChat, let chat = conversations.chats[openChat], !chat.messages.isEmpty else { return }
        let last = chat.messages.count - 1
        let (place, overflow) = (shownCount - 1).addingReportingOverflow(distance)
        let wanted = overflow ? (distance < 0 ? 0 : last) : min(max(place, 0), last)
        // A message that arrives does not move what the user has scrolled back to.
        lastShown = distance > 0 && wanted == last ? nil : chat.messages[wanted]
    }

    /// Marks the messages on the screen as read.
    private mutating func tellWhatWasRead() -> [ChatEffect] {
        guard let openChat else { return [] }
        let unread = conversations.unread(from: openChat)
        conversations.setRead(unread, from: openChat)
        let ids = (owed.removeValue(forKey: openChat) ?? []) + unread
        return ids.isEmpty ? [] : [.tell(ids, to: openChat)]
    }

    /// Reads ahead, so that the next screen of messages is loaded before it is needed.
    private mutating func readPageIfNeeded() -> [ChatEffect] {
        guard let openChat, let chat = conversations.chats[openChat], chat.hasEarlier, let first = chat.messages.first,
            shownCount <= Page.shown, failures[.page] == nil, running.insert(.page).inserted
        else { return [] }
        return [.readPage(before: first)]
    }
}
