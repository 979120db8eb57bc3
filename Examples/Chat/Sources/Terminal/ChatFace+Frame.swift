import LatchkeyTerminal
import LatchkeyText

extension ChatFace {
    /// Makes the frame. The frame builder escapes all text of other users.
    ///
    /// - Parameter rows: the height of the terminal. Messages far above it are left out.
    func frame(of shown: ChatViewModel, _ completion: CompletionViewModel, columns: Int, rows: Int) -> Frame {
        var builder = FrameBuilder(columns: columns)
        builder.text(shown.title, .title)
        builder.titleWindow(shown.title)
        switch shown.status {
        case .idle: break
        case .busy(let text): builder.text(text, .hint)
        case .failed(let text): builder.text(text, .error, indent: 2, mark: .wrong)
        }
        if let notice = shown.notice { builder.text(notice, .accent, indent: 2, mark: .focus) }
        // Remains visible however many messages there are.
        builder.pin(0..<builder.frame.lines.count)
        builder.blank()
        switch shown.screen {
        case .chats(let rows): list(rows, in: &builder)
        case .contacts:
            field(search, instead: "Whom do you want to write to?", in: &builder)
            let cursor = builder.frame.cursor
            list(completion.rows, in: &builder)
            if completion.rows.isEmpty {
                builder.text("No name begins with \"\(completion.typed)\"", .value, indent: 2)
                builder.text("You can find everyone who has opened the chat", .hint, indent: 2)
            }
            builder.moveCursor(to: cursor)
        case .conversation(let chat): conversation(chat, rows: rows, in: &builder)
        }
        builder.blank()
        builder.keys(keys(on: shown, completion))
        return builder.frame
    }

    /// The keys that have an effect now, or line by line what can be typed.
    private func keys(on shown: ChatViewModel, _ completion: CompletionViewModel) -> [String] {
        var (labels, others) = (shown.actions.map(\.label), [String]())
        var back = "Back"
        switch shown.screen {
        case .chats(let rows):
            back = "Quit"
            if isPlain { others = [choice(of: rows)] }
        case .contacts:
            if isPlain, !completion.rows.isEmpty { others = [choice(of: completion.rows)] }
        case .conversation(let chat):
            if offersDraft(in: chat) { labels += ["Send the draft", "Discard the draft"] }
            if !isPlain, chat.messages.count > 1 { others = ["Up Down Read"] }
        }
        if isPlain { others.append("Enter Show news") }
        return labels.enumerated().map { "F\($0.offset + 2) \($0.element)" } + others
            + [(isPlain ? "< " : "Esc ") + back]
    }

    private func choice(of rows: [RowViewModel]) -> String { (rows.count > 1 ? "1 to \(rows.count)" : "1") + " Choose" }

    private func list(_ rows: [RowViewModel], in builder: inout FrameBuilder) {
        for (place, row) in rows.enumerated() {
            let unread = row.unread == 0 ? "" : " (\(row.unread))"
            let runs: [Frame.Run] = [
                .text(TerminalEscaper.visible(row.label), .value), .text(unread, .accent),
                .text(row.date.isEmpty ? "" : "  " + row.date, .muted),
                .text("  " + TerminalEscaper.visible(row.detail), .muted),
            ]
            builder.item(runs, number: place + 1, isSelected: place == focus(in: rows))
        }
    }

    private func conversation(_ chat: ConversationViewModel, rows: Int, in builder: inout FrameBuilder) {
        let messages = drawn(chat.messages, columns: builder.width + 1, rows: rows)
        for message in messages.dropLast() { Self.add(message, to: &builder) }
        let last = Self.lines(of: chat.messages.last, columns: builder.width + 1)
        for line in last.dropLast(hidden(of: last.count)) { builder.line(line.runs) }
        if !chat.later.isEmpty {
            builder.text("There are later messages", .hint)
        } else if !chat.messages.isEmpty {
            builder.blank()
        }
        if offersDraft(in: chat) { builder.text("Draft: " + draft(in: chat).text, .value, indent: 2) }
        let field = isPlain ? Draft() : draft(in: chat)
        self.field(field, instead: "Write a message, Enter sends it", in: &builder)
    }

    /// The lines of a message in a frame of that width; none for nil.
    static func lines(of message: MessageViewModel?, columns: Int) -> [Frame.Line] {
        guard let message else { return [] }
        var builder = FrameBuilder(columns: columns)
        add(message, to: &builder)
        return builder.frame.lines
    }

    private static func add(_ message: MessageViewModel, to builder: inout FrameBuilder) {
        if let day = message.day { builder.text(day, .hint) }
        if let author = message.author { builder.text(author, .label) }
        for (place, line) in message.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if place == 0 {
                builder.text(String(line), .value, indent: 2, after: [.text(message.time, .muted)])
            } else {
                builder.text(String(line), .value, indent: 8)
            }
        }
        if let delivery = message.delivery {
            builder.text(delivery, message.isFailed ? .error : .muted, indent: 8, mark: message.isFailed ? .wrong : nil)
        }
    }

    /// The lines of a draft. The line with the caret is shown up to the caret.
    private func field(_ draft: Draft, instead placeholder: String, in builder: inout FrameBuilder) {
        if draft.isEmpty {
            builder.placeCursor(column: 2)
            builder.line(
                builder.clipped(
                    [.symbol(.focus, .accent), .text(" ", .plain), .text(placeholder, .placeholder)], to: builder.width)
            )
            return
        }
        let place = draft.before.count { $0 == "\n" }
        let lines = draft.text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let mark: Frame.Run = index == 0 ? .symbol(.focus, .accent) : .text(" ", .plain)
            var text = TerminalEscaper.visible(String(line))
            if index == place {
                var room = builder.width - 3
                let start = draft.before.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
                let before = TerminalEscaper.visible(String(start)).reversed().prefix { character in
                    room -= CellWidth.of(character)
                    return room >= 0
                }
                let shown = String(before.reversed())
                builder.placeCursor(column: 2 + CellWidth.of(shown))
                text = shown + TerminalEscaper.visible(String(line.dropFirst(start.count)))
            }
            builder.line(builder.clipped([mark, .text(" ", .plain), .text(text, .value)], to: builder.width))
        }
    }
}
