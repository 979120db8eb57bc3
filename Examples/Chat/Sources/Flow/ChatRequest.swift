/// What a person asks for. View models hold the requests that can be made of them.
enum ChatRequest: Equatable, Sendable {
    case open(Contact.ID)
    /// To look for somebody to write to.
    case findContact
    case send(MessageText, to: Contact.ID)
    /// What failed in this chat, once more.
    case sendAgain(Contact.ID)
    /// To read everything, at the start or after that has failed.
    case load
    /// Back to the screen before, and out at the first.
    case back
    case signOut
}
