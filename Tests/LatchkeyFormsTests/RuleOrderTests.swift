import LatchkeyForms
import Testing

/// Rules that a kind of field adds, and several rules of one field.
@Suite(.timeLimit(.minutes(60)))
struct RuleOrderTests {
    private func message(_ value: String, _ field: String) throws -> String? {
        let text = #"{"form":"trial","title":"A trial","submit":"Go","fields":["# + field + "]}"
        let model = FormViewModel(form: try FormCatalogue.form(of: .init(file: "trial", text: text)))
        let field = try #require(model.fields.first)
        model.set(.text(value), for: field.apiKey)
        _ = model.validateForm()
        return model.state.fields.first?.message
    }

    @Test(
        arguments: [
            ("tomorrow", "Enter a date, such as 2026-01-31"), ("2026-12-25", "Choose a working day"),
            ("2026-12-28", nil),
        ] as [(String, String?)])
    func `the format of a date is checked before its other rules`(value: String, expected: String?) throws {
        let field =
            #"{"apiKey":"day","label":"Day","kind":"date","rules":[{"rule":"noneOf","values":["tomorrow","2026-12-25"],"#
            + #""message":"Choose a working day"}]}"#
        #expect(try message(value, field) == expected)
    }

    @Test(
        arguments: [
            ("x", "Size must be one of: s (Small), l (Large)"), ("l", "Size must be one of: s"), ("s", nil),
        ] as [(String, String?)])
    func `the message of a refused choice lists the values of the rule that refuses it`(
        value: String, expected: String?
    ) throws {
        let field =
            #"{"apiKey":"size","label":"Size","kind":"choice","labels":{"s":"Small","l":"Large"},"#
            + #""rules":[{"rule":"oneOf","values":["s","l"]},{"rule":"oneOf","values":["s"]}]}"#
        #expect(try message(value, field) == expected)
    }
}
