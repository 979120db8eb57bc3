import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct FormTests {
    private let catalogue: FormCatalogue
    private var setup: Form { catalogue.form(for: .setup) }

    init() throws { catalogue = try FormCatalogue.shipped }

    @Test func `every field of an empty form reports its first failure, in the order of the fields`() {
        let failures = setup.failures(of: FormValues())
        #expect(failures.map(\.field) == [.email, .username, .password])
        #expect(failures.map(\.code) == [.required, .required, .minLength])
        #expect(failures.map(\.rule) == [0, 0, 0])
    }

    @Test func `a short password is refused with an explanation`() throws {
        let values = try filled(setup, [.email: "ada@example.org", .username: "ada", .password: "12345678"])
        let failures = setup.failures(of: values)
        #expect(
            failures.map { MessageTable.english.sentence(for: $0, in: setup) } == [
                "Password must be at least 9 characters"
            ])
    }

    @Test func `valid answers have no failures`() throws {
        let values = try filled(setup, [.email: " ada@example.org ", .username: "ada", .password: "correct horse"])
        #expect(setup.failures(of: values).isEmpty)
    }

    @Test func `the length of a secret is counted in code points, whatever the rule's unit`() throws {
        let rules = [rule("minLength", ("length", .integer(3)), ("unit", .string("bytes")))]
        let form = try Trial.form(fields: [
            Trial.field("pin", rules: rules, isSecret: true), Trial.field("name", rules: rules),
        ])
        let values = try filled(form, ["pin": "\u{E9}\u{E9}", "name": "\u{E9}\u{E9}"])
        #expect(form.failures(of: values).map(\.field) == ["pin"])
    }

    @Test func `a field reports the first rule that fails`() throws {
        let form = try Trial.form(fields: [
            Trial.field("a", rules: [rule("maxLength", ("length", .integer(2))), rule("email"), rule("required")])
        ])
        for (text, rule) in [("abc", 0), ("ab", 1), ("", 1)] {
            #expect(form.failures(of: try filled(form, ["a": text])).map(\.rule) == [rule])
        }
    }

    @Test func `an optional field with only white space skips its rules`() throws {
        let form = try Trial.form(
            "trial",
            #"{"form":"trial","title":"T","submit":"S","fields":[{"apiKey":"a","placeholder":"A","optional":true,"rules":[{"rule":"email"}]}]}"#
        )
        for (text, isValid) in [("", true), ("  ", true), ("x", false), ("a@b.example", true)] {
            #expect(form.failures(of: try filled(form, ["a": text])).isEmpty == isValid, "\(text)")
        }
    }

    @Test(arguments: [("{\"trim\": true, ", true), ("{\"trim\": false, ", false), ("{", true)])
    func `text is trimmed before its rules run, unless the field disables trimming`(start: String, trims: Bool) throws {
        let form = try Trial.form(
            "trial",
            #"{"form":"trial","title":"T","submit":"S","fields":["#
                + start + #""apiKey":"a","placeholder":"A","rules":[{"rule":"maxLength","length":1}]}]}"#)
        var values = try filled(form, ["a": "\u{3000} x\n"])
        #expect(form.failures(of: values).isEmpty == trims)
        #expect(values.text(of: "a") == "\u{3000} x\n", "the typed text is not changed")
        #expect(values.withValue(of: "a") { String(copying: $0) } == (trims ? "x" : "\u{3000} x\n"))
        values.clear("a")
        #expect(values.text(of: "a") == "")
    }

    @Test func `a secret is never trimmed`() throws {
        let form = try Trial.form(fields: [
            Trial.field("pin", rules: [rule("maxLength", ("length", .integer(1)))], isSecret: true)
        ])
        #expect(form.failures(of: try filled(form, ["pin": " x "])).map(\.code) == [.maxLength])
    }

    @Test func `a rule's custom message replaces the standard sentence and shows its values`() throws {
        let form = try Trial.form(fields: [
            .object([
                ("apiKey", .string("a")), ("placeholder", .string("Word")),
                (
                    "rules",
                    .array([
                        rule("required"),
                        rule(
                            "minLength", ("length", .integer(3)),
                            ("message", .string("{field}: {minimum} or more, {else}"))),
                    ])
                ),
            ])
        ])
        let short = form.failures(of: try filled(form, ["a": "x"]))
        #expect(short.map { MessageTable.english.sentence(for: $0, in: form) } == ["Word: 3 or more, {else}"])
        let empty = form.failures(of: FormValues())
        #expect(empty.map { MessageTable.english.sentence(for: $0, in: form) } == ["Word is required"])
    }

    @Test func `the message of a failed comparison contains the other field's label`() throws {
        let form = catalogue.form(for: .changePassword)
        let values = try filled(form, [.currentPassword: "correct horse", .password: "correct horse"])
        let failures = form.failures(of: values)
        #expect(failures.map(\.code) == [.differs])
        #expect(
            failures.map { MessageTable.english.sentence(for: $0, in: form) }
                == ["New password must be different from Current password"])
    }

    // MARK: Unusable values

    @Test(arguments: [
        (Array("a\u{0}b".utf8), RuleFailure.Code.nul), ([0xFF], .invalidUTF8), ([0x61, 0xC0, 0xAF], .invalidUTF8),
        ([0xED, 0xA0, 0x80], .invalidUTF8), ([UInt8](repeating: 0x61, count: 1025), .tooLong),
        ([UInt8](repeating: 0xFF, count: 5000), .tooLong),
    ])
    func `an unusable value is refused at sign-up, but passed to the service at login`(
        bytes: [UInt8], code: RuleFailure.Code
    ) throws {
        for type in [AccountType.setup, .resetPassword, .changePassword] {
            let model = FormViewModel(type: type, in: catalogue)
            let refused = model.set(.bytes(Secret(copying: bytes.span)), for: .password)
            let failure = try #require(refused)
            #expect(failure.code == code && failure.field == .password && failure.rule == nil)
            guard case .invalid(let failures) = model.validateForm() else {
                Issue.record("valid")
                return
            }
            #expect(failures.contains(failure))
            #expect(model.takeCredentials() == nil)
        }
        let login = FormViewModel(type: .login, in: catalogue)
        login.set("ada".utf8Span, for: .username)
        let refused = login.set(.bytes(Secret(copying: bytes.span)), for: .password)
        #expect(refused?.code == code)
        #expect(login.validateForm() == .valid)
        let credentials = try #require(login.takeCredentials())
        if case .unusable? = credentials.entry(.password) {} else { Issue.record("not passed on") }
        #expect(credentials.secret(.password) == nil && credentials.text(.username) == "ada")
        #expect(login.takeCredentials() == nil, "an unusable value is not stored for a second call")
    }

    @Test(arguments: [(FieldKey.username, 255), (.email, 254), (.password, 1024), ("company", 1024)])
    func `a value is accepted up to its maximum number of bytes`(key: FieldKey, maximum: Int) throws {
        let company = try #require(try Self.setupWithCompany().form(for: .setup).field(key))
        var values = FormValues()
        #expect(values.set(String(repeating: "a", count: maximum).utf8Span, for: company) == nil)
        let failure = values.set(String(repeating: "a", count: maximum + 1).utf8Span, for: company)
        #expect(failure == RuleFailure(code: .tooLong, values: ["maximum": .integer(maximum)], field: key))
        #expect(values.unusable(key) == failure)
        #expect(values.withValue(of: key) { $0.isEmpty }, "nothing of it is stored")
    }

    @Test func `a recovery code may have at most 64 bytes`() throws {
        let field = try #require(catalogue.form(for: .resetPassword).field(.code))
        #expect(field.maximumBytes == 64)
    }

    /// S-119.
    @Test(arguments: ["\u{1B}[2J", "a\u{202E}b", "\u{200B}", "e" + String(repeating: "\u{301}", count: 5)])
    func `an attribute cannot contain terminal controls`(text: String) throws {
        let form = try Self.setupWithCompany().form(for: .setup)
        let values = try filled(form, ["company": text])
        #expect(
            form.failures(of: values).first { $0.field == "company" }
                == RuleFailure(code: .unprintable, field: "company"))
    }

    // MARK: The form catalogue

    static func setupWithCompany() throws -> FormCatalogue {
        let text = String(decoding: try SourceTree.contents(of: "Forms/setup.json"), as: UTF8.self)
        let company = #"{ "apiKey": "company", "placeholder": "Company" },"#
        let changed = text.replacing("\"fields\": [", with: "\"fields\": [" + company)
        #expect(changed != text)
        return try FormCatalogue(replacedBy: [FormCatalogue.Source(file: "setup.json", bytes: Array(changed.utf8))])
    }

    @Test func `a field added to the sign-up form becomes a flag and an attribute`() throws {
        let form = try Self.setupWithCompany().form(for: .setup)
        let company = try #require(form.field("company"))
        #expect(company.flag == "company" && company.isAttribute && company.label == "Company")
        let model = FormViewModel(form: form)
        #expect(model.state.fields.map(\.key) == ["company", .email, .username, .password])
        for (key, text) in [
            ("company", " Analytical Engines "), ("email_field", "ada@example.org"), ("username", "ada"),
        ] {
            model.set(text.utf8Span, for: FieldKey(rawValue: key))
        }
        model.set("correct horse".utf8Span, for: .password)
        let credentials = try #require(model.takeCredentials())
        #expect(credentials.attributes == ["company": "Analytical Engines"])
    }

    @Test func `the repetition of an answer is a separate field and must match`() throws {
        let form = setup.askingTwice(.english)
        #expect(form.fields.map(\.apiKey.rawValue) == ["email_field", "username", "password", "password.again"])
        let again = try #require(form.fields.last as? any FormTextField)
        #expect(again.label == "Password again" && again.isSecret && !again.trims)
        var values = try filled(form, [.email: "ada@example.org", .username: "ada", .password: "correct horse"])
        #expect(form.failures(of: values).map(\.code) == [.confirmation])
        #expect(
            MessageTable.english.sentence(for: form.failures(of: values)[0], in: form)
                == "The two answers do not match")
        #expect(values.set("correct horse".utf8Span, for: again) == nil)
        #expect(form.failures(of: values).isEmpty)
        let model = FormViewModel(form: form)
        for (key, text) in [
            ("email_field", "ada@example.org"), ("username", "ada"), ("password", "correct horse"),
            ("password.again", "correct horse"),
        ] {
            model.set(text.utf8Span, for: FieldKey(rawValue: key))
        }
        let credentials = try #require(model.takeCredentials())
        #expect(credentials.entry("password.again") == nil && credentials.secret(.password) != nil)
        #expect(credentials.attributes.isEmpty)
    }

    @Test func `rules keep their numbers if an earlier rule is skipped`() throws {
        struct Field: FormTextField {
            let apiKey = FieldKey.password
            let placeholder = "Password"
            let isSecret = true
            let validationRules: [any Rule] = [NotCommonRule(), MinLengthRule(20)]
        }
        let form = Form(id: "trial", title: "", submit: "", fields: [Field()])
        #expect(form.failures(of: try filled(form, [.password: "password"])).map(\.rule) == [0])
        let failures = form.withoutServiceChecks.failures(of: try filled(form, [.password: "password"]))
        #expect(failures.map(\.rule) == [1] && failures.map(\.code) == [.minLength])
    }

    private func rule(_ name: String, _ arguments: (String, JSONValue)...) -> JSONValue {
        .object([("rule", .string(name))] + arguments.map { (key: $0.0, value: $0.1) })
    }
}

/// The values of a form, all of which are usable.
func filled(_ form: Form, _ answers: [FieldKey: String]) throws -> FormValues {
    var values = FormValues()
    for (key, text) in answers {
        let failure = values.set(text.utf8Span, for: try #require(form.field(key)))
        #expect(failure == nil)
    }
    return values
}
