/// One such line, which may be silent: whatever is said on it is in the archive too.
protocol ChatSocket: Sendable {
    /// What the other says, until the line is closed.
    var changes: AsyncStream<Changes> { get }
    func send(_ changes: Changes)
    func close()
}
