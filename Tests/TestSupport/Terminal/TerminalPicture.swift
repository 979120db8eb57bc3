import LatchkeyText

/// A sequence of screens as an animated image: SVG 1.1 with CSS animation, without external tools or files.
public struct TerminalPicture: Sendable {
    private struct Frame: Sendable {
        let screen: VTScreen
        /// How long the screen is shown.
        let seconds: Double
        let isStill: Bool
    }

    private let title: String
    private let columns: Int
    private let rows: Int
    private var frames: [Frame] = []

    // The size of a cell and of the margin, in units of the picture.
    private static let width = 8.4
    private static let height = 19.0
    private static let margin = 16.0

    public init(title: String, columns: Int, rows: Int) {
        self.title = title
        self.columns = columns
        self.rows = rows
    }

    /// - Parameter isStill: whether this screen is shown without animation, for printing and for reduced motion.
    public mutating func add(_ screen: VTScreen, seconds: Double, isStill: Bool = false) {
        frames.append(Frame(screen: screen, seconds: seconds, isStill: isStill))
    }

    /// The SVG source of the image.
    public var svg: String {
        let (width, height) = (
            Self.number(Double(columns) * Self.width + 2 * Self.margin),
            Self.number(Double(rows) * Self.height + 2 * Self.margin)
        )
        let head = """
            <svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" viewBox="0 0 \(width) \(height)" role="img" aria-labelledby="title">
            <title id="title">\(XMLText.escaped(title))</title>
            <style>
            \(style)
            </style>
            <rect width="\(width)" height="\(height)" rx="10" fill="#1d2026"/>
            """
        let bodies = frames.enumerated().map { index, frame in
            "<g id=\"f\(index)\">\n" + body(of: frame.screen) + "</g>"
        }
        return ([head] + bodies + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private var style: String {
        let total = frames.map(\.seconds).reduce(0, +)
        var rules = [
            "text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, \"DejaVu Sans Mono\", monospace;"
                + " fill: #d8dbe0; white-space: pre; }",
            ".b { font-weight: bold; } .f { opacity: .6; } .u { text-decoration: underline; }",
        ]
        for (number, color) in Self.colors.enumerated() { rules.append(".c\(number) { fill: \(color); }") }
        let hidden = frames.indices.filter { !frames[$0].isStill }.map { "#f\($0)" }
        rules.append(hidden.joined(separator: ", ") + " { visibility: hidden; }")
        rules.append("@media (prefers-reduced-motion: no-preference) {")
        var start = 0.0
        for (index, frame) in frames.enumerated() {
            let (from, to) = (Self.number(start / total * 100), Self.number((start + frame.seconds) / total * 100))
            let before = index == 0 ? "" : "0% { visibility: hidden; } "
            let after = index == frames.count - 1 ? "" : " \(to)%, 100% { visibility: hidden; }"
            rules.append("@keyframes k\(index) { \(before)\(from)% { visibility: visible; }\(after) }")
            rules.append("#f\(index) { animation: k\(index) \(Self.number(total))s step-end infinite; }")
            start += frame.seconds
        }
        return (rules + ["}"]).joined(separator: "\n")
    }

    private func body(of screen: VTScreen) -> String {
        var text = ""
        let cursor = (x: Self.x(screen.column), y: Self.margin + Double(screen.row) * Self.height)
        text +=
            "<rect x=\"\(Self.number(cursor.x))\" y=\"\(Self.number(cursor.y))\" width=\"\(Self.number(Self.width))\""
        text += " height=\"\(Self.number(Self.height))\" fill=\"#5b6270\"/>\n"
        for (row, runs) in screen.runs.enumerated() {
            let y = Self.number(Self.margin + Double(row) * Self.height + 14)
            for run in runs {
                let length = Double(run.text.reduce(0) { $0 + CellWidth.of($1) }) * Self.width
                text += "<text x=\"\(Self.number(Self.x(run.column)))\" y=\"\(y)\""
                text += " textLength=\"\(Self.number(length))\"\(Self.classes(of: run.style))>"
                text += XMLText.escaped(run.text) + "</text>\n"
            }
        }
        return text
    }

    // The colours of ECMA-48 on a dark background, each with a contrast of at least 4.5:1.
    private static let colors = [
        "#9aa1ac", "#ff7b72", "#7ee787", "#e3b341", "#79c0ff", "#e2a5ff", "#76e3ea", "#d8dbe0",
    ]

    private static func classes(of style: VTScreen.Style) -> String {
        var names: [String] = []
        if style.isBold { names.append("b") }
        if style.isFaint { names.append("f") }
        if style.isUnderlined { names.append("u") }
        if let color = style.color { names.append("c\(color)") }
        return names.isEmpty ? "" : " class=\"\(names.joined(separator: " "))\""
    }

    private static func x(_ column: Int) -> Double { margin + Double(column) * width }

    /// Formats a number with at most one decimal place.
    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
