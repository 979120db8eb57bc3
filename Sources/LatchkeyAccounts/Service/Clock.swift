/// What tells the service the time. Nothing below the composition root reads a clock of its own.
public protocol Clock: Sendable {
    /// The present moment, UTC.
    func now() -> Timestamp
}
