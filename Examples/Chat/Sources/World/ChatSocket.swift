/// A connection to one contact. It may be silent: everything on it is in the archive too.
protocol ChatSocket: Sendable {
    /// Changes from the other user, until the socket is closed.
    var changes: AsyncStream<Changes> { get }
    func send(_ changes: Changes)
    func close()
}
