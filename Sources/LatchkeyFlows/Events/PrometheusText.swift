/// Figures as Prometheus reads them: its text-based exposition format, version 0.0.4
/// (<https://prometheus.io/docs/instrumenting/exposition_formats/>).
public struct PrometheusText: Sendable {
    public private(set) var lines: [String] = []

    /// What a figure may do.
    public enum Kind: String, Sendable {
        /// Only grows, as long as who counts lives.
        case counter
        case gauge
        /// How many there were (`_count`) and their sum (`_sum`).
        case summary
    }

    /// One figure of a metric.
    public struct Sample: Sendable {
        let suffix: String
        let labels: [(name: String, value: String)]
        let number: String

        /// - Parameter suffix: of the metric's name, such as `_sum`.
        public init(_ number: Int, _ labels: [(name: String, value: String)] = [], suffix: String = "") {
            self.suffix = suffix
            self.labels = labels
            self.number = String(number)
        }

        /// In seconds.
        public init(_ duration: Duration, _ labels: [(name: String, value: String)] = [], suffix: String = "") {
            self.suffix = suffix
            self.labels = labels
            let (seconds, attoseconds) = duration.components
            let thousandths = Double(attoseconds / 1_000_000_000_000) / 1_000_000
            number = String(Double(seconds) + thousandths)
        }
    }

    public init() {}

    /// Adds a metric with all of its figures, in the order given.
    ///
    /// - Parameters:
    ///   - name: of letters, digits and underscores; that of a counter ends with `_total`, and a unit stands before that.
    ///   - help: a sentence.
    public mutating func add(_ name: StaticString, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        lines.append("# HELP \(name) " + Self.escaped(help, quotes: false))
        lines.append("# TYPE \(name) \(kind.rawValue)")
        for sample in samples {
            let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
            let list = labels.isEmpty ? "" : "{" + labels.joined(separator: ",") + "}"
            lines.append("\(name)\(sample.suffix)\(list) \(sample.number)")
        }
    }

    /// Each line with its line break.
    public var text: String { lines.map { $0 + "\n" }.joined() }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
