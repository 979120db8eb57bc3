import LatchkeyAccounts
import LatchkeyFlows

/// One thing that happened. Every change of the screen is caused by an event.
enum ChatEvent: Equatable, Sendable, StreamedEvent {
    case asked(ChatRequest)
    case loaded(Changes)
    case synchronised(Changes)
    case failed(Step, StoreError)
    /// Changes from the push source or the socket source.
    case arrived(Changes, by: Route)
    case sent(Message)
    case notSent(Message.ID, Delivery.Failure)
    /// The other user could not be notified that these were read.
    case notTold([Message.ID], to: Contact.ID)
    /// The session was ended, here or elsewhere, before a request.
    case sessionEnded

    enum Step: Sendable { case load, synchronise, watch }
    enum Route: Sendable { case push, socket }

    /// The contacts that the event mentions.
    var contacts: [Contact] {
        switch self {
        case .loaded(let changes), .synchronised(let changes), .arrived(let changes, by: _): changes.contacts
        case .asked, .failed, .sent, .notSent, .notTold, .sessionEnded: []
        }
    }
}
