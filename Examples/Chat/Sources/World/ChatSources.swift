/// The engine's connections to the outside world.
struct ChatSources: Sendable {
    var archive: any ChatArchive
    var sync: any SyncSource
    var push: any PushSource
    var sockets: any SocketSource
    /// Whether the session is still valid.
    var isSignedIn: @Sendable () async -> Bool
}
