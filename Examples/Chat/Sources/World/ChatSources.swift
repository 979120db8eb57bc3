/// All that the engine reaches the world by.
struct ChatSources: Sendable {
    var archive: any ChatArchive
    var sync: any SyncSource
    var push: any PushSource
    var sockets: any SocketSource
    /// Whether the session still lives.
    var isSignedIn: @Sendable () async -> Bool
}
