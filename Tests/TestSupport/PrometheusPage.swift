/// A strictly parsed page in Prometheus's text format: every value belongs to a declared metric, and nothing occurs
/// twice.
public struct PrometheusPage: Sendable {
    public struct Metric: Sendable {
        public let kind: String
        public let help: String
        /// Values by `name{label="value"}`, in the order of the page.
        public var figures: [(name: String, number: Double)] = []
    }

    public private(set) var metrics: [String: Metric] = [:]
    public private(set) var names: [String] = []

    public struct Malformed: Error {
        public let line: String
    }

    public init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Malformed(line: "the end") }
        var help: (name: Substring, text: Substring)?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if let match = line.wholeMatch(of: /# HELP ([a-zA-Z_:][\w:]*) (.*)/) {
                help = (match.output.1, match.output.2)
            } else if let match = line.wholeMatch(of: /# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|summary)/) {
                let (name, kind) = (String(match.output.1), String(match.output.2))
                guard let told = help, told.name == name, metrics[name] == nil,
                    (kind == "counter") == name.hasSuffix("_total")
                else { throw Malformed(line: String(line)) }
                metrics[name] = Metric(kind: kind, help: String(told.text))
                names.append(name)
                help = nil
            } else {
                try take(String(line))
            }
        }
    }

    private mutating func take(_ line: String) throws {
        let label = #"[a-zA-Z_]\w*="(?:[^"\\\n]|\\\\|\\"|\\n)*""#
        let pattern = try Regex(#"([a-zA-Z_:][\w:]*)(\{"# + label + "(?:," + label + #")*\})? (-?[0-9.e+]+)"#)
        guard let match = try pattern.wholeMatch(in: line), let name = match[1].substring, let current = names.last,
            let metric = metrics[current], let number = match[3].substring.flatMap({ Double($0) })
        else { throw Malformed(line: line) }
        let suffixes = metric.kind == "summary" ? ["_sum", "_count"] : [""]
        let whole = String(name + (match[2].substring ?? ""))
        guard suffixes.contains(where: { name == current + $0 }), !metric.figures.contains(where: { $0.name == whole })
        else { throw Malformed(line: line) }
        metrics[current]?.figures.append((whole, number))
    }

    /// The value with this exact name and labels.
    public subscript(_ figure: String) -> Double? {
        metrics.values.lazy.flatMap(\.figures).first { $0.name == figure }?.number
    }
}
