import LatchkeyForms

extension CallMetrics {
    /// As Prometheus reads it: a page that a program serves, or adds its own figures to.
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
