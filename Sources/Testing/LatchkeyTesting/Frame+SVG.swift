import LatchkeySecrets
public import LatchkeyTerminal
import LatchkeyText

/// A picture of a frame for documentation, in light or dark colours according to the reader's preference.
extension Frame {
    private static let cell = (width: 8.4, height: 19.0)
    private static let margin = 16.0

    /// The frame as an SVG image (W3C, version 1.1) with `columns` cells per row. Secrets are shown as dots.
    ///
    /// Its lines are available as text for readers who cannot see the image.
    public func svg(columns: Int) -> String {
        let title = lines.map(\.text).filter { !$0.isEmpty }.joined(separator: "\n")
        let columns = max(columns, lines.map(\.columns).max() ?? 0, 1)
        let width = Double(columns) * Self.cell.width + 2 * Self.margin
        let height = Double(max(lines.count, 1)) * Self.cell.height + 2 * Self.margin
        var svg = """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(Self.number(width))" height="\(Self.number(height))" \
            viewBox="0 0 \(Self.number(width)) \(Self.number(height))" role="img">
            <title>\(XMLText.escaped(title))</title>
            <style>
            \(Self.style)
            </style>
            <rect width="100%" height="100%" rx="8"/>
            <g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">

            """
        let (x, y) = (
            Self.margin + Double(cursor.column) * Self.cell.width, Self.margin + Double(cursor.line) * Self.cell.height
        )
        svg += "<rect class=\"cursor\" x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" width=\"2\" height=\"17\"/>\n"
        for (row, line) in lines.enumerated() {
            var column = 0
            for run in line.runs {
                svg += Self.text(of: run, row: row, column: column)
                column += run.columns
            }
        }
        return svg + "</g>\n</svg>\n"
    }

    private static func text(of run: Run, row: Int, column: Int) -> String {
        let (text, role): (String, Role) =
            switch run {
            case .text(let text, let role): (text, role)
            case .symbol(let symbol, let role): (symbol.text(isUTF8: true), role)
            case .secret(_, let columns): (String(repeating: "•", count: columns.count), .mask)
            }
        guard text.contains(where: { $0 != " " }) else { return "" }
        let x = number(margin + Double(column) * cell.width)
        let y = number(margin + Double(row) * cell.height + 14)
        // The text is stretched to the width of its cells, so that columns are aligned in any font.
        let length = number(Double(run.columns) * cell.width)
        return "<text class=\"\(role.rawValue)\" x=\"\(x)\" y=\"\(y)\" textLength=\"\(length)\" xml:space=\"preserve\">"
            + XMLText.escaped(text) + "</text>\n"
    }

    private static let style: String = {
        func rules(_ theme: Theme, background: Int, foreground: Int) -> String {
            let palette = Palette(usesColor: true, theme: theme)
            let colors = Role.allCases.compactMap { role in
                palette.color(of: role).map { ".\(role.rawValue) { fill: \(XtermColor($0).hex) }" }
            }
            let (paper, ink) = (XtermColor(background).hex, XtermColor(foreground).hex)
            return "rect { fill: \(paper) } .cursor, text { fill: \(ink) } " + colors.joined(separator: " ")
        }
        return rules(.light, background: 231, foreground: 233)
            + "\ntext { white-space: pre } .title, .button { font-weight: bold } .link { text-decoration: underline }\n"
            + "@media (prefers-color-scheme: dark) { \(rules(.dark, background: 234, foreground: 255)) }"
    }()

    /// The number with at most one decimal.
    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? String(tenths / 10) : "\(tenths / 10).\(tenths % 10)"
    }
}

extension Frame.Line {
    /// The text without trailing spaces. Secrets are shown as dots.
    fileprivate var text: String {
        var text = runs.map { run in
            switch run {
            case .text(let text, _): text
            case .symbol(let symbol, _): symbol.text(isUTF8: true)
            case .secret(_, let columns): String(repeating: "•", count: columns.count)
            }
        }.joined()
        while text.last == " " { text.removeLast() }
        return text
    }
}

/// A colour of xterm's palette of 256 colours.
package struct XtermColor {
    package let red: Int
    package let green: Int
    package let blue: Int

    /// - Parameter number: 16 to 231 for the cube of 6 × 6 × 6 colours, or 232 to 255 for the greys.
    package init(_ number: Int) {
        guard number < 232 else {
            let level = 8 + 10 * (min(number, 255) - 232)
            (red, green, blue) = (level, level, level)
            return
        }
        let place = max(number, 16) - 16
        func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + 40 * step }
        (red, green, blue) = (level(place / 36), level(place / 6 % 6), level(place % 6))
    }

    /// The colour as `#rrggbb`.
    var hex: String { "#" + Hexadecimal.text(of: [red, green, blue].map { UInt8(clamping: $0) }) }
}
