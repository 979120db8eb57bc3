import LatchkeyTerminal
import LatchkeyText

extension ChatFace {
    /// Makes the frame. Its builder escapes all text of other users.
    func frame(of shown: ChatViewModel, _ completion: CompletionViewModel, columns: Int) -> Frame {
        var builder = FrameBuilder(columns: columns)
        builder.text(shown.title, .title)
        switch shown.status {
        case .idle: break
        case .busy(let text): builder.text(text, .hint)
        case .failed(let text): builder.text(text, .error, indent: 2, mark: .wrong)
        }
        if let notice = shown.notice { builder.text(notice, .accent, indent: 2, mark: .focus) }
        // Stays visible, however many messages there are.
        builder.pin(0..<builder.frame.lines.count)
        builder.blank()
        switch shown.screen {
        case .chats(let rows): list(rows, in: &builder)
        case .contacts:
            field(search, instead: "Whom do you want to write to?", in: &builder)
            let cursor = builder.frame.cursor
            list(completion.rows, in: &builder)
            builder.moveCursor(to: cursor)
        case .conversation(let chat): conversation(chat, in: &builder)
        }
        builder.blank()
        let back = if case .chats = shown.screen { "Esc Quit" } else { "Esc Back" }
        let keys = shown.actions.enumerated().map { "F\($0.offset + 2) \($0.element.label)" } + [back]
        builder.row(keys.map { [.text(TerminalEscaper.visible($0), .hint)] }, indent: 0, gap: 3)
        return builder.frame
    }

    private func list(_ rows: [RowViewModel], in builder: inout FrameBuilder) {
        for (place, row) in rows.enumerated() {
            let isFocused = place == focus(in: rows)
            if isFocused { builder.placeCursor(column: 2) }
            let unread = row.unread == 0 ? "" : " (\(row.unread))"
            let runs: [Frame.Run] = [
                isFocused ? .symbol(.focus, .accent) : .text(" ", .plain), .text(" \(place + 1) ", .muted),
                .text(TerminalEscaper.visible(row.label), .value), .text(unread, .accent),
                .text("  " + TerminalEscaper.visible(row.detail), .muted),
            ]
            builder.line(builder.clipped(runs.filter { $0.columns > 0 }, to: builder.width))
        }
    }

    private func conversation(_ chat: ConversationViewModel, in builder: inout FrameBuilder) {
        if chat.earlier > 0 { builder.text("\(chat.earlier) earlier ones are not shown", .muted) }
        for message in chat.messages {
            if let author = message.author { builder.text(author, .label) }
            builder.text(message.text, .value, indent: 2)
            if let delivery = message.delivery {
                builder.text(
                    delivery, message.isFailed ? .error : .muted, indent: 4, mark: message.isFailed ? .wrong : nil)
            }
        }
        if !chat.messages.isEmpty { builder.blank() }
        field(draft(for: chat.partner), instead: "Write a message, Enter sends it", in: &builder)
    }

    /// One line; the part around the caret is shown.
    private func field(_ draft: Draft, instead placeholder: String, in builder: inout FrameBuilder) {
        var room = builder.width - 3
        let before = TerminalEscaper.visible(draft.before).reversed().prefix { character in
            room -= CellWidth.of(character)
            return room >= 0
        }
        let shown = String(before.reversed())
        let runs: [Frame.Run] = [
            .symbol(.focus, .accent), .text(" ", .plain),
            draft.isEmpty
                ? .text(placeholder, .placeholder) : .text(shown + TerminalEscaper.visible(draft.after), .value),
        ]
        builder.placeCursor(column: 2 + CellWidth.of(shown))
        builder.line(builder.clipped(runs, to: builder.width))
    }
}
