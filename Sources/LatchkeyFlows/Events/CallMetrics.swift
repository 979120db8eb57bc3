public import LatchkeyForms

/// Counts calls and how long they took: what a program shows on a page of figures.
public struct CallMetrics: Equatable, Sendable {
    /// Of one flow and one kind of answer.
    public struct Key: Hashable, Sendable {
        public let call: AccountType
        public let code: NetworkResponse.Code
    }

    /// How many there were.
    public private(set) var counts: [Key: Int] = [:]
    /// How long those of one flow took, all together.
    public private(set) var times: [AccountType: Duration] = [:]
    /// How many those were: of what was missed, nobody knows when it began.
    public private(set) var timed: [AccountType: Int] = [:]
    /// How many of each flow had an answer, waited for or not.
    public var answered: [AccountType: Int] {
        counts.reduce(into: [:]) { $0[$1.key.call, default: 0] += $1.value }
    }
    /// Calls that run.
    public var running: Int { begun.count }
    /// Events that came while the counter was too slow for them.
    public private(set) var missed = 0

    private var begun: [UInt64: ContinuousClock.Instant] = [:]

    public init() {}

    /// - Parameter now: when the event was heard.
    public mutating func take(_ heard: Heard<CallEvent>, at now: ContinuousClock.Instant) {
        switch heard {
        case .missed(let count):
            missed += count
            // Their ends may be among what was missed, and would be waited for for ever.
            begun.removeAll()
        case .event(.began(let id, _)): begun[id] = now
        case .event(.ended(let id, let call, let code)):
            counts[Key(call: call, code: code), default: 0] += 1
            guard let start = begun.removeValue(forKey: id) else { return }
            times[call, default: .zero] += start.duration(to: now)
            timed[call, default: 0] += 1
        case .event(.refused), .event(.abandoned): break
        }
    }
}
