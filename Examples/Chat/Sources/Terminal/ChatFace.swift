import LatchkeyTerminal

/// The part of the state that belongs to the terminal: the text being typed and the focus.
struct ChatFace: Sendable {
    /// One draft for each chat, so that a draft is not lost when the user leaves the chat.
    private var drafts: [Contact.ID: Draft] = [:]
    private(set) var search = Draft()
    private var focus: ChatRequest?
    /// How many lines of the last shown message are scrolled away; ``Int/max`` for all except its first one.
    private var hidden = 0

    /// The result of a key.
    enum Step: Equatable, Sendable {
        case stay, bell
        case ask(ChatRequest)
        case complete(String)
    }

    /// The typed and unsent text, by contact; empty if it was sent or deleted.
    var typed: [Contact.ID: String] { drafts.mapValues(\.text) }

    func draft(in chat: ConversationViewModel) -> Draft { drafts[chat.partner] ?? Draft(chat.draft) }

    /// The index of the focused row, which may have moved.
    func focus(in rows: [RowViewModel]) -> Int { rows.firstIndex { $0.request == focus } ?? 0 }

    /// - Parameter columns: the width of the frame on which the user acts.
    mutating func handle(
        _ action: Action, on shown: ChatViewModel, _ completion: CompletionViewModel, columns: Int
    ) -> Step {
        let step = step(for: action, on: shown, completion, columns)
        guard case .ask(let request) = step else { return step }
        // A request ends the search.
        search = Draft()
        if case .scroll(by: -1...1) = request { return step }
        hidden = 0
        return step
    }

    private mutating func step(
        for action: Action, on shown: ChatViewModel, _ completion: CompletionViewModel, _ columns: Int
    ) -> Step {
        switch action {
        case .followLink(let place): return ask(shown.actions, at: place)
        case .key(.cancel): return .ask(.back)
        case .answer: return take(line: action.text ?? "", on: shown, completion)
        default: break
        }
        switch shown.screen {
        case .chats(let rows): return choose(action, in: rows)
        case .contacts: return find(action, among: completion.rows)
        case .conversation(let chat): return write(action, in: chat, columns)
        }
    }

    /// How many of `height` lines of the last shown message are scrolled away.
    func hidden(of height: Int) -> Int { min(hidden, max(height - 1, 0)) }

    private func ask(_ actions: [ActionViewModel], at place: Int) -> Step {
        actions.indices.contains(place) ? .ask(actions[place].request) : .bell
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

    private mutating func write(_ action: Action, in chat: ConversationViewModel, _ columns: Int) -> Step {
        var draft = draft(in: chat)
        let height = Self.lines(of: chat.messages.last, columns: columns).count
        hidden = hidden(of: height)
        switch action {
        case .key(.submit):
            guard let text = MessageText(draft.text) else { return .bell }
            drafts[chat.partner] = Draft()
            return .ask(.send(text, to: chat.partner))
        case .key(.previous):
            // A message leaves the screen line by line, so that all of it can be read on a low terminal.
            if hidden + 1 < height {
                hidden += 1
                return .ask(.scroll(by: 0))
            }
            guard chat.hasEarlier || chat.messages.count > 1 else { return .bell }
            hidden = 0
            return .ask(.scroll(by: -1))
        case .key(.next):
            if hidden > 0 {
                hidden -= 1
                return .stay
            }
            // Begins with the first line of the next message.
            if chat.hasLater { hidden = .max }
            return .ask(.scroll(by: 1))
        case .key(.pageUp): return .ask(.scroll(by: -10))
        case .key(.pageDown): return .ask(.scroll(by: 10))
        default:
            guard draft.edit(action) else { return .bell }
            drafts[chat.partner] = draft
            return .stay
        }
    }

    /// Handles a line on a terminal without keys: `<` goes back, `F2` works like that key, a number chooses a row, and
    /// any other line is text.
    private mutating func take(
        line: String, on shown: ChatViewModel, _ completion: CompletionViewModel
    ) -> Step {
        if line == "<" { return .ask(.back) }
        if line.uppercased().hasPrefix("F"), let key = UInt8(line.dropFirst()) {
            return ask(shown.actions, at: Int(key) - 2)
        }
        let rows: [RowViewModel]
        switch shown.screen {
        case .conversation(let chat):
            return MessageText(line).map { .ask(.send($0, to: chat.partner)) } ?? .bell
        case .chats(let chats): rows = chats
        case .contacts: rows = completion.rows
        }
        if let number = UInt16(line), rows.indices.contains(Int(number) - 1) {
            return .ask(rows[Int(number) - 1].request)
        }
        return shown.screen == .contacts ? .complete(line) : .bell
    }
}
