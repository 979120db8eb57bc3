package import LatchkeyForms
import LatchkeySystem

/// Measures elapsed time and processor time since its creation.
package struct Stopwatch {
    private let start = SystemTime.monotonicNanoseconds()
    private let processStart = SystemTime.processNanoseconds()

    /// Starts measuring.
    package init() {}

    /// The elapsed time in seconds.
    var elapsed: Double { Double(SystemTime.monotonicNanoseconds() - start) / 1e9 }
    /// The processor time in seconds, summed over all cores.
    var computed: Double { Double(SystemTime.processNanoseconds() - processStart) / 1e9 }
}

extension Output {
    /// Prints a count with its elapsed time and processor time.
    package func figures(
        count: Int, succeeded: Int?, _ stopwatch: Stopwatch, _ messages: MessageTable
    ) throws(ToolFailure) {
        let (seconds, computed) = (Self.decimal(stopwatch.elapsed), Self.decimal(stopwatch.computed))
        guard !json else {
            var members: [(key: String, value: JSONValue)] = [("count", .integer(count))]
            if let succeeded { members.append(("succeeded", .integer(succeeded))) }
            members += [("seconds", .number(seconds)), ("cpu_seconds", .number(computed))]
            return try result(.object(members))
        }
        var values: [String: RuleFailure.Value] = [
            "count": .integer(count), "seconds": .text(seconds), "computed": .text(computed),
        ]
        values["succeeded"] = succeeded.map { .integer($0) }
        try result(messages.sentence(succeeded == nil ? "tool.figures" : "tool.figures_succeeded", values))
    }

    /// The seconds with six decimals.
    private static func decimal(_ seconds: Double) -> String {
        let millionths = Int64((max(seconds, 0) * 1_000_000).rounded())
        let fraction = String(millionths % 1_000_000)
        return "\(millionths / 1_000_000)." + String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
    }
}
