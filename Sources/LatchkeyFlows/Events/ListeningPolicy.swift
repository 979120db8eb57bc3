/// What becomes of events that a listener has not read yet.
public struct ListeningPolicy<Value: Sendable>: Sendable {
    let limit: Int
    let spill: EventSpill<Value>?

    /// At most `limit` events wait, at least 1; those that come while as many do are counted, and told of as one gap.
    public static func bounded(_ limit: Int = 1024) -> ListeningPolicy {
        ListeningPolicy(limit: max(limit, 1), spill: nil)
    }

    /// Nothing is lost: what is more than `limit` waits in a file.
    public static func lossless(inMemory limit: Int = 1024, _ spill: EventSpill<Value>) -> ListeningPolicy {
        ListeningPolicy(limit: max(limit, 1), spill: spill)
    }
}
