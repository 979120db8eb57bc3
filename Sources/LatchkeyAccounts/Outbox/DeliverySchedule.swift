/// When a message that could not be handed over is tried again.
enum DeliverySchedule {
    /// The longest wait between two attempts.
    static let longestWait = Duration.seconds(6 * 3600)

    /// How many failures end one round: what is the matter with three is likely the matter with all.
    static let failuresPerRound = 3

    /// How many messages one round takes.
    static let messagesPerRound = 100

    /// How long after an attempt the next one comes: a minute, and twice as long each time, up to 6 hours.
    ///
    /// - Parameter attempts: those before it.
    static func wait(after attempts: Int) -> Duration {
        min(.seconds(60 << min(max(attempts, 0), 10)), longestWait)
    }
}
