import LatchkeyAccounts

/// The delivery of a message.
enum Delivery: Equatable, Sendable {
    case sending
    case sent
    case failed(Failure)
    case read

    enum Failure: Error, Equatable, Sendable {
        case store(StoreError)
        /// The session has ended, so the message was not stored.
        case loggedOut
    }
}
