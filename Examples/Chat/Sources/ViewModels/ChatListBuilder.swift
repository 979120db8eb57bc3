/// Makes the list of chats, with the other choices.
struct ChatListBuilder {
    let conversations: Conversations

    func build() -> [RowViewModel] {
        conversations.chats.map { contact, last, unread in
            let author = last.author == conversations.me ? "You: " : ""
            return RowViewModel(
                label: conversations.name(of: contact), unread: unread, detail: author + last.text.text,
                request: .open(contact))
        } + [
            RowViewModel(label: "New chat", request: .findContact),
            RowViewModel(label: "Log out", request: .logOut),
        ]
    }
}
