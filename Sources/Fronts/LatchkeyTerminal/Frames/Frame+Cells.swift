import LatchkeyText

extension Frame.Run {
    /// The width in cells.
    public var columns: Int {
        switch self {
        case .text(let text, _): CellWidth.of(text)
        case .symbol: 1
        case .secret(_, let columns): columns.count
        }
    }
}

extension Frame.Line {
    /// Whether all terminals agree on the width, because the line contains only ASCII and ``Symbol``s.
    var hasSureWidth: Bool {
        runs.allSatisfy { run in
            switch run {
            case .text(let text, _): text.utf8.allSatisfy { $0 < 0x80 }
            case .symbol: true
            case .secret: false
            }
        }
    }

    /// The part of the line up to this number of cells.
    func prefix(columns: Int) -> Frame.Line {
        var left = columns
        return Frame.Line(
            runs.compactMap { run in
                defer { left -= min(run.columns, left) }
                guard run.columns > left else { return run }
                guard left > 0 else { return nil }
                switch run {
                case .text(let text, let role): return .text(Cells.clip(text, to: 0..<left), role)
                case .symbol: return nil
                case .secret(let key, let columns):
                    return .secret(key, columns: columns.lowerBound..<(columns.lowerBound + left))
                }
            })
    }
}

extension Frame {
    /// The lines as plain text without secrets, for output that is not a terminal.
    public func lines(isUTF8: Bool) -> [String] {
        lines.map { line in
            var text = ""
            for run in line.runs {
                switch run {
                case .text(let part, _): text += part
                case .symbol(let symbol, _): text += symbol.text(isUTF8: isUTF8)
                case .secret: break
                }
            }
            while text.last == " " { text.removeLast() }
            return text
        }
    }
}

/// Truncates and wraps text by cells.
enum Cells {
    /// The cells of `text` in `range`. If a wide character is cut in half, a space replaces it.
    static func clip(_ text: String, to range: Range<Int>) -> String {
        var clip = Clip(range: range)
        return text.reduce(into: "") { $0 += clip.take(String($1)) }
    }

    /// Returns, for each grapheme in turn, its part within a range of cells.
    struct Clip {
        let range: Range<Int>
        private var column = 0

        init(range: Range<Int>) { self.range = range }

        mutating func take(_ cells: String) -> String {
            let width = CellWidth.of(cells)
            let from = column
            column += width
            if from >= range.lowerBound && column <= range.upperBound {
                // A combining mark immediately after the range is not part of it.
                return width > 0 || from < range.upperBound ? cells : ""
            }
            let overlap = (from..<column).clamped(to: range)
            if overlap.isEmpty { return "" }
            // The escaper turns a control character into several cells, such as `\u{1B}`, which are truncated like
            // text.
            if cells.utf8.allSatisfy({ $0 < 0x80 }) {
                return String(cells.dropFirst(overlap.lowerBound - from).prefix(overlap.count))
            }
            return String(repeating: " ", count: overlap.count)
        }
    }

    /// Wraps `text` into lines of at most `width` cells. Breaks occur between words, or within a word that is longer
    /// than a line.
    static func wrap(_ text: String, to width: Int) -> [String] {
        let width = max(width, 1)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ", omittingEmptySubsequences: true) {
            if !line.isEmpty && CellWidth.of(line) + 1 + CellWidth.of(String(word)) <= width {
                line += " " + word
                continue
            }
            if !line.isEmpty { lines.append(line) }
            line = ""
            for character in word {
                if CellWidth.of(line) + CellWidth.of(character) > width, !line.isEmpty {
                    lines.append(line)
                    line = ""
                }
                line.append(character)
            }
        }
        lines.append(line)
        return lines
    }

    /// The range of cells to show in `width` cells, so that the caret is visible. The window moves by half of its width
    /// instead of with every key.
    static func window(of columns: Int, caret: Int, width: Int) -> Range<Int> {
        guard columns >= width else { return 0..<columns }
        let step = max(width / 2, 1)
        let hidden = max(caret - (width - 1), 0)
        let start = (hidden + step - 1) / step * step
        return start..<max(min(start + width, columns), start)
    }
}
