/// Makes the view model of a state.
struct ChatViewModelBuilder {
    let state: ChatState

    private var conversations: Conversations { state.conversations }

    func build() -> ChatViewModel {
        ChatViewModel(
            title: title, status: status, notice: notice, screen: screen, actions: actions,
            isOver: state.ending != nil)
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
        if state.running.contains(.synchronise) { return .busy("Looking for news") }
        if let why = state.failures[.synchronise] ?? state.failures[.watch] {
            return .failed("There may be news that cannot be read: " + why.sentence)
        }
        return .idle
    }

    private var notice: String? {
        state.notice.map { "\(conversations.name(of: $0.author)) writes: \($0.text.text)" }
    }

    private var actions: [ActionViewModel] {
        var actions: [ActionViewModel] = []
        if let notice = state.notice {
            let name = conversations.name(of: notice.author)
            actions.append(ActionViewModel(label: "Read " + name, request: .open(notice.author)))
        }
        if !state.failures.isEmpty { actions.append(ActionViewModel(label: "Try again", request: .load)) }
        if let contact = state.openChat, conversations.chat(with: contact).contains(where: isFailed) {
            actions.append(ActionViewModel(label: "Send again", request: .sendAgain(contact)))
        }
        return actions
    }

    private func isFailed(_ message: Message) -> Bool {
        if case .failed = conversations.delivery(of: message) { true } else { false }
    }

    private var screen: ScreenViewModel {
        switch state.screens.last {
        case .chats, nil: .chats(ChatListBuilder(conversations: conversations).build())
        case .contacts: .contacts
        case .chat(let contact):
            .conversation(ConversationBuilder(conversations: conversations, partner: contact).build())
        }
    }
}
