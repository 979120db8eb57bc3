import LatchkeyForms

/// What came from outside, as a recording has it.
enum RecordedInput: Sendable {
    /// A key that types nothing.
    case key(Action)
    case insert(RecordedText)
    case paste(RecordedText)
    case answer(RecordedText)
    case line(RecordedText)
    case overlongLine
    case endOfInput
    case resized(TerminalSize)
    case signal(Int32)
    case hungUp

    /// - Parameters:
    ///   - shows: whether what is typed goes where it is seen.
    ///   - size: of the terminal now.
    init(_ input: TerminalInput, shows: Bool, size: TerminalSize) {
        switch input {
        case .key(.insert(let text)): self = .insert(RecordedText(text, shows: shows))
        case .key(.paste(let text)): self = .paste(RecordedText(text, shows: shows))
        case .key(.answer(let text)): self = .answer(RecordedText(text, shows: shows))
        case .key(let action): self = .key(action)
        case .line(let line): self = .line(RecordedText(line, shows: shows))
        case .overlongLine: self = .overlongLine
        case .endOfInput: self = .endOfInput
        case .resized: self = .resized(size)
        case .signal(let number): self = .signal(number)
        case .hungUp: self = .hungUp
        }
    }

    /// What to give a front again.
    var input: TerminalInput {
        switch self {
        case .key(let action): .key(action)
        case .insert(let text): .key(.insert(text.secret))
        case .paste(let text): .key(.paste(text.secret))
        case .answer(let text): .key(.answer(text.secret))
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
        case .key(.follow(let type)): return named("follow", ("flow", .string(type.rawValue)))
        case .key(.followLink(let place)): return named("link", ("place", .integer(place)))
        case .key(let action): return named(action.plain?.rawValue ?? "")
        case .insert(let text): return named("insert", text.member)
        case .paste(let text): return named("paste", text.member)
        case .answer(let text): return named("answer", text.member)
        case .line(let text): return named("line", text.member)
        case .overlongLine: return named("overlong_line")
        case .endOfInput: return named("end_of_input")
        case .resized(let size):
            return named("resized", ("columns", .integer(size.columns)), ("rows", .integer(size.rows)))
        case .signal(let number): return named("signal", ("number", .integer(Int(number))))
        case .hungUp: return named("hung_up")
        }
    }

    /// - Returns: nil for what is no input that this version knows.
    init?(named name: String, _ json: JSONValue) {
        func text() -> RecordedText? { RecordedText(memberOf: json) }
        switch name {
        case "insert", "paste", "answer", "line":
            guard let text = text() else { return nil }
            switch name {
            case "insert": self = .insert(text)
            case "paste": self = .paste(text)
            case "answer": self = .answer(text)
            default: self = .line(text)
            }
        case "follow":
            guard let type = json["flow"]?.string.flatMap(AccountType.init) else { return nil }
            self = .key(.follow(type))
        case "link":
            guard let place = json["place"]?.integer, 0..<1000 ~= place else { return nil }
            self = .key(.followLink(place))
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
            guard let key = PlainKey(rawValue: name) else { return nil }
            self = .key(key.action)
        }
    }
}

extension TerminalSize {
    /// Wider or higher than any terminal.
    private static let limit = 10_000

    init?(_ json: JSONValue) {
        guard let columns = json["columns"]?.integer, let rows = json["rows"]?.integer,
            1...Self.limit ~= columns, 1...Self.limit ~= rows
        else { return nil }
        self.init(columns: columns, rows: rows)
    }
}
