/// The content of one screen.
enum ScreenViewModel: Equatable, Sendable {
    case chats([RowViewModel])
    case contacts
    case conversation(ConversationViewModel)
}
