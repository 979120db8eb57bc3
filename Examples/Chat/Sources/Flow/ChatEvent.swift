import LatchkeyAccounts
import LatchkeyFlows

/// An event. Every change of the screen is caused by one.
enum ChatEvent: Equatable, Sendable, StreamedEvent {
    case asked(ChatRequest)
    case loaded(Overview)
    case synchronised(Changes)
    /// The messages before `first`, which begins its chat on the screen.
    case pageRead(Page, before: Message)
    case failed(Step, StoreError)
    /// A step that had failed works again.
    case recovered(Step)
    /// Changes from any source. The engine knows which one.
    case arrived(Changes)
    case created(Contact.ID)
    case notCreated(Contact.ID, StoreError)
    case sent(Message)
    case notSent(Message.ID, Delivery.Failure)
    /// The other user could not be notified that these were read.
    case notTold([Message.ID], to: Contact.ID)
    /// The session was ended, here or elsewhere.
    case sessionEnded

    enum Step: Sendable { case load, synchronise, watch, page }

    /// The contacts that the event mentions.
    var contacts: [Contact] {
        switch self {
        case .loaded(let overview): overview.contacts
        case .synchronised(let changes), .arrived(let changes): changes.contacts
        default: []
        }
    }
}

/// A request of the user. A view model contains the requests that are available.
enum ChatRequest: Equatable, Sendable {
    /// Opens a chat, and creates it if necessary.
    case open(Contact.ID)
    /// Opens the search for a contact.
    case findContact
    /// Shows earlier or later messages, by a number of messages.
    case scroll(by: Int)
    case send(MessageText, to: Contact.ID)
    /// Sends the failed messages of this chat again.
    case sendAgain(Contact.ID)
    /// Reads everything, at the start or after a failure.
    case load
    /// Returns to the previous screen, or leaves from the first one.
    case back
    case logOut
}

/// The effect of an event. ``ChatEngine`` performs it.
enum ChatEffect: Equatable, Sendable {
    /// Reads the overview of the archive.
    case load
    /// Announces the account, and reads newer changes.
    case synchronise(since: Int64)
    /// Receives newer changes from now on.
    case watch(since: Int64)
    /// Reads the messages of a chat before this one.
    case readPage(before: Message)
    case create(Contact.ID)
    case send(Message)
    /// Notifies the author that these were read.
    case tell([Message.ID], to: Contact.ID)
    case openSocket(Contact.ID)
    case closeSocket
}
