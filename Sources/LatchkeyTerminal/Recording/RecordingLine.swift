import LatchkeyFlows
import LatchkeyForms

/// One line of a recording behind its first.
struct RecordingLine: Sendable {
    /// Since the start, in milliseconds.
    let at: Int
    let content: Content

    enum Content: Sendable {
        // What comes from outside: a replay gives it again.
        case input(RecordedInput)
        case response(NetworkResponse)

        // What was said of a secret, from the input before it on: a replay says it again.
        case rule(Int, of: FieldKey, says: RuleFailure?)
        case strength(Int, of: FieldKey, advice: PasswordStrength.Advice?)

        // What came of it: a replay must come to the same.
        case event(AccountEvent)
        case frame(Frame)
        /// Written, where one line is asked after another.
        case said(String)
        /// Whether the terminal shows what is typed, where one line is asked after another.
        case echo(Bool)
        /// Left on the screen in the place of a form.
        case kept(String)
        case ended(TerminalEnding)
    }

    enum Part { case outside, judgement, outcome }

    var part: Part {
        switch content {
        case .input, .response: .outside
        case .rule, .strength: .judgement
        case .event, .frame, .said, .echo, .kept, .ended: .outcome
        }
    }
}

extension RecordingLine {
    /// Later than any session is.
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
        case .said(let text): [("said", .string(text))]
        case .echo(let isOn): [("echo", .bool(isOn))]
        case .kept(let line): [("kept", .string(line))]
        case .ended(let ending): ending.members
        }
    }

    /// - Returns: nil for what this version does not know, be it one member.
    init?(json: JSONValue) {
        guard let at = json["at"]?.integer, 0...Self.maximumTime ~= at, let content = Content(json) else { return nil }
        self.init(at: at, content: content)
        // What was not understood would not be written again.
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
            self = .rule(place, of: field, says: failure)
        case ("strength", .integer(let score)):
            guard let field, 0...4 ~= score, let given = json["advice"] else { return nil }
            self = .strength(score, of: field, advice: given.string.flatMap(PasswordStrength.Advice.init))
        case ("event", _):
            guard let event = AccountEvent(json: value) else { return nil }
            self = .event(event)
        case ("frame", .array(let rows)):
            guard let frame = Frame(rows, in: json) else { return nil }
            self = .frame(frame)
        case ("said", .string(let text)): self = .said(text)
        case ("echo", .bool(let isOn)): self = .echo(isOn)
        case ("kept", .string(let line)): self = .kept(line)
        case ("ended", .string(let name)):
            guard let ending = TerminalEnding(named: name, json) else { return nil }
            self = .ended(ending)
        default: return nil
        }
    }
}
