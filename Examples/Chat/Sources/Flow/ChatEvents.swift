import LatchkeyAccounts
import LatchkeyFlows

/// An action of the person. A view model contains the requests that are available.
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

/// A message of the network: news from the database and from other people, and the results of effects. It does not say
/// which source it comes from, because no code may depend on that.
enum NetworkMessage: Equatable, Sendable, StreamedEvent {
    case loaded(Overview)
    /// The messages before `first`, which begins its chat on the screen.
    case pageRead(Page, before: Message)
    case arrived(Changes)
    /// A step has ended, or works again after a failure.
    case ended(Step)
    case failed(Step, StoreError)
    case sent(Message)
    case notSent(Message.ID, Delivery.Failure)
    /// The other user could not be notified that these were read.
    case notTold([Message.ID], to: Contact.ID)
    /// The session was ended, here or elsewhere.
    case sessionEnded

    enum Step: Hashable, Sendable {
        case load, synchronise, watch, page
        case create(Contact.ID)
    }

    /// The contacts that the message mentions.
    var contacts: [Contact] {
        switch self {
        case .loaded(let overview): overview.contacts
        case .arrived(let changes): changes.contacts
        default: []
        }
    }
}

/// The effect of a request or a message. ``ChatEngine`` performs it.
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
