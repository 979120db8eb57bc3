import LatchkeyAccounts
import LatchkeyCommandLine

/// The engine's connections to the outside world.
struct ChatSources: Sendable {
    var archive: any ChatArchive
    var sync: any SyncSource
    var push: any PushSource
    var sockets: any SocketSource
    /// The user's session.
    var session: SessionWatch
}

/// Stores the messages of one account.
protocol ChatArchive: Sendable {
    /// Reads the last message of each chat, and the unread messages.
    func load() async throws(StoreError) -> Overview
    /// Reads the messages of a chat that come before `first`, at most ``Page/size``.
    func page(before first: Message) async throws(StoreError) -> Page
    /// Stores that the account has a chat with this contact. Creating it again changes nothing.
    func create(_ contact: Contact.ID) async throws(StoreError)
    /// Stores a message. Storing it again changes nothing, so sending can be repeated.
    func append(_ message: Message) async throws(StoreError)
    /// Stores that these messages to this account were read.
    func markRead(_ ids: [Message.ID]) async throws(StoreError)
    /// Replaces the drafts that this window has `seen`, by contact: the typed and unsent texts. An empty one removes the
    /// draft. If another window has stored a different draft in the meantime, both texts are kept.
    func keep(_ drafts: [Contact.ID: String], over seen: [Contact.ID: String]) async throws(StoreError)
}

/// Announces the account and reads new changes.
protocol SyncSource: Sendable {
    func synchronise(since revision: Int64) async throws(StoreError) -> Changes
}

/// Delivers new changes without a request.
protocol PushSource: Sendable {
    /// Newer changes, again and again, perhaps none, until the stream is released. Continues after a failure.
    func news(since revision: Int64) -> AsyncStream<Result<Changes, StoreError>>
}

/// A direct connection to a contact while both have the chat open.
protocol SocketSource: Sendable {
    func open(with contact: Contact.ID) -> any ChatSocket
}

/// A connection to one contact. It need not work, because the archive contains everything that is sent on it.
protocol ChatSocket: Sendable {
    /// Changes from the other user, until the socket is closed.
    var changes: AsyncStream<Changes> { get }
    func send(_ changes: Changes)
    func close()
}
