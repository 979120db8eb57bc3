import LatchkeyForms
import TestSupport
import Testing

/// What `docs/forms.md` says is so.
struct DocumentationTests {
    private let text: String

    init() throws { text = String(decoding: try SourceTree.contents(of: "docs/forms.md"), as: UTF8.self) }

    @Test func `every rule of the table accepts and refuses what it says`() throws {
        var told: Set<String> = []
        let rows = text.matches(of: /\n\| `(\{"rule".*?\})` \| `(".*?")` \| `(".*?")` \|/)
        for row in rows {
            let rule = try JSONReader.read(Array(row.output.1.utf8)).value
            told.insert(rule["rule"]?.string ?? "")
            let form = try Trial.form(fields: [Trial.field("value", rules: [rule]), Trial.field("other", rules: [])])
            #expect(try failures(of: row.output.2, in: form).isEmpty, "\(row.output.1)")
            #expect(try failures(of: row.output.3, in: form).map(\.field) == ["value"], "\(row.output.1)")
        }
        #expect(told.sorted() == RuleRegistry.standard.names)
    }

    @Test func `every key of the tables is one that a description may have, and none is left out`() throws {
        let schema = try JSONReader.read(FormCatalogue.schema).value
        let keys = [schema, schema["$defs"]?["field"] ?? .null].flatMap { ($0["properties"]?.members ?? []).map(\.key) }
        let told = text.matches(of: /\n\| `([$\w]+)` \| (?:string|array|true or false) \|/).map { String($0.output.1) }
        #expect(told.sorted() == keys.sorted())
    }

    @Test func `every description in it is sound`() throws {
        let blocks = text.matches(of: /```json\n([\s\S]*?)```/).map { String($0.output.1) }
        #expect(blocks.count == 2)
        let field = try JSONReader.read(Array(blocks[0].utf8)).value
        #expect(try Trial.form(fields: [field]).fields[0].flag == "company")
        #expect(try Trial.form("login", blocks[1]).links == [.setup, .forgotPassword])
    }

    @Test func `what each flow needs is what it says`() throws {
        for type in AccountType.allCases {
            let form = try FormCatalogue().form(for: type)
            let needed = form.fields.map { "`\($0.apiKey.rawValue)`" }.joined(separator: ", ")
            #expect(text.contains("| `\(type.rawValue)` | \(needed) |"))
        }
    }

    /// - Parameter value: as a JSON string, for not every value can be seen.
    private func failures(of value: Substring, in form: Form) throws -> [RuleFailure] {
        let value = try #require(try JSONReader.read(Array(value.utf8)).value.string)
        let values = try filled(form, ["value": value, "other": "the other"])
        return form.failures(of: values)
    }
}
