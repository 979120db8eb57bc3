import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyTerminal

/// The rules run once for each change of a value, and submitting uses that result.
@Suite(.timeLimit(.minutes(60)))
struct RuleRunTests {
    private let password = CountedPasswordField()
    private let model: FormViewModel
    private var machine: FormMachine

    init() {
        model = FormViewModel(form: Form(id: "login", title: "", submit: "", fields: [UsernameField(), password]))
        machine = FormMachine(for: model.state)
    }

    @Test func `each submitted answer and each key press runs the rules once`() {
        var machine = machine
        _ = machine.handle(.answer(Secret("ada")), on: model, at: .now)
        var runs = password.rule.count
        for key in ["s", "e", "c"] {
            _ = machine.handle(.insert(Secret(key)), on: model, at: .now)
            runs += 1
            #expect(password.rule.count == runs)
        }
        #expect(machine.handle(.answer(Secret("secret")), on: model, at: .now).map(ActionScript.word) == ["submit"])
        #expect(password.rule.count == runs + 1)
    }

    @Test func `Enter on the last field submits without another run of the rules`() {
        var machine = machine
        _ = machine.handle(.answer(Secret("ada")), on: model, at: .now)
        _ = machine.handle(.insert(Secret("secret")), on: model, at: .now)
        let runs = password.rule.count
        #expect(machine.handle(.key(.submit), on: model, at: .now).map(ActionScript.word) == ["submit"])
        #expect(model.state.isBusy && password.rule.count == runs)
        model.callEnded(AlertViewModel(title: "Refused"))
        #expect(password.rule.count == runs && model.state.isValid, "the password is still there")
        model.dropSecrets()
        #expect(!model.state.isValid && model.takeCredentials() == nil)
        #expect(password.rule.count == runs + 1, "the password is gone, so the form is validated again")
    }
}
