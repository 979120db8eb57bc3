public import LatchkeySecrets

/// Keeps the token of the session that this user has, between one run and the next.
///
/// It stands between the network and whoever is signed in, so that no token is in a response or an event.
public protocol SessionKeeper: Sendable {
    /// Keeps `token` in the place of any other.
    func keep(_ token: Secret) async throws(SessionKeeperError)

    /// The token that is kept; nil where there is none.
    func token() async throws(SessionKeeperError) -> Secret?

    /// Forgets the token; done also where there is none.
    func forget() async throws(SessionKeeperError)
}

/// Why a token could not be kept, read or forgotten.
public enum SessionKeeperError: Error, Equatable, Sendable {
    /// The place where it is kept is open to others, or belongs to somebody else; nothing was read.
    case exposed(path: String)
    /// The place cannot be read or written.
    case failed(path: String)
    /// There is no place where it may be kept.
    case homeless
}
