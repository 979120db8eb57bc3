/// Makes the messages of the open chat, up to the last one that is shown.
struct ConversationBuilder {
    let state: ChatState
    let partner: Contact.ID
    let now: LocalTime
    let zone: LocalTime.Zone

    private var conversations: Conversations { state.conversations }

    func build() -> ConversationViewModel {
        let chat = conversations.chats[partner]
        let all = chat?.messages ?? []
        let shown = Array(all.prefix(state.shownCount).suffix(Page.shown))
        let later = Array(all.dropFirst(state.shownCount).prefix(Page.shown))
        return ConversationViewModel(
            partner: partner, hasEarlier: chat?.hasEarlier == true || state.shownCount > shown.count,
            messages: viewModels(of: shown, after: nil), later: viewModels(of: later, after: shown.last),
            draft: state.drafts[partner] ?? "")
    }

    private func viewModels(of messages: [Message], after previous: Message?) -> [MessageViewModel] {
        messages.indices.map { place in
            viewModel(
                of: messages[place], after: place > 0 ? messages[place - 1] : previous,
                before: messages[(place + 1)...].first { $0.author == conversations.me })
        }
    }

    /// - Parameter next: the own message that follows.
    private func viewModel(of message: Message, after previous: Message?, before next: Message?) -> MessageViewModel {
        let isOwn = message.author == conversations.me
        let author = isOwn ? "You" : conversations.name(of: message.author)
        let delivery = conversations.delivery(of: message)
        let isSaidBelow = next.map { conversations.delivery(of: $0) == delivery } ?? false
        var isFailed = false
        if case .failed = delivery { isFailed = true }
        let time = LocalTime(milliseconds: message.writtenAt, zone: zone)
        let isSameDay = previous.map { LocalTime(milliseconds: $0.writtenAt, zone: zone).dayNumber == time.dayNumber }
        return MessageViewModel(
            day: isSameDay == true ? nil : time.date(seenAt: now),
            author: previous?.author == message.author && isSameDay == true ? nil : author, time: time.clock,
            text: message.text.text, delivery: isOwn && (!isSaidBelow || isFailed) ? delivery.sentence : nil,
            isFailed: isFailed)
    }
}
