import LatchkeyAccounts
import LatchkeyForms

extension CommandContext {
    /// A time for people: relative on a terminal, otherwise or with `--utc` in full.
    func shown(_ time: Timestamp) -> String {
        guard output.isTerminal, !invocation.has(FlagSpec.utc.name) else { return time.rfc3339 }
        return messages.relative(time, now: SystemClock().now())
    }
}

extension Timestamp {
    /// Parses a time, a day, or an age: a whole number with the unit `s`, `m`, `h`, `d` or `w`, such as `1h`.
    init?(_ text: String, now: Timestamp) {
        if let time = Timestamp(rfc3339: text) {
            self = time
            return
        }
        guard let past = Duration(text) else { return nil }
        self = now.advanced(by: .zero - past)
    }
}

extension Duration {
    /// Parses a whole number with the unit `s`, `m`, `h`, `d` or `w`, such as `90d`.
    init?(_ text: String) {
        let lengths: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let length = text.last.flatMap({ lengths[$0] }),
            let number = Argument(String(text.dropLast())).wholeNumber,
            case (let seconds, let overflow) = Int64(number).multipliedReportingOverflow(by: length), !overflow
        else { return nil }
        self = .seconds(seconds)
    }
}
