import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyTerminal

@Suite(.timeLimit(.minutes(60)))
struct FormMachineTests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let why: String
        /// A flow, or the folder of a form.
        let form: String
        /// Values that were typed in an earlier form.
        let carrying: [String: String]?
        /// Whether there is a text editor.
        let editor: Bool?
        let actions: [String]
        let focus: String
        let caret: Int?
        /// Plain values, and the number of graphemes of secrets.
        let values: [String: String]?
        let graphemes: [String: Int]?
        /// The requests of the last action.
        let effects: [String]?
        /// The keys of the fields with errors.
        let wrong: [String]?
        /// The codes of notices about refused text.
        let notices: [String: String]?
        let busy: Bool?

        var testDescription: String { why }
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "terminal/machine.jsonl"))
    func `the form machine behaves as in the table`(row: Row) throws {
        let type = AccountType(rawValue: row.form)
        let form = try type.map { try FormCatalogue.shipped.form(for: $0) } ?? Fixture.form("\(row.form)/form.json")
        var carrying: [FieldKey: FieldValue] = [:]
        for (key, text) in row.carrying ?? [:] { carrying[FieldKey(rawValue: key)] = .text(text) }
        let model = FormViewModel(form: form.askingTwice(.english), carrying: carrying)
        var machine = FormMachine(for: model.state, hasEditor: row.editor ?? false)
        var effects: [FormMachine.Request] = []
        for word in row.actions { effects = machine.handle(try ActionScript.action(word), on: model, at: .now) }

        let state = model.state
        #expect(ActionScript.word(machine.focus) == row.focus)
        if let caret = row.caret { #expect(machine.caret == caret) }
        #expect(effects.map(ActionScript.word) == row.effects ?? [])
        #expect(state.isBusy == row.busy ?? false)
        #expect(state.fields.filter { $0.failure != nil }.map(\.key.rawValue) == row.wrong ?? [] || state.isBusy)
        for (key, text) in row.values ?? [:] {
            #expect(state.fields.first { $0.key.rawValue == key }?.text == .plain(text))
        }
        for (key, count) in row.graphemes ?? [:] {
            #expect(state.fields.first { $0.key.rawValue == key }?.text == .secret(graphemes: count))
        }
        let notices = state.fields.filter { $0.notice != nil }
        #expect(Set(notices.map(\.key.rawValue)) == Set((row.notices ?? [:]).keys))
        for field in notices {
            let part = try #require(row.notices?[field.key.rawValue])
            #expect(field.notice?.contains(part) == true, "\(field.notice ?? "")")
        }
    }

    @Test func `a secret is shown for ten seconds`() throws {
        let model = FormViewModel(form: try FormCatalogue.shipped.form(for: .login), carrying: [.username: "ada"])
        var machine = FormMachine(for: model.state)
        let start = FormMachine.Instant.now
        _ = machine.handle(.insert(Secret("pässword")), on: model, at: start)
        _ = machine.handle(.key(.reveal), on: model, at: start)
        #expect(machine.deadline(after: start) == start.advanced(by: .seconds(10)))
        func shows(_ seconds: Int) -> Bool {
            machine.frame(of: model.state, columns: 80, at: start.advanced(by: .seconds(seconds)), in: .english)
                .lines.contains { $0.hasSecret }
        }
        #expect(shows(0))
        #expect(shows(9))
        #expect(!shows(10), "a frame drawn too late masks by itself")
        _ = machine.handle(.key(.tick), on: model, at: start.advanced(by: .seconds(10)))
        #expect(machine.deadline(after: start) == start.advanced(by: .seconds(300)), "secrets are erased then")
    }

    @Test(arguments: ["previous", "suspend", "interrupt", "cancel", "reveal", "link:1", "submit"])
    func `a revealed secret is masked again after any other action`(word: String) throws {
        let model = FormViewModel(form: try FormCatalogue.shipped.form(for: .login), carrying: [.username: "ada"])
        var machine = FormMachine(for: model.state)
        _ = machine.handle(.insert(Secret("password")), on: model, at: .now)
        _ = machine.handle(.key(.reveal), on: model, at: .now)
        #expect(machine.reveal != nil)
        _ = machine.handle(try ActionScript.action(word), on: model, at: .now)
        #expect(machine.reveal == nil)
        let frame = machine.frame(of: model.state, columns: 80, at: .now, in: .english)
        #expect(!frame.lines.contains { $0.hasSecret })
    }

    @Test func `text that is too long for its field is refused completely, with a message`() throws {
        let model = FormViewModel(form: try FormCatalogue.shipped.form(for: .setup))
        var machine = FormMachine(for: model.state)
        let long = String(repeating: "a", count: 255)
        #expect(machine.handle(.paste(Secret(long)), on: model, at: .now).map(ActionScript.word) == ["bell"])
        #expect(model.state.fields[0].text == .plain(""))
        #expect(model.state.fields[0].notice == "E-mail must be at most 254 bytes long")
        #expect(machine.handle(.insert(Secret("a")), on: model, at: .now).isEmpty)
        #expect(model.state.fields[0].notice == nil)
    }

    private struct DigitsField: FormTextField {
        let apiKey: FieldKey
        let keyboardType: KeyboardType
        let placeholder = "Pin"
        let isSecret: Bool
        let validationRules: [any Rule] = []
    }

    @Test(arguments: [KeyboardType.numberPad, .phonePad], [false, true])
    func `a keyboard for digits refuses typed letters, but answers are validated only by rules`(
        keyboard: KeyboardType, isSecret: Bool
    ) throws {
        let field = DigitsField(apiKey: "pin", keyboardType: keyboard, isSecret: isSecret)
        let model = FormViewModel(form: Form(id: "f", title: "F", submit: "Go", fields: [field]))
        var machine = FormMachine(for: model.state)
        for typed in ["type:1", "type:+", "paste:(2) 3"] {
            _ = machine.handle(try ActionScript.action(typed), on: model, at: .now)
        }
        for refused in ["type:x", "type:é", "paste:12b"] {
            let requests = machine.handle(try ActionScript.action(refused), on: model, at: .now)
            #expect(requests.map(ActionScript.word) == ["bell"])
            #expect(model.state.fields[0].notice == "Pin takes digits. Nothing was inserted")
        }
        #expect(model.withValue(of: "pin") { String(copying: $0) } == "1+(2) 3")
        // Only the rules validate a value from another source, such as a flag.
        model.set("12b".utf8Span, for: "pin")
        #expect(model.validateForm() == .valid)
    }

    @Test func `after a refusal, the focus moves to the first field to correct`() throws {
        let model = FormViewModel(form: try FormCatalogue.shipped.form(for: .setup))
        var machine = FormMachine(for: model.state)
        for text in ["a@b.example", "ada", "correct horse"] {
            _ = machine.handle(.answer(Secret(text)), on: model, at: .now)
        }
        #expect(machine.focus == .submit)
        #expect(machine.handle(.key(.submit), on: model, at: .now).map(ActionScript.word) == ["submit"])
        let taken = RuleFailure(code: .taken, field: .username)
        model.callEnded(
            AlertViewModel(title: "Already in use", lines: ["Username is already taken"], failures: [taken]))
        machine.callEnded(model.state, at: .now)
        #expect(machine.focus == .field(.username))
        #expect(machine.caret == 3)
    }
}
