import TestSupport
import Testing

@testable import LatchkeyForms

/// Checks that `docs/forms.md` is correct.
@Suite(.timeLimit(.minutes(60)))
struct DocumentationTests {
    private let text: String

    init() throws { text = String(decoding: try SourceTree.contents(of: "docs/forms.md"), as: UTF8.self) }

    @Test func `every rule accepts and refuses its documented examples`() throws {
        var documented: Set<String> = []
        let rows = text.matches(of: /\n\| `(\{"rule".*?\})` \| `(".*?")` \| `(".*?")` \|/)
        for row in rows {
            let rule = try JSONReader.read(Array(row.output.1.utf8)).value
            documented.insert(rule["rule"]?.string ?? "")
            let form = try Trial.form(fields: [Trial.field("value", rules: [rule]), Trial.field("other", rules: [])])
            #expect(try failures(of: row.output.2, in: form).isEmpty, "\(row.output.1)")
            #expect(try failures(of: row.output.3, in: form).map(\.field) == ["value"], "\(row.output.1)")
        }
        #expect(documented.sorted() == RuleRegistry.standard.names)
    }

    @Test func `the tables in the document list exactly the keys of a description`() throws {
        let schema = try JSONReader.read(FormCatalogue.schema).value
        let keys = [schema, schema["$defs"]?["field"] ?? .null].flatMap { ($0["properties"]?.members ?? []).map(\.key) }
        let documented = text.matches(of: /\n\| `([$\w]+)` \| (?:string|array|object|number|any|true or false) \|/).map
        {
            String($0.output.1)
        }
        #expect(documented.sorted() == keys.sorted())
    }

    @Test func `every description in the document is valid`() throws {
        let blocks = text.matches(of: /```json\n([\s\S]*?)```/).map { String($0.output.1) }
        #expect(blocks.count == 2)
        let field = try JSONReader.read(Array(blocks[0].utf8)).value
        #expect(try Trial.form(fields: [field]).fields[0].flag == "company")
        #expect(try Trial.form("login", blocks[1]).links == [.setup, .forgotPassword])
    }

    @Test func `the document lists the required fields of each flow`() {
        for type in AccountType.allCases {
            let needed = type.traits.requiredFields().map { "`\($0.rawValue)`" }.joined(separator: ", ")
            #expect(text.contains("| `\(type.rawValue)` | \(needed) |"))
        }
    }

    /// - Parameter value: a JSON string, because some values are invisible.
    private func failures(of value: Substring, in form: Form) throws -> [RuleFailure] {
        let value = try #require(try JSONReader.read(Array(value.utf8)).value.string)
        let values = try filled(form, ["value": value, "other": "the other"])
        return form.failures(of: values)
    }
}
