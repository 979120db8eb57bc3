public import LatchkeyForms

/// Counts calls and measures how long they take, for a metrics page.
public struct CallMetrics: Equatable, Sendable {
    /// One flow and one kind of response.
    public struct Key: Hashable, Sendable {
        /// The flow.
        public let call: AccountType
        /// The code of the response.
        public let code: NetworkResponse.Code
    }

    /// The number of responses by flow and code.
    public private(set) var counts: [Key: Int] = [:]
    /// The total time of the calls in ``timed``, by flow.
    public private(set) var times: [AccountType: Duration] = [:]
    /// The number of calls whose duration is known, by flow. The start of a missed call is unknown.
    public private(set) var timed: [AccountType: Int] = [:]
    /// The number of responses by flow, whether or not a person waited for them.
    public var answered: [AccountType: Int] {
        counts.reduce(into: [:]) { $0[$1.key.call, default: 0] += $1.value }
    }
    /// The number of calls that are running.
    public var running: Int { begun.count }
    /// The number of events that the counter missed because it was too slow.
    public private(set) var missed = 0

    private var begun: [UInt64: ContinuousClock.Instant] = [:]

    /// Creates a counter at zero.
    public init() {}

    /// Counts one event.
    ///
    /// - Parameter now: when the event arrived.
    public mutating func take(_ delivered: DeliveredEvent<CallEvent>, at now: ContinuousClock.Instant) {
        switch delivered {
        case .missed(let count):
            missed += count
            // The ends of running calls may be among the missed events.
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

extension CallMetrics {
    /// The figures in Prometheus's text format, for a page to which a program can add its own.
    public var prometheus: PrometheusText {
        var text = PrometheusText()
        text.add(
            "latchkey_calls_total", .counter, "Calls that were answered.",
            AccountType.allCases.flatMap { call in
                NetworkResponse.Code.allCases.compactMap { code in
                    counts[Key(call: call, code: code)].map { count in
                        PrometheusText.Sample(count, [("call", call.rawValue), ("code", code.rawValue)])
                    }
                }
            })
        text.add(
            "latchkey_call_duration_seconds", .summary, "How long calls took until they were answered.",
            AccountType.allCases.flatMap { call -> [PrometheusText.Sample] in
                guard let time = times[call], let count = timed[call] else { return [] }
                return [
                    PrometheusText.Sample(time, [("call", call.rawValue)], suffix: "_sum"),
                    PrometheusText.Sample(count, [("call", call.rawValue)], suffix: "_count"),
                ]
            })
        text.add("latchkey_calls_running", .gauge, "Calls that wait for their answer.", [.init(running)])
        text.add(
            "latchkey_events_missed_total", .counter, "Events that came while the counter was too slow for them.",
            [.init(missed)])
        return text
    }
}
