import LatchkeyForms
import TestSupport
import Testing

/// A custom rule as in `docs/forms.md`: one file, a name, and a sentence.
@Suite(.timeLimit(.minutes(60)))
struct OwnRuleTests {
    private let document: String

    init() throws { document = String(decoding: try SourceTree.contents(of: "docs/forms.md"), as: UTF8.self) }

    private func catalogue(_ rule: String) throws -> (FormCatalogue, MessageTable) {
        let field = #"{ "apiKey": "serial", "placeholder": "Serial", "rules": [\#(rule)] }"#
        let text = #"{ "form": "order", "title": "Order", "submit": "Order", "fields": [\#(field)] }"#
        let sources = [FormCatalogue.Source(file: "order.json", bytes: Array(text.utf8))]
        // docs/forms.md:
        var rules = RuleRegistry.standard
        rules.register(StartsWithRule.self)
        let forms = try FormCatalogue(replacedBy: sources, rules: rules)
        let messages = MessageTable.english.adding(["rule.starts_with": "{field} must start with {start}"])
        // docs/forms.md.
        return (forms, messages)
    }

    private func message(_ text: String, _ rule: String) throws -> String? {
        let (forms, messages) = try catalogue(rule)
        let model = FormViewModel(form: try #require(forms["order"]), messages: messages)
        model.set(text.utf8Span, for: "serial")
        model.validateForm()
        #expect(model.state.fields[0].failure?.code.rawValue == (model.state.isValid ? nil : "starts_with"))
        return model.state.fields[0].message
    }

    @Test func `a custom rule can be used in a description and has its own sentence`() throws {
        let rule = #"{ "rule": "startsWith", "start": "LK-" }"#
        #expect(try message("LK-4711", rule) == nil)
        #expect(try message("lk-4711", rule) == "Serial must start with LK-")
        #expect(try message("", rule) == "Serial must start with LK-")
        let worded = #"{ "rule": "startsWith", "start": "LK-", "message": "Not one of ours: {start}" }"#
        #expect(try message("4711", worded) == "Not one of ours: LK-")
    }

    @Test(arguments: [
        (#"{ "rule": "startsWith" }"#, "description.missing_key"),
        (#"{ "rule": "startsWith", "start": 1 }"#, "description.wrong_type"),
        (#"{ "rule": "startsWith", "start": "LK-", "end": "x" }"#, "description.unknown_key"),
    ])
    func `the arguments of a custom rule are checked strictly`(rule: String, code: String) throws {
        let error = #expect(throws: FormDescriptionError.self) { try catalogue(rule) }
        #expect(error?.problem.code == code && error?.place.line == 1)
    }

    @Test func `a rule that is not registered is unknown`() {
        let text = Trial.description(fields: [Trial.field("a", rules: [.object([("rule", .string("startsWith"))])])])
        let source = FormCatalogue.Source(file: "order.json", bytes: Array(text.encoded.utf8))
        let error = #expect(throws: FormDescriptionError.self) { try FormCatalogue(replacedBy: [source]) }
        #expect(error?.problem.code == "description.unknown_name")
    }

    @Test func `the rule matches the code in the document`() throws {
        let blocks = document.matches(of: /```swift\n([\s\S]*?)```/).map { String($0.output.1) }
        try #require(blocks.count >= 2)
        let folder = "Tests/LatchkeyFormsTests/OwnRule/"
        #expect(
            try blocks[0] == String(decoding: SourceTree.contents(of: folder + "StartsWithRule.swift"), as: UTF8.self))
        let tests = String(decoding: try SourceTree.contents(of: folder + "OwnRuleTests.swift"), as: UTF8.self)
        let shown = try #require(tests.firstMatch(of: /docs\/forms.md:\n([\s\S]*?) *\/\/ docs\/forms.md\.\n/)).output.1
        #expect(
            blocks[1] == shown.split(separator: "\n").map { $0.trimmingPrefix(while: \.isWhitespace) + "\n" }.joined())
    }
}
