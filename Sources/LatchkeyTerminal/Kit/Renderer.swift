public import LatchkeyForms
import LatchkeyText

/// Keeps a frame on the screen, below where the cursor was, and writes only the lines that change.
///
/// Knows no absolute place: it moves from where it is, so that the lines above it are never touched.
///
/// Where terminals disagree about the width of a character, a line is written from its start and cannot wrap, and the
/// cursor is put where the text before it ends: then nothing is left behind, whoever is right.
public struct Renderer: ~Copyable {
    private var buffer: ScreenBuffer
    private let palette: Palette
    private let hasSymbols: Bool

    /// What is on the screen; empty where nothing is.
    private var shown: [Frame.Line] = []
    /// In which of its lines the cursor is.
    private var row = 0
    private var size = TerminalSize(columns: 0, rows: 0)

    public init(output: any TerminalOutput, environment: TerminalEnvironment) {
        buffer = ScreenBuffer(output: output, isUTF8: environment.isUTF8)
        palette = Palette(usesColor: environment.usesColor)
        hasSymbols = environment.hasSymbols
    }

    /// Shows `frame` in the place of what is shown; as much of it around the cursor as the terminal has rows for.
    ///
    /// - Parameters:
    ///   - size: of the terminal now. Where it has changed, all is drawn anew.
    ///   - model: has the secrets that the frame shows.
    public mutating func show(_ frame: Frame, size: TerminalSize, filling model: FormViewModel? = nil) {
        buffer.output.willShow(frame)
        if self.size != size && !shown.isEmpty { forget(size.columns) }
        self.size = size
        let visible = frame.visibleLines(rows: size.rows)
        let lines = visible.map { frame.lines[$0] }
        if shown.isEmpty { eraseBelow() }
        for (index, line) in lines.enumerated() {
            if index < shown.count, shown[index] == line, !line.hasSecret { continue }
            go(to: index)
            // DECAWM off, on again at once: a line that is wider here than it was counted must not break.
            if !line.hasSureWidth { buffer.addEscape("[?7l") }
            write(line, filling: model)
            buffer.addEscape("[K")
            if !line.hasSureWidth { buffer.addEscape("[?7h") }
        }
        if shown.count > lines.count {
            go(to: lines.count)
            buffer.addEscape("[J")
        }
        shown = lines
        let cursorRow = visible.firstIndex(of: frame.cursor.line) ?? 0
        go(to: cursorRow)
        if lines.indices.contains(cursorRow), !lines[cursorRow].hasSureWidth {
            write(lines[cursorRow].prefix(columns: frame.cursor.column), filling: model)
        } else {
            right(by: frame.cursor.column)
        }
        buffer.send()
    }

    /// Takes everything off the screen, and writes `text` there to stay, broken between words, where there is any.
    public mutating func replace(with text: String?) {
        buffer.output.willReplaceFrame(with: text)
        if !shown.isEmpty {
            go(to: 0)
            eraseBelow()
        }
        if let text {
            for line in lines(of: text) {
                buffer.addReturn()
                buffer.add(line)
                buffer.addLineEnd()
            }
        }
        shown = []
        row = 0
        buffer.send()
    }

    /// Leaves what is shown and goes below it.
    public mutating func park() {
        guard !shown.isEmpty else { return }
        go(to: shown.count - 1)
        buffer.addLineEnd()
        shown = []
        row = 0
        buffer.send()
    }

    /// What is on the screen is no longer sure: all of it is written anew.
    public mutating func redraw() {
        if !shown.isEmpty {
            go(to: 0)
            eraseBelow()
        }
        shown = []
        row = 0
        buffer.send()
    }

    public mutating func bell() {
        buffer.ring()
        buffer.send()
    }

    // MARK: Lines

    /// As a frame that was shown would break it; as it is, where none was.
    private func lines(of text: String) -> [String] {
        guard size.columns > 1 else { return [text] }
        return Cells.wrap(TerminalEscaper.visible(text), to: size.columns - 1)
    }

    private mutating func write(_ line: Frame.Line, filling model: FormViewModel?) {
        for run in line.runs {
            switch run {
            case .text(let text, let role): write(text, role)
            case .symbol(let symbol, let role): write(symbol.text(isUTF8: hasSymbols), role)
            case .secret(let key, let columns): write(secret: key, columns, model)
            }
        }
    }

    private mutating func write(_ text: String, _ role: Role) {
        guard let attributes = palette.attributes(of: role) else { return buffer.add(text) }
        buffer.addEscape("[\(attributes)m")
        buffer.add(text)
        buffer.addEscape("[0m")
    }

    private mutating func write(secret key: FieldKey, _ columns: Range<Int>, _ model: FormViewModel?) {
        var clip = Cells.Clip(range: columns)
        // Grapheme by grapheme into locked memory: no text of a whole secret is made.
        model?.withValue(of: key) { text in text.forEachVisible { buffer.add(clip.take($0)) } }
    }

    // MARK: The cursor

    /// To the start of a line; one that is not there yet is made, which scrolls at the bottom of the screen.
    private mutating func go(to line: Int) {
        let last = max(shown.count - 1, row)
        buffer.addReturn()
        if line < row { buffer.addEscape("[\(row - line)A") }
        let down = min(line, last) - row
        if down > 0 { buffer.addEscape("[\(down)B") }
        for _ in 0..<max(line - last, 0) { buffer.addLineEnd() }
        row = line
    }

    private mutating func right(by columns: Int) {
        if columns > 0 { buffer.addEscape("[\(columns)C") }
    }

    private mutating func eraseBelow() {
        buffer.addReturn()
        buffer.addEscape("[J")
    }

    /// The terminal has another size: it has broken what is too long now, and the cursor is further down than it was.
    private mutating func forget(_ newColumns: Int) {
        let above = shown.prefix(row).reduce(0) { $0 + max(($1.columns + newColumns - 1) / max(newColumns, 1), 1) }
        buffer.addReturn()
        if above > 0 { buffer.addEscape("[\(above)A") }
        buffer.addEscape("[J")
        shown = []
        row = 0
    }
}

/// The style of each role. No information depends on colour alone.
struct Palette {
    let usesColor: Bool

    /// The parameters of the SGR sequence (ECMA-48, section 8.3.117); nil for plain text.
    ///
    /// Of the colours that every terminal has, only red and magenta are readable on both white and black: a contrast of at
    /// least 3:1 by WCAG 2.2, with xterm's standard colours. Yellow and cyan vanish on white, blue on black. Green marks
    /// text that also has a symbol.
    func attributes(of role: Role) -> String? {
        guard usesColor else { return nil }
        switch role {
        case .plain, .label, .value, .mask: return nil
        case .title, .button: return "1"
        // Faint instead of grey: a readable grey depends on the background.
        case .placeholder, .hint, .muted: return "2"
        case .error: return "31"
        case .warning, .accent: return "35"
        case .success: return "32"
        case .link: return "4"
        }
    }
}
