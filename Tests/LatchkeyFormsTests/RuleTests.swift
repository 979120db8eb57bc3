import LatchkeyForms
import TestSupport
import Testing

struct RuleTests {
    @Test(arguments: try RuleCase.all())
    func `a value is judged as the table says`(row: RuleCase) throws {
        let failure = try row.failure()
        #expect((failure == nil) == row.isValid, "\(row.why)")
        if let failure { #expect(failure.code == row.code ?? row.rule.code, "\(row.why)") }
    }

    @Test(arguments: try RuleCase.all().filter { $0.normal != nil })
    func `a normal form is the one of the table, and its own`(row: RuleCase) {
        let normal = row.rule.normalForm(of: row.value.utf8Span)
        #expect(normal.map { Array($0.utf8) } == row.normal.map { Array($0.utf8) }, "\(row.why)")
        #expect(normal.flatMap { row.rule.normalForm(of: $0.utf8Span) } == normal)
    }

    @Test func `each rule has a table of twenty rows, valid and invalid ones`() throws {
        for name in RuleRegistry.standard.names {
            let rows = try RuleCase.rows(of: name)
            #expect(rows.count >= (name == "email" ? 60 : 20), "\(name)")
            #expect(rows.contains(where: \.isValid) && rows.contains { !$0.isValid }, "\(name)")
        }
    }

    @Test func `a code is its rule's name in snake case`() throws {
        for name in RuleRegistry.standard.names {
            let rule = try #require(try RuleCase.rows(of: name).first?.rule)
            let snake = name.flatMap { $0.isUppercase ? "_" + $0.lowercased() : String($0) }
            #expect(rule.code.rawValue == String(snake))
        }
    }

    @Test func `a failure carries what its sentence needs`() {
        let values = FormValues()
        let text = "12345678".utf8Span
        #expect(
            MinLengthRule(9).check(text, in: values) == RuleFailure(code: .minLength, values: ["minimum": .integer(9)]))
        #expect(
            MaxLengthRule(7).check(text, in: values) == RuleFailure(code: .maxLength, values: ["maximum": .integer(7)]))
        #expect(
            ConfirmationRule(field: "password").check(text, in: values)
                == RuleFailure(code: .confirmation, values: ["other": .text("password")]))
    }
}
