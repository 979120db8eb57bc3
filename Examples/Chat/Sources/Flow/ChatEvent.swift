import LatchkeyAccounts
import LatchkeyFlows

/// One thing that happened. Every change of the screen is caused by an event.
enum ChatEvent: Equatable, Sendable, StreamedEvent {
    case asked(ChatRequest)
    case loaded(Overview)
    case synchronised(Changes)
    /// The messages before `first`, which begins its chat on the screen.
    case pageRead(Page, before: Message)
    case failed(Step, StoreError)
    /// A step works again that had failed.
    case recovered(Step)
    /// Changes, whichever way they came. The engine knows the way.
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

/// A request of the user. View models contain the available requests.
enum ChatRequest: Equatable, Sendable {
    /// Opens a chat, which is created if there is none.
    case open(Contact.ID)
    /// Open the search for a contact.
    case findContact
    /// Shows earlier messages, or later ones, by a number of messages.
    case scroll(by: Int)
    case send(MessageText, to: Contact.ID)
    /// Send the failed messages of this chat again.
    case sendAgain(Contact.ID)
    /// Read everything, at the start or after a failure.
    case load
    /// Return to the previous screen, or leave from the first one.
    case back
    case logOut
}

/// The effect of an event. ``ChatEngine`` performs it.
enum ChatEffect: Equatable, Sendable {
    /// Read the overview of the archive.
    case load
    /// Announce the account, and read newer changes.
    case synchronise(since: Int64)
    /// Receive newer changes from now on.
    case watch(since: Int64)
    /// Read the messages of a chat before this one.
    case readPage(before: Message)
    case create(Contact.ID)
    case send(Message)
    /// Notify the author that these were read.
    case tell([Message.ID], to: Contact.ID)
    case openSocket(Contact.ID)
    case closeSocket
}
