import LatchkeyForms
import LatchkeyText
import TestSupport
import Testing

@testable import LatchkeyProvisioning

@Suite(.timeLimit(.minutes(60)))
struct LineValidatorTests {
    private func answers(_ lines: [[UInt8]], by validator: consuming some LineValidator & ~Copyable) -> String {
        var validator = validator
        var answers: [UInt8] = []
        for line in lines { validator.answer(line.span, to: &answers) }
        return String(decoding: answers, as: UTF8.self)
    }

    @Test(arguments: try Fixture.rows(of: LineCase.self, in: "validate/rules.jsonl"))
    func `a rule gives the verdicts in the table`(row: LineCase) {
        #expect(
            answers([row.bytes], by: RuleLineValidator(messages: MessageTable.english)) == row.answer + "\n",
            "\(row.why)")
    }

    @Test(arguments: try Fixture.rows(of: LineCase.self, in: "validate/setup.jsonl"))
    func `a form gives the verdicts in the table`(row: LineCase) throws {
        let form = try FormCatalogue.shipped.form(for: .setup)
        let answer = answers([row.bytes], by: FormLineValidator(form: form, messages: MessageTable.english))
        #expect(answer == row.answer + "\n", "\(row.why)")
    }

    @Test func `a line does not affect the verdicts of other lines`() throws {
        let rows = try Fixture.rows(of: LineCase.self, in: "validate/setup.jsonl")
        let form = try FormCatalogue.shipped.form(for: .setup)
        for order in [rows, rows.reversed()] {
            let expected = order.map { $0.answer + "\n" }.joined()
            #expect(
                answers(order.map(\.bytes), by: FormLineValidator(form: form, messages: MessageTable.english))
                    == expected)
        }
    }

    @Test func `a line for a rule gets the verdict of the rule`() throws {
        var validator = RuleLineValidator(messages: MessageTable.english)
        for row in try RuleCase.all() {
            var answer: [UInt8] = []
            validator.answer(Array(row.line.encoded.utf8).span, to: &answer)
            let verdict = try JSONReader.read(answer).value
            #expect(verdict["valid"] == .bool(row.isValid), "\(row.testDescription)")
            #expect(verdict["messages"]?.elements?.isEmpty == row.isValid, "\(row.testDescription)")
            guard row.isValid else { continue }
            let normal = row.rule.normalForm(of: row.value.utf8Span)
            #expect(verdict["normalized"] == normal.map(JSONValue.string), "\(row.testDescription)")
        }
    }

    /// A form shows the same sentence for a field with the label "Value".
    @Test func `a message comes from the message table`() throws {
        for row in try RuleCase.all() where !row.isValid {
            guard var failure = try row.failure() else { continue }
            failure.field = nil
            var answer: [UInt8] = []
            var validator = RuleLineValidator(messages: MessageTable.english)
            validator.answer(Array(row.line.encoded.utf8).span, to: &answer)
            let message = try #require(try JSONReader.read(answer).value["messages"]?.elements?.first?.string)
            var sentence = MessageTable.english.sentence(for: failure, in: row.form)
            if sentence.hasPrefix(" ") { sentence = "Value" + sentence }
            #expect(message == sentence, "\(row.testDescription)")
        }
    }

    @Test func `each random line gets one verdict, which does not change when it is repeated`() throws {
        let form = try FormCatalogue.shipped.form(for: .setup)
        let keys = form.fields.map(\.apiKey.rawValue)
        var lines = try NastyLines(seed: 4)
        var rules = RuleLineValidator(messages: MessageTable.english)
        var forms = FormLineValidator(form: form, messages: MessageTable.english)
        for number in 0..<400 {
            let (rule, values) = (lines.rule(), lines.form(keys))
            var answers: [[UInt8]] = [[], [], [], []]
            rules.answer(rule.span, to: &answers[0])
            forms.answer(values.span, to: &answers[1])
            var otherRules = RuleLineValidator(messages: MessageTable.english)
            otherRules.answer(rule.span, to: &answers[2])
            forms.answer(values.span, to: &answers[3])
            #expect(answers[0] == answers[2] && answers[1] == answers[3], "line \(number)")
            for (answer, list) in [(answers[0], "messages"), (answers[1], "errors")] {
                #expect(answer.count(where: { $0 == UInt8(ascii: "\n") }) == 1 && answer.last == UInt8(ascii: "\n"))
                let value = try JSONReader.read(answer).value
                let error = value["error"]?.string
                #expect(value["id"] != nil)
                #expect(error == nil || error == "bad_request" || error == "unknown_rule")
                #expect((error == nil) == (value["valid"] != nil), "line \(number)")
                if error == nil { #expect((value["valid"] == .bool(true)) == (value[list] == .array([]))) }
            }
        }
    }

    @Test func `random descriptions are accepted or refused, and their forms validate any input`() throws {
        var lines = try NastyLines(seed: 44)
        var sound = 0
        for number in 0..<300 {
            let source = FormCatalogue.Source(file: "trial.json", bytes: lines.description())
            let results = (0..<2).map { _ in
                Result { () throws(FormDescriptionError) in try FormCatalogue(replacedBy: [source]) }
            }
            switch (results[0], results[1]) {
            case (.success(let catalogue), .success):
                guard let form = catalogue["trial"] else { continue }
                sound += 1
                let line = lines.form(form.fields.map(\.apiKey.rawValue))
                let first = answers([line], by: FormLineValidator(form: form, messages: MessageTable.english))
                let again = answers([line], by: FormLineValidator(form: form, messages: MessageTable.english))
                #expect(again == first, "description \(number)")
            case (.failure(let first), .failure(let second)):
                #expect(first == second && first.place.line >= 1 && first.place.column >= 1)
                #expect(MessageTable.english.has(first.problem.code), "\(first)")
            default: Issue.record("description \(number) was read once")
            }
        }
        #expect(sound > 20, "enough of them must be valid")
    }
}

extension RuleCase {
    /// The case as a line. A line has no secrets, so limits for secrets become code points in NFC.
    fileprivate var line: JSONValue {
        let length = arguments.filter { $0.key == "length" }
        let isCounted = isSecret && !length.isEmpty
        let arguments = isCounted ? length + [("unit", .string("scalars"))] : arguments
        let value = isCounted ? Normalization.nfc(value.utf8Span) : value
        return .object([
            ("id", .integer(1)), ("rule", .string(name)), ("args", .object(arguments)), ("value", .string(value)),
            ("values", .object(others.map { ($0.key, .string($0.value)) })),
        ])
    }
}
