import LatchkeyForms
import TestSupport
import Testing

/// Holds the schema and the decoder together: what one of them knows, so does the other.
struct FormSchemaTests {
    private let schema: JSONSchema

    init() throws { schema = JSONSchema(root: try JSONReader.read(FormCatalogue.schema).value) }

    @Test(arguments: ["login", "setup", "forgot-password", "reset-password", "change-password"])
    func `a shipped form is valid by the schema`(name: String) throws {
        let form = try JSONReader.read(SourceTree.contents(of: "Forms/\(name).json")).value
        #expect(try schema.accepts(form))
        #expect(form["$schema"]?.string == "form.schema.json")
    }

    @Test(arguments: try Fixture.rows(of: FormDescriptionTests.Row.self, in: "descriptions/malformed.jsonl"))
    func `what the decoder refuses the schema refuses, where one place tells`(row: FormDescriptionTests.Row) throws {
        guard let form = try? JSONReader.read(row.bytes).value else { return }
        // Fields that clash, references between them, and names that commands have taken are for the decoder alone; so
        // are bounds that nothing lies between, days that no calendar has, how a number is written, and what RE2 takes.
        let beyond = [
            "duplicate", "no_such_field", "refers_to_itself", "missing_field", "reserved", "too_large", "out_of_order",
            "described_twice", "repeats_in_circle", "repeats_secret", "not_a_date", "exponent", "bad_pattern",
            "pattern_too_large", "not_one_class",
        ]
        if beyond.contains(String(row.code.dropFirst("description.".count))), row.values?["key"]?.text != "link" {
            return
        }
        #expect(try !schema.accepts(form), "\(row.why)")
    }

    @Test func `the keys of a form are those of the schema`() throws {
        let known = try keys(
            known: #"{"form":"t","title":"T","submit":"S","fields":[{"apiKey":"a","placeholder":"A"}],"?":1}"#)
        #expect(known == schema.root.keys)
    }

    @Test func `the keys of a field are those of the schema`() throws {
        let known = try keys(known: trial(field: #"{"apiKey":"a","placeholder":"A","?":1}"#))
        #expect(known == schema.root["$defs"]?["field"]?.keys)
    }

    @Test func `the rules and their arguments are those of the schema`() throws {
        let described = schema.root["$defs"]?["rule"]?["oneOf"]?.elements ?? []
        let arguments = [
            "length": "1", "field": "\"b\"", "values": "[\"b\"]", "text": "\"b\"", "pattern": "\"x\"",
            "allowed": "\"[x]\"",
        ]
        var names: [String] = []
        for rule in described {
            let required = (rule["required"]?.elements ?? []).compactMap(\.string).filter { $0 != "rule" }
            let given = required.map { ",\"\($0)\":\(arguments[$0] ?? "null")" }.joined()
            for name in (rule["properties"]?["rule"]?["enum"]?.elements ?? []).compactMap(\.string) {
                names.append(name)
                let known = try keys(known: trial(rule: "{\"rule\":\"\(name)\"\(given),\"?\":1}"))
                #expect(known == rule.keys, "\(name)")
                for missing in required {
                    #expect(try problem(of: trial(rule: "{\"rule\":\"\(name)\"}")).values["key"] == .text(missing))
                }
            }
        }
        #expect(names.sorted() == RuleRegistry.standard.names)
    }

    @Test(arguments: [
        ("\"links\":[\"?\"]", ["properties", "links", "items"]),
        ("\"keyboardType\":\"?\"", ["$defs", "field", "properties", "keyboardType"]),
        ("\"textColor\":\"?\"", ["$defs", "field", "properties", "textColor"]),
    ])
    func `the names that a key may have are those of the schema`(member: String, path: [String]) throws {
        let text =
            path[0] == "$defs"
            ? trial(field: "{\"apiKey\":\"a\",\"placeholder\":\"A\",\(member)}")
            : "{\"form\":\"t\",\"title\":\"T\",\"submit\":\"S\",\(member)}"
        let listed = path.reduce(schema.root) { $0[$1] ?? .null }["enum"]?.elements?.compactMap(\.string)
        #expect(try problem(of: text).values["allowed"] == listed.map { .text($0.joined(separator: ", ")) })
    }

    @Test func `the bounds are those of the schema`() throws {
        let maximum = try problem(of: trial(rule: #"{"rule":"minLength","length":-1}"#)).values
        let length = schema.root["$defs"]?["rule"]?["oneOf"]?.elements?[1]["properties"]?["length"]
        #expect(maximum["minimum"] == length?["minimum"]?.integer.map { .integer($0) })
        #expect(maximum["maximum"] == length?["maximum"]?.integer.map { .integer($0) })
        #expect(FormCatalogue.schema.count < 12_288, "it is embedded as a literal")
    }

    private func trial(rule: String) -> String {
        trial(
            field:
                "{\"apiKey\":\"a\",\"placeholder\":\"A\",\"rules\":[\(rule)]},{\"apiKey\":\"b\",\"placeholder\":\"B\"}")
    }

    private func trial(field: String) -> String {
        "{\"form\":\"t\",\"title\":\"T\",\"submit\":\"S\",\"fields\":[\(field)]}"
    }

    /// What the decoder says that it knows, when it is given a key that it does not.
    private func keys(known text: String) throws -> Set<String> {
        let problem = try problem(of: text)
        #expect(problem.code == "description.unknown_key")
        guard case .text(let allowed) = problem.values["allowed"] else { return [] }
        return Set(allowed.split(separator: ", ").map(String.init))
    }

    private func problem(of text: String) throws -> FormDescriptionError.Problem {
        let source = FormCatalogue.Source(file: "trial.json", bytes: Array(text.utf8))
        let error = #expect(throws: FormDescriptionError.self) { try FormCatalogue(replacedBy: [source]) }
        return try #require(error).problem
    }
}

extension FormDescriptionTests.Row.Value {
    fileprivate var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }
}

extension JSONValue {
    fileprivate var keys: Set<String> { Set((self["properties"]?.members ?? []).map(\.key)) }
}
