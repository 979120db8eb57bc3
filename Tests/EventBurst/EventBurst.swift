import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem

/// Emits very many events at once to eight listeners of all kinds.
public struct EventBurst: Sendable {
    /// The events that one listener received.
    public struct Hearing: Sendable {
        public let name: String
        public fileprivate(set) var events = 0
        public fileprivate(set) var missed = 0
        /// Whether each event followed the previous one, and every gap was in the right position.
        public fileprivate(set) var isInOrder = true
        fileprivate var next: UInt64 = 0

        fileprivate mutating func take(_ heard: DeliveredEvent<AccountEvent>) {
            switch heard {
            case .event(let event):
                events += 1
                guard case .call(let call) = event else { break }
                if call.id != next { isInOrder = false }
                next = call.id + 1
            case .missed(let count):
                missed += count
                next += UInt64(count)
            }
        }
    }

    public let hearings: [Hearing]
    /// The time until the last event was emitted.
    public let emission: Duration
    /// The time until the last active listener had received all events.
    public let whole: Duration

    private enum Manner {
        case reads, blocks
        case throwsAfter(Int)
    }

    private struct Enough: Error {}

    public init(of count: Int) async {
        let kinds: [(name: String, limit: Int, manner: Manner)] = [
            ("room for all", count, .reads), ("room for all", count, .reads), ("usual limit", 1024, .reads),
            ("usual limit", 1024, .reads), ("limit of 16", 16, .reads), ("limit of 1", 1, .reads),
            ("blocks for ever", 1024, .blocks), ("throws", 1024, .throwsAfter(10)),
        ]
        var stream: AccountEvents? = AccountEvents()
        let (silence, keeper) = AsyncStream.makeStream(of: Void.self)
        let tallies = kinds.map { Locked(Hearing(name: $0.name)) }
        var listeners: [(EventListener, Manner)] = []
        for (kind, tally) in zip(kinds, tallies) {
            guard let feed = stream?.events(limit: kind.limit) else { continue }
            let listener = feed.listen { heard in
                let events = tally.withLock { tally in
                    tally.take(heard)
                    return tally.events
                }
                switch kind.manner {
                case .reads: break
                case .blocks: for await _ in silence {}
                case .throwsAfter(let limit): if events == limit { throw Enough() }
                }
            }
            listeners.append((listener, kind.manner))
        }
        let start = ContinuousClock.now
        for id in 0..<UInt64(count) { stream?.emit(.call(.abandoned(id: id, call: .login))) }
        emission = start.duration(to: .now)
        stream = nil
        for (listener, manner) in listeners {
            if case .blocks = manner { continue }
            await listener.wait()
        }
        whole = start.duration(to: .now)
        for (listener, manner) in listeners {
            guard case .blocks = manner else { continue }
            listener.cancel()
            await listener.wait()
        }
        withExtendedLifetime(keeper) {}
        hearings = tallies.map { tally in tally.withLock { $0 } }
    }
}
