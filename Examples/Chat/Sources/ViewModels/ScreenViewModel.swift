/// One screen's own part.
enum ScreenViewModel: Equatable, Sendable {
    case chats([RowViewModel])
    case contacts
    case conversation(ConversationViewModel)
}
