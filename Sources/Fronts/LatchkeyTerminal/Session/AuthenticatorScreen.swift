import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import LatchkeyText

/// The secret of a new authenticator app next to the form for its code. It is for the alternate screen, so that the
/// secret does not stay in the scrollback.
struct AuthenticatorScreen {
    private static let gap = 2
    /// The least width of a form next to the QR code, in cells.
    private static let leastFormWidth = 34

    /// The sentence above the form.
    private let line: String?
    /// The lines of the QR code; empty if the terminal cannot draw one.
    private let code: [String]
    private let uri: String
    private let key: String

    /// - Parameter drawsBlocks: whether the terminal can draw a QR code.
    init(_ uri: Secret, _ secret: Secret, saying line: String?, drawsBlocks: Bool, _ messages: MessageTable) {
        self.line = line
        code = drawsBlocks ? QRCode(uri)?.halfBlockLines ?? [] : []
        self.uri = messages.sentence("factor.uri", ["uri": .text(uri.shownText)])
        key = messages.sentence("factor.key", ["key": .text(secret.shownText)])
    }

    /// Lays out the QR code and the key around the form. A screen without room for the code shows the URI instead, and a
    /// very small one only the key.
    ///
    /// - Parameter form: lays out the form for a number of columns.
    func frame(on size: TerminalSize, around form: (_ columns: Int) -> Frame) -> Frame {
        let width = code.first?.count ?? 0
        if width > 0, width + Self.gap + Self.leastFormWidth <= size.columns {
            let frame = beside(width, size.columns, form)
            if frame.lines.count <= size.rows { return frame }
        }
        let form = form(size.columns)
        for (code, texts) in [(code, [key]), ([], [uri, key])] where code.isEmpty || width < size.columns {
            let frame = stacked(code, texts, form, columns: size.columns)
            if frame.lines.count <= size.rows { return frame }
        }
        // The key stays visible above the field for the code.
        var top = FrameBuilder(columns: size.columns)
        top.text(key, .plain)
        var frame = stacked([], [key], form, columns: size.columns)
        if frame.pinned.isEmpty { frame.pinned = top.frame.lines.indices }
        return frame
    }

    private func stacked(_ code: [String], _ texts: [String], _ form: Frame, columns: Int) -> Frame {
        var builder = FrameBuilder(columns: columns)
        for row in code { builder.line([.text(row, .qrCode)]) }
        for text in texts { builder.text(text, .plain) }
        if let line { builder.text(line, .accent, indent: 2, mark: .info) }
        builder.blank()
        builder.append(form)
        return builder.frame
    }

    /// The code, `width` cells wide, on the left of the form, and the key below them.
    private func beside(_ width: Int, _ columns: Int, _ form: (_ columns: Int) -> Frame) -> Frame {
        let formColumns = columns - width - Self.gap
        let right = stacked([], [], form(formColumns), columns: formColumns)
        var frame = Frame()
        let space = FrameBuilder.spaces(Self.gap)
        for row in 0..<max(code.count, right.lines.count) {
            let left: Frame.Run =
                row < code.count ? .text(code[row], .qrCode) : .text(FrameBuilder.spaces(width), .plain)
            let runs = row < right.lines.count ? right.lines[row].runs : []
            frame.lines.append(Frame.Line(runs.isEmpty ? [left] : [left, .text(space, .plain)] + runs))
        }
        var below = FrameBuilder(columns: columns)
        below.text(key, .plain)
        frame.lines += below.frame.lines
        frame.cursor = Frame.Position(line: right.cursor.line, column: right.cursor.column + width + Self.gap)
        return frame
    }
}
