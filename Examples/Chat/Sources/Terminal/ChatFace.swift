import LatchkeyTerminal

/// The part of the state that belongs to the terminal: the text being typed and the focus.
struct ChatFace: Sendable {
    /// One draft for each chat, so that a draft is not lost when the user leaves the chat.
    private var drafts: [Contact.ID: Draft] = [:]
    /// Whether the user types lines instead of keys.
    let isPlain: Bool
    private(set) var search = Draft()
    private var focus: ChatRequest?
    /// How many lines of the last shown message are scrolled away.
    private var hidden = 0

    /// The result of a key.
    enum Step: Equatable, Sendable {
        case stay, bell
        case ask(ChatRequest)
        case complete(String)
    }

    init(isPlain: Bool = false) { self.isPlain = isPlain }

    /// The typed and unsent text, by contact; empty if it was sent or deleted.
    var typed: [Contact.ID: String] { drafts.mapValues(\.text) }

    func draft(in chat: ConversationViewModel) -> Draft { drafts[chat.partner] ?? Draft(chat.draft) }

    /// The index of the focused row, which may have moved.
    func focus(in rows: [RowViewModel]) -> Int { rows.firstIndex { $0.request == focus } ?? 0 }

    /// - Parameter size: the size of the terminal with the frame on which the user acts.
    mutating func handle(
        _ action: Action, on shown: ChatViewModel, _ completion: CompletionViewModel, size: TerminalSize
    ) -> Step {
        let step = step(for: action, on: shown, completion, size)
        guard case .ask(let request) = step else { return step }
        // A request ends the search.
        search = Draft()
        if case .scroll = request { return step }
        hidden = 0
        return step
    }

    private mutating func step(
        for action: Action, on shown: ChatViewModel, _ completion: CompletionViewModel, _ size: TerminalSize
    ) -> Step {
        switch action {
        case .followLink(let place): return ask(place, on: shown, completion, size)
        case .key(.cancel): return .ask(.back)
        case .answer: return take(line: action.text ?? "", on: shown, completion, size)
        // An empty line only shows what is new. It must not send a draft or open a chat.
        case .key(.submit) where isPlain: return .stay
        default: break
        }
        switch shown.screen {
        case .chats(let rows): return choose(action, in: rows)
        case .contacts: return find(action, among: completion.rows)
        case .conversation(let chat):
            if case .key(let key) = action, let step = scroll(key, in: chat, on: shown, completion, size) {
                return step
            }
            return write(action, in: chat)
        }
    }

    /// How many of `height` lines of the last shown message are scrolled away.
    func hidden(of height: Int) -> Int { min(hidden, max(height - 1, 0)) }

    /// Performs the action with this number. Scrolling works as with PageUp and PageDown.
    private mutating func ask(
        _ place: Int, on shown: ChatViewModel, _ completion: CompletionViewModel, _ size: TerminalSize
    ) -> Step {
        guard shown.actions.indices.contains(place) else { return .bell }
        let request = shown.actions[place].request
        guard case .scroll(let distance) = request, case .conversation(let chat) = shown.screen else {
            return .ask(request)
        }
        return scroll(distance < 0 ? .pageUp : .pageDown, in: chat, on: shown, completion, size) ?? .bell
    }

    private mutating func choose(_ action: Action, in rows: [RowViewModel]) -> Step {
        let place = focus(in: rows)
        switch action {
        case .key(.next) where place + 1 < rows.count: focus = rows[place + 1].request
        case .key(.previous) where place > 0: focus = rows[place - 1].request
        case .key(.submit) where !rows.isEmpty: return .ask(rows[place].request)
        default: return .bell
        }
        return .stay
    }

    private mutating func find(_ action: Action, among rows: [RowViewModel]) -> Step {
        search.edit(action) ? .complete(search.text) : choose(action, in: rows)
    }

    private mutating func write(_ action: Action, in chat: ConversationViewModel) -> Step {
        var draft = draft(in: chat)
        if case .key(.submit) = action { return send(draft, in: chat) }
        guard draft.edit(action) else { return .bell }
        drafts[chat.partner] = draft
        return .stay
    }

    private mutating func send(_ draft: Draft, in chat: ConversationViewModel) -> Step {
        guard let text = MessageText(draft.text) else { return .bell }
        drafts[chat.partner] = Draft()
        return .ask(.send(text, to: chat.partner))
    }

    /// Whether function keys send and discard the draft, because there is no field for it.
    func offersDraft(in chat: ConversationViewModel) -> Bool { isPlain && !draft(in: chat).isEmpty }

    // MARK: Scrolling

    /// Scrolls the messages; nil for another key.
    private mutating func scroll(
        _ key: Action.Key, in chat: ConversationViewModel, on shown: ChatViewModel, _ completion: CompletionViewModel,
        _ size: TerminalSize
    ) -> Step? {
        guard [.previous, .next, .pageUp, .pageDown].contains(key) else { return nil }
        let messages = drawn(chat.messages, columns: size.columns, rows: size.rows)
        let heights = messages.map { Self.lines(of: $0, columns: size.columns).count }
        let lines = heights.reduce(0, +) - hidden(of: heights.last ?? 0)
        let all = frame(of: shown, completion, columns: size.columns, rows: size.rows).lines.count
        // Without enough rows for all lines, the two empty lines around the messages are not shown.
        let room = max(size.rows - (all - lines) + 2, 1)
        let above = chat.hasEarlier || messages.count < chat.messages.count ? .max : lines - room
        // A page keeps a line, because the keys below may need one more.
        let page = max(room - 1, 1)
        return switch key {
        case .previous: scrollBack(by: nil, in: chat, size, above)
        case .pageUp: scrollBack(by: page, in: chat, size, above)
        case .next: scrollOn(by: nil, in: chat, size)
        default: scrollOn(by: page, in: chat, size)
        }
    }

    /// Scrolls to earlier lines of the last shown message, and then to earlier messages.
    ///
    /// - Parameters:
    ///   - page: the number of lines; nil for one line or one message.
    ///   - above: the number of hidden lines above, or more.
    private mutating func scrollBack(
        by page: Int?, in chat: ConversationViewModel, _ size: TerminalSize, _ above: Int
    ) -> Step {
        guard above > 0 else { return .bell }
        let height = Self.lines(of: chat.messages.last, columns: size.columns).count
        hidden = hidden(of: height)
        // A message leaves the screen line by line, so that all of it can be read on a low terminal.
        let lines = min(page ?? 1, above)
        if hidden + lines < height {
            hidden += lines
            return .ask(.scroll(by: 0))
        }
        let messages = page.map { Self.whole(chat.messages.reversed(), size, $0) } ?? 1
        hidden = 0
        return .ask(.scroll(by: -messages))
    }

    /// The opposite of `scrollBack`.
    private mutating func scrollOn(by page: Int?, in chat: ConversationViewModel, _ size: TerminalSize) -> Step {
        hidden = hidden(of: Self.lines(of: chat.messages.last, columns: size.columns).count)
        if hidden > 0 {
            hidden = max(hidden - (page ?? 1), 0)
            return .stay
        }
        let messages = page.map { Self.whole(chat.later, size, $0) } ?? 1
        // Begins with the first lines of the next message.
        let height = Self.lines(of: chat.later.first, columns: size.columns).count
        if messages == 1, height > 0 { hidden = max(height - (page ?? 1), 0) }
        return .ask(.scroll(by: messages))
    }

    /// The last messages, as many as fill the terminal. With all messages in the frame, a key in a long chat would take
    /// many times as long.
    func drawn(_ messages: [MessageViewModel], columns: Int, rows: Int) -> ArraySlice<MessageViewModel> {
        var height = -hidden(of: Self.lines(of: messages.last, columns: columns).count)
        let drawn = messages.reversed().prefix { message in
            defer { height += Self.lines(of: message, columns: columns).count }
            return height <= rows
        }
        return messages.suffix(drawn.count)
    }

    /// How many of the first messages fit into `room` as a whole, at least 1. A page is as long.
    private static func whole(_ messages: [MessageViewModel], _ size: TerminalSize, _ room: Int) -> Int {
        var left = room
        let fitting = messages.prefix { message in
            left -= lines(of: message, columns: size.columns).count
            return left >= 0
        }
        return max(fitting.count, 1)
    }

    /// Handles a line on a terminal without keys: `F2` works like that key, a number chooses a row, and any other line is
    /// text.
    private mutating func take(
        line: String, on shown: ChatViewModel, _ completion: CompletionViewModel, _ size: TerminalSize
    ) -> Step {
        if line.uppercased().hasPrefix("F"), let key = UInt8(line.dropFirst()) {
            let place = Int(key) - 2
            if shown.actions.indices.contains(place) { return ask(place, on: shown, completion, size) }
            if case .conversation(let chat) = shown.screen, offersDraft(in: chat) {
                if place == shown.actions.count { return send(draft(in: chat), in: chat) }
                if place == shown.actions.count + 1 {
                    drafts[chat.partner] = Draft()
                    return .stay
                }
            }
        }
        let rows: [RowViewModel]
        switch shown.screen {
        case .conversation(let chat):
            guard let text = MessageText(line) else { return .bell }
            // The draft is not this message, and sending must not remove it.
            if offersDraft(in: chat) { drafts[chat.partner] = draft(in: chat) }
            return .ask(.send(text, to: chat.partner))
        case .chats(let chats): rows = chats
        case .contacts: rows = completion.rows
        }
        if let number = UInt16(line), rows.indices.contains(Int(number) - 1) {
            return .ask(rows[Int(number) - 1].request)
        }
        return shown.screen == .contacts ? .complete(line) : .bell
    }
}
