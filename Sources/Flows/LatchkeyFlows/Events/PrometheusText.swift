/// Metrics in Prometheus's text-based exposition format, version 0.0.4
/// (<https://prometheus.io/docs/instrumenting/exposition_formats/>).
public struct PrometheusText: Sendable {
    /// The lines so far, without line breaks.
    public private(set) var lines: [String] = []

    /// The type of a metric.
    public enum Kind: String, Sendable {
        /// A value that only increases while the process runs.
        case counter
        /// A value that can increase and decrease.
        case gauge
        /// The number of observations (`_count`) and their sum (`_sum`).
        case summary
    }

    /// One value of a metric.
    public struct Sample: Sendable {
        let suffix: String
        let labels: [(name: String, value: String)]
        let number: String

        /// A whole number.
        ///
        /// - Parameters:
        ///   - suffix: a suffix for the metric's name, for example `_sum`.
        ///   - number: the value.
        ///   - labels: the labels of the sample, in order.
        public init(_ number: Int, _ labels: [(name: String, value: String)] = [], suffix: String = "") {
            self.suffix = suffix
            self.labels = labels
            self.number = String(number)
        }

        /// A duration, printed in seconds.
        public init(_ duration: Duration, _ labels: [(name: String, value: String)] = [], suffix: String = "") {
            self.suffix = suffix
            self.labels = labels
            let (seconds, attoseconds) = duration.components
            let thousandths = Double(attoseconds / 1_000_000_000_000) / 1_000_000
            number = String(Double(seconds) + thousandths)
        }
    }

    /// Creates an empty page.
    public init() {}

    /// Adds a metric with its values, in the given order.
    ///
    /// - Parameters:
    ///   - name: letters, digits and underscores. The name of a counter ends in `_total`, after the unit if there is
    ///     one.
    ///   - help: one sentence that describes the metric.
    ///   - samples: the values, in order.
    ///   - kind: whether it is a counter or a gauge.
    public mutating func add(_ name: StaticString, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        lines.append("# HELP \(name) " + Self.escaped(help, quotes: false))
        lines.append("# TYPE \(name) \(kind.rawValue)")
        for sample in samples {
            let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
            let list = labels.isEmpty ? "" : "{" + labels.joined(separator: ",") + "}"
            lines.append("\(name)\(sample.suffix)\(list) \(sample.number)")
        }
    }

    /// The complete page. Every line ends with a line break.
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
