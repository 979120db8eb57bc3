import LatchkeyForms

/// One input as a recording contains it.
enum RecordedInput: Sendable {
    case key(Action.Key)
    case follow(AccountType)
    case followLink(Int)
    case insert(RecordedText)
    case paste(RecordedText)
    case answer(RecordedText)
    case edited(RecordedText)
    case line(RecordedText)
    case overlongLine
    case endOfInput
    case resized(TerminalSize)
    case signal(Int32)
    case hungUp

    /// - Parameters:
    ///   - isVisible: whether typed text appears on the screen, and so is not secret.
    ///   - size: the current size of the terminal.
    init(_ input: TerminalInput, isVisible: Bool, size: TerminalSize) {
        switch input {
        case .action(.insert(let text)): self = .insert(RecordedText(text, isVisible: isVisible))
        case .action(.paste(let text)): self = .paste(RecordedText(text, isVisible: isVisible))
        case .action(.answer(let text)): self = .answer(RecordedText(text, isVisible: isVisible))
        case .action(.edited(let text)): self = .edited(RecordedText(text, isVisible: isVisible))
        case .action(.key(let key)): self = .key(key)
        case .action(.follow(let type)): self = .follow(type)
        case .action(.followLink(let index)): self = .followLink(index)
        case .line(let line): self = .line(RecordedText(line, isVisible: isVisible))
        case .overlongLine: self = .overlongLine
        case .endOfInput: self = .endOfInput
        case .resized: self = .resized(size)
        case .signal(let number): self = .signal(number)
        case .hungUp: self = .hungUp
        }
    }

    /// The input for a replay.
    var input: TerminalInput {
        switch self {
        case .key(let key): .action(.key(key))
        case .follow(let type): .action(.follow(type))
        case .followLink(let index): .action(.followLink(index))
        case .insert(let text): .action(.insert(text.secret))
        case .paste(let text): .action(.paste(text.secret))
        case .answer(let text): .action(.answer(text.secret))
        case .edited(let text): .action(.edited(text.secret))
        case .line(let text): .line(text.secret)
        case .overlongLine: .overlongLine
        case .endOfInput: .endOfInput
        case .resized: .resized
        case .signal(let number): .signal(number)
        case .hungUp: .hungUp
        }
    }
}

extension RecordedInput {
    var members: [(key: String, value: JSONValue)] {
        func named(_ name: String, _ others: (key: String, value: JSONValue)...) -> [(key: String, value: JSONValue)] {
            [("input", .string(name))] + others
        }
        switch self {
        case .follow(let type): return named("follow", ("flow", .string(type.rawValue)))
        case .followLink(let index): return named("link", ("place", .integer(index)))
        case .key(let key): return named(key.rawValue)
        case .insert(let text): return named("insert", text.member)
        case .paste(let text): return named("paste", text.member)
        case .answer(let text): return named("answer", text.member)
        case .edited(let text): return named("edited", text.member)
        case .line(let text): return named("line", text.member)
        case .overlongLine: return named("overlong_line")
        case .endOfInput: return named("end_of_input")
        case .resized(let size):
            return named("resized", ("columns", .integer(size.columns)), ("rows", .integer(size.rows)))
        case .signal(let number): return named("signal", ("number", .integer(Int(number))))
        case .hungUp: return named("hung_up")
        }
    }

    /// - Returns: nil if this version does not know the input.
    init?(named name: String, _ json: JSONValue) {
        func text() -> RecordedText? { RecordedText(memberOf: json) }
        switch name {
        case "insert", "paste", "answer", "edited", "line":
            guard let text = text() else { return nil }
            switch name {
            case "insert": self = .insert(text)
            case "paste": self = .paste(text)
            case "answer": self = .answer(text)
            case "edited": self = .edited(text)
            default: self = .line(text)
            }
        case "follow":
            guard let type = json["flow"]?.string.flatMap(AccountType.init) else { return nil }
            self = .follow(type)
        case "link":
            guard let index = json["place"]?.integer, 0..<1000 ~= index else { return nil }
            self = .followLink(index)
        case "overlong_line": self = .overlongLine
        case "end_of_input": self = .endOfInput
        case "resized":
            guard let size = TerminalSize(json) else { return nil }
            self = .resized(size)
        case "signal":
            guard let number = json["number"]?.integer, 1...64 ~= number else { return nil }
            self = .signal(Int32(number))
        case "hung_up": self = .hungUp
        default:
            guard let key = Action.Key(rawValue: name) else { return nil }
            self = .key(key)
        }
    }
}

extension TerminalSize {
    /// Larger than any terminal.
    private static let limit = 10_000

    init?(_ json: JSONValue) {
        guard let columns = json["columns"]?.integer, let rows = json["rows"]?.integer,
            1...Self.limit ~= columns, 1...Self.limit ~= rows
        else { return nil }
        self.init(columns: columns, rows: rows)
    }
}
