/// A request of the user. View models contain the available requests.
enum ChatRequest: Equatable, Sendable {
    case open(Contact.ID)
    /// Open the search for a contact.
    case findContact
    case send(MessageText, to: Contact.ID)
    /// Send the failed messages of this chat again.
    case sendAgain(Contact.ID)
    /// Read everything, at the start or after a failure.
    case load
    /// Return to the previous screen, or leave from the first one.
    case back
    case logOut
}
