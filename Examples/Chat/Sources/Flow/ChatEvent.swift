import LatchkeyAccounts
import LatchkeyFlows

/// One thing that happened. Everything that changes what is seen is one of these.
enum ChatEvent: Equatable, Sendable, StreamedEvent {
    case asked(ChatRequest)
    case loaded(Changes)
    case synchronised(Changes)
    case failed(Step, StoreError)
    /// Unasked, by the push source or the socket source.
    case arrived(Changes, by: Route)
    case sent(Message)
    case notSent(Message.ID, Delivery.Failure)
    /// The other could not be told that these were read.
    case notTold([Message.ID], to: Contact.ID)
    /// Here or elsewhere, before something was asked for.
    case sessionEnded

    enum Step: Sendable { case load, synchronise, watch }
    enum Route: Sendable { case push, socket }

    /// The people that it tells of.
    var contacts: [Contact] {
        switch self {
        case .loaded(let changes), .synchronised(let changes), .arrived(let changes, by: _): changes.contacts
        case .asked, .failed, .sent, .notSent, .notTold, .sessionEnded: []
        }
    }
}
