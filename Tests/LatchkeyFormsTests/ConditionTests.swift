import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

/// Fields whose condition depends on a field that is hidden itself.
@Suite(.timeLimit(.minutes(60)))
struct ConditionTests {
    /// Each field depends on the one before it. A boolean without input counts as false.
    private static let chain = """
        {"form": "chain", "title": "Chain", "submit": "Go", "fields": [
            {"apiKey": "company", "kind": "boolean", "label": "Company"},
            {"apiKey": "taxed", "kind": "boolean", "label": "Taxed", "when": {"field": "company", "is": true}},
            {"apiKey": "reason", "label": "Reason", "when": {"field": "taxed", "is": false},
                "rules": [{"rule": "oneOf", "values": ["small", "other"]}]},
            {"apiKey": "detail", "label": "Detail", "when": {"field": "reason", "is": "other"},
                "rules": [{"rule": "minLength", "length": 3}]}
        ]}
        """

    /// A model with a value in every field.
    private func model(
        company: Bool, taxed: Bool, reason: String = "other", detail: String = "x"
    ) throws -> FormViewModel {
        let model = FormViewModel(form: try Trial.form("chain", Self.chain))
        model.set(.boolean(company), for: "company")
        model.set(.boolean(taxed), for: "taxed")
        model.set(.text(reason), for: "reason")
        model.set(.text(detail), for: "detail")
        return model
    }

    struct Case: CustomTestStringConvertible {
        let company: Bool
        let taxed: Bool
        let reason: String
        let hidden: [FieldKey]
        var testDescription: String { "\(company) \(taxed) \(reason)" }
    }

    private static let cases: [Case] = [
        // The value false of a hidden field meets no condition.
        Case(company: false, taxed: false, reason: "other", hidden: ["taxed", "reason", "detail"]),
        // Nor does the value true.
        Case(company: false, taxed: true, reason: "other", hidden: ["taxed", "reason", "detail"]),
        Case(company: true, taxed: true, reason: "other", hidden: ["reason", "detail"]),
        Case(company: true, taxed: false, reason: "small", hidden: ["detail"]),
        Case(company: true, taxed: false, reason: "other", hidden: []),
    ]

    @Test(arguments: cases)
    func `a field is hidden if the field that it depends on is hidden, whatever that contains`(row: Case) throws {
        let model = try model(company: row.company, taxed: row.taxed, reason: row.reason)
        #expect(model.hiddenFields == Set(row.hidden))
        let all: [FieldKey] = ["company", "taxed", "reason", "detail"]
        #expect(model.state.fields.map(\.key) == all.filter { !row.hidden.contains($0) })
    }

    @Test(arguments: cases)
    func `a hidden field is neither checked nor stored`(row: Case) throws {
        let model = try model(company: row.company, taxed: row.taxed, reason: row.reason)
        // The detail is too short where it is asked.
        let failures = model.validateForm().failures
        #expect(failures.map(\.field) == (row.hidden.contains("detail") ? [] : ["detail"]))
        model.set(.text("long enough"), for: "detail")
        model.validateForm()
        let attributes = try #require(model.takeCredentials()).attributes
        for key in row.hidden { #expect(attributes[key.rawValue] == nil, "\(key.rawValue)") }
        #expect((attributes["detail"] != nil) == !row.hidden.contains("detail"))
    }

    @Test func `a field that appears again has kept its value`() throws {
        let model = try model(company: true, taxed: false, detail: "kept")
        model.set(.boolean(false), for: "company")
        #expect(model.state.fields.map(\.key) == ["company"])
        model.set(.boolean(true), for: "company")
        #expect(model.state.fields.last?.text == .plain("kept"))
    }

    @Test func `an update removes the values of all hidden fields`() throws {
        let model = try model(company: false, taxed: false)
        model.validateForm()
        let attributes = try #require(model.takeCredentials()).attributesWithEmpty
        for key in ["taxed", "reason", "detail"] { #expect(attributes[key] == .text(""), "\(key)") }
    }
}
