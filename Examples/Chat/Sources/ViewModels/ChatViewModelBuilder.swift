import LatchkeyAccounts

/// Makes the view model of a state.
struct ChatViewModelBuilder {
    let state: ChatState
    var zone = LocalTime.Zone.local

    private var conversations: Conversations { state.conversations }

    func build() -> ChatViewModel {
        ChatViewModel(
            title: title, status: status, notice: state.notice.map(sentence), news: state.latest.map(sentence),
            screen: screen,
            actions: actions, arrivals: state.arrivals, isBusy: isBusy, isOver: state.ending != nil)
    }

    private var isBusy: Bool {
        if case .busy? = state.creation { return true }
        return !state.running.isEmpty || conversations.unsent.contains { conversations.delivery(of: $0) == .sending }
    }

    private var title: String {
        let unread = conversations.unreadCount
        let place =
            switch state.screens.last {
            case .chats, nil: "Chats of " + state.me.name
            case .contacts: "New chat"
            case .chat(let contact): "Chat with " + conversations.name(of: contact)
            }
        return unread == 0 ? place : "\(place) (\(unread) unread)"
    }

    private var status: StatusViewModel {
        if state.running.contains(.load) { return .busy("Reading the chats") }
        if let why = state.failures[.load] { return .failed("The chats cannot be read: " + why.sentence) }
        switch state.creation {
        case .busy(let contact): return .busy("Starting the chat with \(conversations.name(of: contact))")
        case .failed(let contact, let why):
            return .failed("The chat with \(conversations.name(of: contact)) was not started: " + why.sentence)
        case nil: break
        }
        if state.running.contains(.page) { return .busy("Reading earlier messages") }
        if let why = state.failures[.page] { return .failed("Earlier messages cannot be read: " + why.sentence) }
        if state.running.contains(.synchronise) { return .busy("Looking for news") }
        if let why = state.failures[.synchronise] ?? state.failures[.watch] {
            return .failed("There may be news that cannot be read: " + why.sentence)
        }
        return .idle
    }

    private func sentence(of message: Message) -> String {
        "\(conversations.name(of: message.author)) writes: \(message.text.line)"
    }

    private var actions: [ActionViewModel] {
        var actions: [ActionViewModel] = []
        if let notice = state.notice {
            let name = conversations.name(of: notice.author)
            actions.append(ActionViewModel(label: "Read " + name, request: .open(notice.author)))
        }
        if !state.failures.isEmpty { actions.append(ActionViewModel(label: "Try again", request: .load)) }
        if case .failed(let contact, _)? = state.creation {
            actions.append(ActionViewModel(label: "Try again", request: .open(contact)))
        }
        if let contact = state.openChat, !conversations.failed(with: contact).isEmpty {
            actions.append(ActionViewModel(label: "Send again", request: .sendAgain(contact)))
        }
        if case .conversation(let chat) = screen {
            // Both keys stay where they are while the user scrolls.
            if chat.hasEarlier || chat.messages.count + chat.later.count > 10 {
                actions.append(ActionViewModel(label: "Earlier", request: .scroll(by: -1)))
                actions.append(ActionViewModel(label: "Later", request: .scroll(by: 1)))
            }
        }
        return actions
    }

    private var screen: ScreenViewModel {
        let now = LocalTime(milliseconds: state.now(), zone: zone)
        switch state.screens.last {
        case .chats, nil:
            return .chats(ChatListBuilder(conversations: conversations, now: now, zone: zone).build())
        case .contacts: return .contacts
        case .chat(let contact):
            let builder = ConversationBuilder(state: state, partner: contact, now: now, zone: zone)
            return .conversation(builder.build())
        }
    }
}

/// Makes the list of chats, with the other choices.
struct ChatListBuilder {
    let conversations: Conversations
    let now: LocalTime
    let zone: LocalTime.Zone

    func build() -> [RowViewModel] {
        conversations.list.map { contact, last, unread in
            RowViewModel(
                label: conversations.name(of: contact), unread: unread, date: last.map(date) ?? "",
                detail: last.map(detail) ?? "no messages yet", request: .open(contact))
        } + [
            RowViewModel(label: "New chat", request: .findContact),
            RowViewModel(label: "Log out", request: .logOut),
        ]
    }

    private func detail(of message: Message) -> String {
        (message.author == conversations.me ? "You: " : "") + message.text.line
    }

    private func date(of message: Message) -> String {
        let time = LocalTime(milliseconds: message.writtenAt, zone: zone)
        return time.dayNumber == now.dayNumber ? time.clock : time.date(seenAt: now)
    }
}

extension Delivery {
    var sentence: String {
        switch self {
        case .sending: "sending"
        case .sent: "sent"
        case .read: "read"
        case .failed(.loggedOut): "not sent: you are not logged in any more"
        case .failed(.store(let why)): "not sent: " + why.sentence
        }
    }
}

extension StoreError {
    /// A sentence for problems that the user can solve. For others, the code, which helps the administrator of the
    /// database.
    var sentence: String {
        switch self {
        case .busy: "the database is in use by another program"
        case .full: "there is no room left on the disk"
        case .readOnly, .denied, .exposed: "the database may not be written"
        case .missing: "the database is not there"
        case .corrupt, .notAStore: "the database is damaged"
        case .newer: "the database is of a newer version"
        default: "the database fails (\(self))"
        }
    }
}
