import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct FormViewModelTests {
    private let catalogue: FormCatalogue

    init() throws { catalogue = try FormCatalogue.shipped }

    @Test func `a new form is invalid, shows no error and is not busy`() {
        let state = model(.setup).state
        #expect(state.form == "setup" && state.title == "Create your account" && state.submit == "Create account")
        #expect(state.links.map(\.type) == [.login, .forgotPassword])
        #expect(state.links.map(\.label) == ["Log in instead", "Forgot password?"])
        #expect(state.fields.map(\.key) == [.email, .username, .password])
        #expect(state.fields.map(\.isSecret) == [false, false, true])
        #expect(state.fields.map(\.text) == [.plain(""), .plain(""), .secret(graphemes: 0)])
        #expect(state.fields.allSatisfy { $0.failure == nil && $0.message == nil && !$0.isTouched && $0.text.isEmpty })
        #expect(!state.isValid && !state.isBusy && state.alert == nil)
    }

    @Test func `an error appears when the focus leaves the field and disappears with a valid value`() {
        let model = model(.setup)
        set("ad", for: .email, in: model)
        #expect(field(.email, of: model).failure == nil, "no error while typing")
        model.validate(field: .email)
        #expect(field(.email, of: model).failure?.code == .email)
        #expect(field(.email, of: model).message == "Enter a valid e-mail address, such as ada@example.org")
        #expect(field(.username, of: model).failure == nil, "only the field that was left")
        set("ada@example.org", for: .email, in: model)
        #expect(field(.email, of: model).failure == nil)
        set("ada@", for: .email, in: model)
        #expect(field(.email, of: model).failure?.code == .email, "errors update while typing from now on")
    }

    @Test func `a comparison with a later field does not fail before that field is reached`() throws {
        let repeats = #"[{"rule":"confirmation","field":"b"},{"rule":"minLength","length":3}]"#
        let form = try Trial.form(
            fields: [
                .object([
                    ("apiKey", .string("a")), ("placeholder", .string("A")),
                    ("rules", try JSONReader.read(Array(repeats.utf8)).value),
                ]), Trial.field("b", rules: []),
            ])
        let model = FormViewModel(form: form)
        set("ad", for: "a", in: model)
        model.validate(field: "a")
        #expect(field("a", of: model).failure?.code == .minLength, "its other rules apply")
        set("ada", for: "a", in: model)
        #expect(field("a", of: model).failure == nil && !model.state.isValid)
        set("bob", for: "b", in: model)
        model.validate(field: "b")
        #expect(field("a", of: model).failure?.code == .confirmation)
        #expect(field("b", of: model).failure == nil)
        set("ada", for: "b", in: model)
        #expect(field("a", of: model).failure == nil && model.state.isValid)
    }

    @Test func `listeners receive every published state in order`() {
        let model = model(.login)
        let received = Received<FormViewState>()
        let token = model.states.bind(to: received) { $0.values.append($1) }
        set("a", for: .username, in: model)
        set("ab", for: .username, in: model)
        model.validate(field: .username)
        model.clear(.username)
        let texts = received.values.map { $0.fields[0].text }
        #expect(texts == [.plain("a"), .plain("ab"), .plain("ab"), .plain("")])
        #expect(received.values.map { $0.fields[0].failure?.code } == [nil, nil, nil, .required])
        #expect(received.values.last == model.state)
        token.cancel()
    }

    @Test func `validating the form marks every field as touched and calls the delegate once`() {
        let model = model(.setup)
        let delegate = Delegate()
        delegate.model = model
        model.delegate = delegate
        #expect(model.validateForm() == .invalid(delegate.failures))
        #expect(delegate.results.count == 1)
        #expect(delegate.failures.map(\.field) == [.email, .username, .password])
        #expect(delegate.touchedWhenCalled == [true, true, true], "the state shows the result first")
        fill(model, [.email: "ada@example.org", .username: "ada", .password: "correct horse"])
        #expect(model.validateForm() == .valid)
        #expect(delegate.results.last == .valid && delegate.results.count == 2)
    }

    @Test func `filling in a form runs each rule only once`() throws {
        let password = CountedPasswordField()
        let form = Form(id: "login", title: "", submit: "", fields: [UsernameField(), password])
        let inputs: [FieldKey: FieldInput] = [.username: .text("ada"), .password: .text("correct horse")]
        let created = FormViewModel(form: form, filling: inputs)
        #expect(created.state.fields.allSatisfy { !$0.isTouched })
        #expect(created.validateForm() == .valid && created.takeCredentials() != nil && password.rule.count == 1)
        let model = FormViewModel(form: form)
        model.fill(inputs.merging(["nothing": .text("x")]) { $1 })
        #expect(model.state.isValid && model.state.fields.allSatisfy(\.isTouched) && password.rule.count == 3)
        model.callBegan()
        model.fill([.username: .text("eve")])
        #expect(model.state.fields.first?.text == .plain("ada"))
    }

    @Test func `a value of a different type than its field is refused`() throws {
        let form = try FormCatalogue.shipped.form(for: .setup)
        for input in [FieldInput.boolean(true), .list(["ada"])] {
            let model = FormViewModel(form: form, filling: [.username: input])
            #expect(model.validateForm().failures.contains(RuleFailure(code: .notText, field: .username)))
        }
    }

    @Test func `an unknown field changes nothing`() {
        let model = model(.login)
        let before = model.state
        #expect(model.set("x".utf8Span, for: "nothing") == nil)
        #expect(model.edit(.insert(secret("x")), of: "nothing", at: 3) == 3)
        model.validate(field: "nothing")
        model.clear("nothing")
        #expect(model.state == before)
    }

    @Test func `a state never contains the text of a secret`() {
        let model = model(.login)
        set("canary\u{1F600}", for: .password, in: model)
        #expect(field(.password, of: model).text == .secret(graphemes: 7))
        #expect(!String(reflecting: model.state).contains("canary"))
        #expect(model.withValue(of: .password) { String(copying: $0) } == "canary\u{1F600}", "only on request")
    }

    // MARK: Credentials

    @Test func `the credentials contain the secrets and can be taken only once`() throws {
        let model = model(.setup)
        fill(model, [.email: " ada@example.org", .username: "Ada", .password: "correct horse"])
        #expect(model.validateForm() == .valid)
        let credentials = try #require(model.takeCredentials())
        #expect(credentials.text(.email) == "ada@example.org" && credentials.text(.username) == "Ada")
        #expect(credentials.text(.password) == nil && credentials.secret(.username) == nil)
        #expect(credentials.secret(.password)?.isEqual(to: secret("correct horse")) == true)
        #expect(model.withValue(of: .password) { $0.isEmpty })
        #expect(field(.password, of: model).failure == nil, "a moved secret is not reported as missing")
        #expect(field(.username, of: model).text == .plain("Ada"), "texts stay for editing")
        #expect(model.takeCredentials() == nil)
        #expect("\(credentials)" == "<credentials>" && String(reflecting: credentials) == "<credentials>")
        var dumped = ""
        dump(credentials, to: &dumped)
        #expect(!dumped.contains("ada") && !dumped.contains("Ada"))
    }

    @Test func `an invalid or busy form has no credentials`() {
        let model = model(.login)
        set("ada", for: .username, in: model)
        #expect(model.takeCredentials() == nil)
        set("secret", for: .password, in: model)
        model.callBegan()
        #expect(model.takeCredentials() == nil)
        model.callEnded(nil)
        #expect(model.takeCredentials() != nil)
    }

    @Test func `a form cannot be edited while a call runs`() {
        let model = model(.login)
        fill(model, [.username: "ada", .password: "secret"])
        model.callBegan()
        let before = model.state
        #expect(before.isBusy)
        #expect(model.edit(.insert(secret("x")), of: .username, at: 1) == 1)
        #expect(model.set("eve".utf8Span, for: .username) == nil)
        let refused = model.set(.bytes(Secret(copying: [0xFF].span)), for: .username)
        #expect(refused == nil)
        model.clear(.username)
        #expect(model.state == before)
        model.dropSecrets()
        #expect(field(.password, of: model).text == .secret(graphemes: 0), "secrets can be erased at any time")
    }

    @Test func `a refusal by the service remains until the field is edited`() {
        let model = model(.setup)
        fill(model, [.email: "ada@example.org", .username: "ada", .password: "correct horse"])
        #expect(model.validateForm() == .valid)
        #expect(model.takeCredentials() != nil)
        model.callBegan()
        #expect(model.state.fields.allSatisfy { $0.failure == nil })
        let taken = RuleFailure(code: .taken, field: .username)
        let alert = AlertViewModel(title: "Already in use", lines: ["Username is already taken"], failures: [taken])
        model.callEnded(alert)
        #expect(!model.state.isBusy && model.state.alert == alert)
        #expect(field(.username, of: model).failure == taken)
        #expect(field(.username, of: model).message == "Username is already taken")
        #expect(field(.password, of: model).failure == nil && !field(.password, of: model).isTouched)
        set("correct horse", for: .password, in: model)
        #expect(field(.username, of: model).failure == taken, "an edit of another field keeps the refusal")
        #expect(model.state.alert == nil, "but the alert disappears")
        #expect(model.edit(.deleteBackward, of: .username, at: 0) == 0)
        #expect(field(.username, of: model).failure == taken, "an edit without effect keeps the refusal")
        _ = model.edit(.insert(secret("2")), of: .username, at: 3)
        #expect(field(.username, of: model).failure == nil)
    }

    @Test func `the failure of a refused secret is shown although the secret was moved out`() {
        let model = model(.changePassword)
        fill(model, [.currentPassword: "wrong", .password: "correct horse"])
        _ = model.validateForm()
        #expect(model.takeCredentials() != nil)
        model.callBegan()
        let wrong = RuleFailure(code: .wrongPassword, field: .currentPassword)
        model.callEnded(AlertViewModel(title: "Refused", failures: [wrong]))
        #expect(field(.currentPassword, of: model).failure == wrong)
        #expect(field(.password, of: model).failure == nil)
        model.callBegan()
        #expect(field(.currentPassword, of: model).failure?.code == .required && model.state.alert == nil)
    }

    // MARK: Switching forms

    @Test func `values carry over to fields with the same key, except secrets`() {
        let login = model(.login)
        fill(login, [.username: " ada", .password: "canary"])
        #expect(login.carried == [.username: " ada"])
        let setup = FormViewModel(
            type: .setup, in: catalogue, carrying: [.username: " ada", .password: "canary", "company": "x"])
        #expect(setup.state.fields.map(\.text) == [.plain(""), .plain(" ada"), .secret(graphemes: 0)])
        #expect(setup.state.fields.allSatisfy { !$0.isTouched })
    }

    @Test func `dropping the secrets does not affect other values`() {
        let model = model(.setup)
        fill(model, [.username: "ada", .password: "canary"])
        model.dropSecrets()
        #expect(model.state.fields.map(\.text) == [.plain(""), .plain("ada"), .secret(graphemes: 0)])
        #expect(model.withValue(of: .password) { $0.isEmpty })
    }

    // MARK: Helpers

    private func model(_ type: AccountType) -> FormViewModel { FormViewModel(type: type, in: catalogue) }

    private func set(_ text: String, for key: FieldKey, in model: FormViewModel) {
        #expect(model.set(text.utf8Span, for: key) == nil)
    }

    private func fill(_ model: FormViewModel, _ answers: [FieldKey: String]) {
        for (key, text) in answers { set(text, for: key, in: model) }
    }

    private func field(_ key: FieldKey, of model: FormViewModel) -> FormViewState.Field {
        model.state.fields.first { $0.key == key } ?? model.state.fields[0]
    }
}

/// A secret with the UTF-8 of `text`.
func secret(_ text: String) -> Secret { Secret(copying: text.utf8Span.span) }

/// The values that a listener received.
final class Received<Value> {
    var values: [Value] = []
}

private final class Delegate: FormViewModelDelegate {
    var results: [ValidationResult] = []
    var touchedWhenCalled: [Bool] = []
    weak var model: FormViewModel?

    var failures: [RuleFailure] {
        guard case .invalid(let failures) = results.first else { return [] }
        return failures
    }

    func formWasValidated(_ result: ValidationResult) {
        results.append(result)
        touchedWhenCalled = model?.state.fields.map(\.isTouched) ?? []
    }
}

@Suite(.timeLimit(.minutes(60)))
struct FormAlertTests {
    @Test(arguments: AccountType.allCases)
    func `the alert of an invalid form has a specific title and a button for each field`(type: AccountType) throws {
        let form = try FormCatalogue.shipped.form(for: type)
        let model = FormViewModel(form: form)
        let result = model.validateForm()
        guard case .invalid(let failures) = result else {
            #expect([.profile, .addFactor].contains(type) && model.state.alert == nil)
            return
        }
        let alert = try #require(model.state.alert)
        #expect(alert.title == MessageTable.english.sentence("alert." + type.rawValue) && !alert.isInformation)
        #expect(alert.title != MessageTable.english.sentence("alert.form") && !alert.title.hasPrefix("alert."))
        #expect(alert.failures == failures && alert.message.contains("Correct \(failures.count) field"))
        #expect(alert.actions.map(\.meaning) == failures.compactMap(\.field).map { .correct($0) })
        #expect(alert.actions.map(\.title) == failures.compactMap { $0.field.flatMap(form.field)?.label })
    }

    @Test func `a valid form has no alert, and editing a field removes it`() throws {
        let model = FormViewModel(form: try FormCatalogue.shipped.form(for: .forgotPassword))
        model.validateForm()
        #expect(model.state.alert != nil)
        model.set("ada@example.org".utf8Span, for: .email)
        #expect(model.state.alert == nil)
        #expect(model.validateForm().alert(in: model.form, .english) == nil && model.state.alert == nil)
    }

    @Test func `the values have the names of their fields, in the model and in the answers`() throws {
        let form = Form(
            id: "order", title: "Order", submit: "Order",
            fields: [
                ChoiceField("size", label: "Size", options: ["S", FieldOption("M", label: "Medium")]),
                ChoicesField("topics", label: "Topics", options: ["a", "b"]), BooleanField("news", label: "News"),
            ])
        let model = FormViewModel(form: form)
        #expect(model.values.isEmpty && model["size"] == nil)
        model["size"] = "m"
        model["topics"] = ["b", "a"]
        model["news"] = true
        let wanted: [FieldKey: FieldValue] = ["size": "M", "topics": ["a", "b"], "news": true]
        #expect(model.values == wanted && model["topics"] == ["a", "b"])
        #expect(model.state["size"]?.options.map(\.label) == ["S", "Medium"] && model.state["none"] == nil)
        let answers = try #require(model.takeCredentials())
        #expect(answers.values == wanted && answers["news"] == true && answers.text("size") == "M")
        model["size"] = nil
        #expect(model["size"] == nil && model.values["size"] == nil)
    }

    @Test func `secrets are not among the values`() throws {
        let form = Form(
            id: "key", title: "", submit: "", fields: [RecoveryCodeField(label: "Code", placeholder: "Code")])
        let model = FormViewModel(form: form)
        model.set(.text("ABCD"), for: .code)
        #expect(model[.code] == nil && model.values.isEmpty)
        let answers = try #require(model.takeCredentials())
        #expect(answers[.code] == nil && answers.values.isEmpty && answers.secret(.code) != nil)
    }
}
