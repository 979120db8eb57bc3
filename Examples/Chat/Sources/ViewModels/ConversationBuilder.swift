/// Makes the messages of one chat.
struct ConversationBuilder {
    let conversations: Conversations
    let partner: Contact.ID

    func build() -> ConversationViewModel {
        let all = conversations.chat(with: partner)
        let shown = Array(all.suffix(ConversationViewModel.shown))
        let messages = shown.indices.map { place in
            viewModel(
                of: shown[place], after: place > 0 ? shown[place - 1] : nil,
                before: shown[(place + 1)...].first { $0.author == conversations.me })
        }
        return ConversationViewModel(partner: partner, earlier: all.count - shown.count, messages: messages)
    }

    /// - Parameter next: the own message that follows.
    private func viewModel(of message: Message, after previous: Message?, before next: Message?) -> MessageViewModel {
        let isOwn = message.author == conversations.me
        let author = isOwn ? "You" : conversations.name(of: message.author)
        let delivery = conversations.delivery(of: message)
        let isSaidBelow = next.map { conversations.delivery(of: $0) == delivery } ?? false
        var isFailed = false
        if case .failed = delivery { isFailed = true }
        return MessageViewModel(
            author: previous?.author == message.author ? nil : author, text: message.text.text,
            delivery: isOwn && (!isSaidBelow || isFailed) ? delivery.sentence : nil, isFailed: isFailed)
    }
}
