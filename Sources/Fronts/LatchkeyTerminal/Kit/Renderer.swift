public import LatchkeyForms
import LatchkeyText

/// Shows a frame below the previous output and only writes the lines that have changed.
///
/// It only uses relative cursor movement, so that the lines above never change.
///
/// Terminals disagree about the width of some characters. A line with such characters is written from its start without
/// wrapping, and the cursor is placed by writing the text before it. Nothing is left over on any terminal.
public struct Renderer: ~Copyable {
    private var buffer: ScreenBuffer
    private let palette: Palette
    private let hasSymbols: Bool
    private let hasWindowTitle: Bool

    /// The lines on the screen; empty if there are none.
    private var shown: [Frame.Line] = []
    /// The index of the line with the cursor.
    private var row = 0
    private var size = TerminalSize(columns: 0, rows: 0)
    /// The title of the window if a frame has set it.
    private var windowTitle: String?

    /// Creates a renderer whose first frame is drawn below the previous output.
    public init(output: any TerminalOutput, environment: TerminalEnvironment) {
        buffer = ScreenBuffer(output: output, isUTF8: environment.isUTF8)
        palette = Palette(usesColor: environment.usesColor, theme: environment.theme)
        hasSymbols = environment.hasSymbols
        hasWindowTitle = environment.hasWindowTitle
    }

    /// Replaces the current frame with `frame`. If the terminal has too few rows, only the lines around the cursor are
    /// shown.
    ///
    /// - Parameters:
    ///   - size: the current size of the terminal. If it has changed, the whole frame is drawn again.
    ///   - model: provides the secrets that the frame reveals.
    ///   - frame: the lines to show.
    public mutating func show(_ frame: Frame, size: TerminalSize, filling model: FormViewModel? = nil) {
        if self.size != size && !shown.isEmpty { forget(size.columns) }
        self.size = size
        setWindowTitle(frame.windowTitle)
        let visible = frame.visibleLines(rows: size.rows)
        let lines = frame.marked(visible, columns: size.columns)
        if shown.isEmpty { eraseBelow() }
        for (index, line) in lines.enumerated() {
            if index < shown.count, shown[index] == line, !line.hasSecret { continue }
            go(to: index)
            // Turns wrapping off (DECAWM), because the line may be wider on this terminal than computed.
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
            buffer.addEscape("[?7l")
            write(lines[cursorRow].prefix(columns: frame.cursor.column), filling: model)
            buffer.addEscape("[?7h")
        } else {
            right(by: frame.cursor.column)
        }
        buffer.send()
    }

    /// Replaces the frame with `text`, wrapped between words.
    ///
    /// - Parameters:
    ///   - mark: a symbol before the text, ``Symbol/done`` or ``Symbol/info``; nil for none.
    ///   - text: the lines that stay; nil for none.
    public mutating func replace(with text: String?, mark: Symbol? = nil) {
        setWindowTitle(nil)
        if !shown.isEmpty {
            go(to: 0)
            eraseBelow()
        }
        if let text {
            for (place, line) in lines(of: text, indent: mark == nil ? 0 : 2).enumerated() {
                buffer.addReturn()
                if let mark {
                    if place == 0 { write(mark.text(isUTF8: hasSymbols), mark == .done ? .success : .accent) }
                    buffer.add(place == 0 ? " " : "  ")
                }
                buffer.add(line)
                buffer.addLineEnd()
            }
        }
        shown = []
        row = 0
        buffer.send()
    }

    /// Prints permanent lines; the next frame is drawn below them. Does not wrap them, so that a long line can be copied
    /// as a whole.
    mutating func keep(_ lines: [String]) {
        for line in lines {
            buffer.addReturn()
            buffer.add(line)
            buffer.addLineEnd()
        }
        buffer.send()
    }

    /// Erases the whole screen, so that the next frame is drawn at its top. Only for a screen that has nothing else.
    mutating func clearScreen() {
        buffer.addEscape("[H")
        eraseBelow()
        shown = []
        row = 0
        buffer.send()
    }

    /// Leaves the frame on the screen and moves the cursor below it.
    public mutating func park() {
        guard !shown.isEmpty else { return }
        setWindowTitle(nil)
        go(to: shown.count - 1)
        buffer.addLineEnd()
        shown = []
        row = 0
        buffer.send()
    }

    /// Erases the frame, so that the next frame is drawn completely.
    public mutating func redraw() {
        if !shown.isEmpty {
            go(to: 0)
            eraseBelow()
        }
        shown = []
        row = 0
        buffer.send()
    }

    /// Sets the title of the window (OSC 2), and restores the previous one at the end (XTWINOPS 22 and 23).
    private mutating func setWindowTitle(_ title: String?) {
        guard hasWindowTitle, title != windowTitle else { return }
        if windowTitle == nil { buffer.addEscape("[22;2t") }
        if let title {
            buffer.addEscape("]2;")
            buffer.add(title)
            buffer.addEscape("\\")
        } else {
            buffer.addEscape("[23;2t")
        }
        windowTitle = title
    }

    /// Rings the bell of the terminal.
    public mutating func bell() {
        buffer.ring()
        buffer.send()
    }

    // MARK: Lines

    /// Wraps `text` to the width of the last frame. If there is none, returns the text unchanged.
    private func lines(of text: String, indent: Int = 0) -> [String] {
        guard size.columns > 1 + indent else { return [text] }
        return Cells.wrap(TerminalEscaper.visible(text), to: size.columns - 1 - indent)
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
        guard let attributes = palette.attributes(of: role) else {
            // Without a different style, a placeholder would look like an answer.
            if role != .placeholder { buffer.add(text) }
            return
        }
        buffer.addEscape("[\(attributes)m")
        buffer.add(text)
        buffer.addEscape("[0m")
    }

    private mutating func write(secret key: FieldKey, _ columns: Range<Int>, _ model: FormViewModel?) {
        var clip = Cells.Clip(range: columns)
        // The secret is copied grapheme by grapheme into locked memory, so that it is never a `String` as a whole.
        model?.withValue(of: key) { text in text.forEachVisible { buffer.add(clip.take($0)) } }
    }

    // MARK: The cursor

    /// Moves to the start of a line. Adds missing lines, which scrolls the screen at the bottom.
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

    /// Erases the frame after a resize. The terminal has rewrapped long lines, so the cursor is lower than before.
    private mutating func forget(_ newColumns: Int) {
        let above = shown.prefix(row).reduce(0) { $0 + max(($1.columns + newColumns - 1) / max(newColumns, 1), 1) }
        buffer.addReturn()
        if above > 0 { buffer.addEscape("[\(above)A") }
        buffer.addEscape("[J")
        shown = []
        row = 0
    }
}
