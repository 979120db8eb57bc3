import LatchkeyFlows
import LatchkeyForms

/// One line of a recording after the first.
struct RecordingLine: Sendable {
    /// Milliseconds since the start.
    let at: Int
    let content: Content

    enum Content: Sendable {
        // Input: a replay provides it.
        case input(RecordedInput)
        case response(NetworkResponse)

        // Verdicts about a secret, valid since the last input: a replay repeats them.
        case rule(Int, of: FieldKey, failure: RuleFailure?)
        case strength(Int, of: FieldKey, advice: PasswordStrength.Advice?)

        // Output: a replay must produce the same.
        case event(AccountEvent)
        case frame(Frame)
        /// Text that the line driver wrote.
        case text(String)
        /// Whether the line driver turned the terminal's echo on.
        case echo(Bool)
        /// The line that replaced a form on the screen.
        case closingLine(String)
        case ended(TerminalEnding<AccountType>)
    }

    enum Part { case input, verdict, output }

    var part: Part {
        switch content {
        case .input, .response: .input
        case .rule, .strength: .verdict
        case .event, .frame, .text, .echo, .closingLine, .ended: .output
        }
    }
}

extension RecordingLine {
    /// Longer than any session lasts, in milliseconds.
    private static let maximumTime = 100_000_000_000

    var json: JSONValue { .object([("at", .integer(at))] + members) }

    private var members: [(key: String, value: JSONValue)] {
        switch content {
        case .input(let input): input.members
        case .response(let response): [("response", response.recorded)]
        case .rule(let place, let field, let failure):
            [("rule", .integer(place)), ("field", .string(field.rawValue)), ("failure", failure?.json ?? .null)]
        case .strength(let score, let field, let advice):
            [
                ("strength", .integer(score)), ("field", .string(field.rawValue)),
                ("advice", advice.map { .string($0.rawValue) } ?? .null),
            ]
        case .event(let event): [("event", event.json)]
        case .frame(let frame): frame.members
        case .text(let text): [("said", .string(text))]
        case .echo(let isOn): [("echo", .bool(isOn))]
        case .closingLine(let line): [("kept", .string(line))]
        case .ended(let ending): ending.members
        }
    }

    /// - Returns: nil if this version does not know the line, or one of its members.
    init?(json: JSONValue) {
        guard let at = json["at"]?.integer, 0...Self.maximumTime ~= at, let content = Content(json) else { return nil }
        self.init(at: at, content: content)
        // A member that was not understood would be missing here.
        guard self.json == json else { return nil }
    }
}

extension RecordingLine.Content {
    fileprivate init?(_ json: JSONValue) {
        guard case .object(let members) = json, members.count > 1 else { return nil }
        let value = members[1].value
        let field = json["field"]?.string.map { FieldKey(rawValue: $0) }
        switch (members[1].key, value) {
        case ("input", .string(let name)):
            guard let input = RecordedInput(named: name, json) else { return nil }
            self = .input(input)
        case ("response", _):
            guard let response = NetworkResponse(recorded: value) else { return nil }
            self = .response(response)
        case ("rule", .integer(let place)):
            guard let field, let given = json["failure"] else { return nil }
            let failure = RuleFailure(json: given)
            guard failure != nil || given == .null else { return nil }
            self = .rule(place, of: field, failure: failure)
        case ("strength", .integer(let score)):
            guard let field, 0...4 ~= score, let given = json["advice"] else { return nil }
            self = .strength(score, of: field, advice: given.string.flatMap(PasswordStrength.Advice.init))
        case ("event", _):
            guard let event = AccountEvent(json: value) else { return nil }
            self = .event(event)
        case ("frame", .array(let rows)):
            guard let frame = Frame(rows, in: json) else { return nil }
            self = .frame(frame)
        case ("said", .string(let text)): self = .text(text)
        case ("echo", .bool(let isOn)): self = .echo(isOn)
        case ("kept", .string(let line)): self = .closingLine(line)
        case ("ended", .string(let name)):
            guard let ending = TerminalEnding<AccountType>(named: name, json) else { return nil }
            self = .ended(ending)
        default: return nil
        }
    }
}

extension TerminalEnding<AccountType> {
    fileprivate var members: [(key: String, value: JSONValue)] {
        switch self {
        case .finished(let type): [("ended", .string("finished")), ("flow", .string(type.rawValue))]
        case .left: [("ended", .string("left"))]
        case .killed(by: let signal): [("ended", .string("killed")), ("signal", .integer(Int(signal)))]
        case .hungUp: [("ended", .string("hung_up"))]
        }
    }

    fileprivate init?(named name: String, _ json: JSONValue) {
        switch name {
        case "finished":
            guard let type = json["flow"]?.string.flatMap(AccountType.init) else { return nil }
            self = .finished(type)
        case "left": self = .left
        case "killed":
            guard let signal = json["signal"]?.integer, 1...64 ~= signal else { return nil }
            self = .killed(by: Int32(signal))
        case "hung_up": self = .hungUp
        default: return nil
        }
    }
}
