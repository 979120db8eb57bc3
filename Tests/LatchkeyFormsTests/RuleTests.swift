import LatchkeyForms
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct RuleTests {
    @Test(arguments: try RuleCase.all())
    func `a rule accepts or refuses each value in its table`(row: RuleCase) throws {
        let failure = try row.failure()
        #expect((failure == nil) == row.isValid, "\(row.why)")
        if let failure { #expect(failure.code == row.code ?? row.rule.code, "\(row.why)") }
    }

    @Test(arguments: try RuleCase.all().filter { !$0.isValid })
    func `the message of a failure has no unfilled placeholder`(row: RuleCase) throws {
        var failure = try #require(try row.failure())
        failure.field = row.form.fields[0].apiKey
        let sentence = MessageTable.english.sentence(for: failure, in: row.form)
        #expect(!sentence.isEmpty && !sentence.hasPrefix("rule."), "\(sentence)")
        // A value may contain braces, but a name in braces would be an unfilled placeholder.
        #expect(sentence.firstMatch(of: /\{[a-z]+\}/) == nil, "\(sentence)")
    }

    @Test(arguments: try RuleCase.all().filter { $0.normal != nil })
    func `normalizing a value gives the form in the table and is idempotent`(row: RuleCase) {
        let normal = row.rule.normalForm(of: row.value.utf8Span)
        #expect(normal.map { Array($0.utf8) } == row.normal.map { Array($0.utf8) }, "\(row.why)")
        #expect(normal.flatMap { row.rule.normalForm(of: $0.utf8Span) } == normal)
    }

    @Test func `each rule has a table of at least thirty rows, valid and invalid ones`() throws {
        let more = ["email": 200, "username": 100, "password": 100]
        for name in RuleRegistry.standard.names {
            let rows = try RuleCase.rows(of: name)
            #expect(rows.count >= more[name] ?? 30, "\(name)")
            #expect(rows.contains(where: \.isValid) && rows.contains { !$0.isValid }, "\(name)")
        }
    }

    @Test func `the code of a rule is its name in snake case`() throws {
        for name in RuleRegistry.standard.names {
            let rule = try #require(try RuleCase.rows(of: name).first?.rule)
            let snake = name.flatMap { $0.isUppercase ? "_" + $0.lowercased() : String($0) }
            #expect(rule.code.rawValue == String(snake))
        }
    }

    @Test func `a failure contains the values for its sentence`() throws {
        let values = FormValues()
        let text = "12345678".utf8Span
        #expect(
            MinLengthRule(9).check(text, in: values) == RuleFailure(code: .minLength, values: ["minimum": .integer(9)]))
        #expect(
            MaxLengthRule(7).check(text, in: values) == RuleFailure(code: .maxLength, values: ["maximum": .integer(7)]))
        #expect(
            ConfirmationRule(field: "password").check(text, in: values)
                == RuleFailure(code: .confirmation, values: ["other": .text("password")]))
        #expect(
            try CharacterSetRule(allowed: "[a-z]").check(text, in: values)
                == RuleFailure(code: .characterSet, values: ["allowed": .text("[a-z]")]))
    }

    @Test(arguments: [
        ("42", #"{"rule":"exactLength","length":3}"#, "value must be exactly 3 characters"),
        (
            "x", #"{"rule":"integer","minimum":1,"maximum":99999999999999999999}"#,
            "Enter a whole number, such as 42"
        ),
        ("42", #"{"rule":"integer","minimum":100}"#, "value must be 100 or more"),
        ("42", #"{"rule":"float","maximum":-0.50}"#, "value must be -0.50 or less"),
        ("42", #"{"rule":"oneOf","values":["S","M"]}"#, "value must be one of: S, M"),
        ("42", #"{"rule":"contains","text":"é"}"#, "value must contain \"é\""),
        ("2026-01-31", #"{"rule":"date","earliest":"2026-02-01"}"#, "value must be 2026-02-01 or later"),
        ("2026-03-01", #"{"rule":"date","latest":"0099-12-31"}"#, "value must be 0099-12-31 or earlier"),
        ("42", #"{"rule":"integer","minimum":3,"maximum":9,"message":"{minimum} to {maximum}"}"#, "3 to 9"),
        ("2026-03-01", #"{"rule":"date","latest":"2026-02-01","message":"until {latest}"}"#, "until 2026-02-01"),
    ])
    func `a sentence shows the arguments of its rule`(value: String, rule: String, sentence: String) throws {
        let form = try Trial.form(fields: [
            Trial.field("value", rules: [try JSONReader.read(Array(rule.utf8)).value])
        ])
        let values = try filled(form, ["value": value])
        let failure = try #require(form.failures(of: values).first)
        #expect(MessageTable.english.sentence(for: failure, in: form) == sentence)
    }
}
