import LatchkeyAccounts

/// How far a message has come.
enum Delivery: Equatable, Sendable {
    case sending
    case sent
    case failed(Failure)
    case read

    enum Failure: Error, Equatable, Sendable {
        case store(StoreError)
        /// The session has ended: nothing is written for nobody.
        case signedOut
    }
}
