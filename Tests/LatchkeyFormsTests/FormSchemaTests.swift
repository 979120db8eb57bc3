import LatchkeyForms
import TestSupport
import Testing

/// The JSON Schema and the decoder of descriptions agree.
@Suite(.timeLimit(.minutes(60)))
struct FormSchemaTests {
    private let schema: JSONSchema

    init() throws { schema = JSONSchema(root: try JSONReader.read(FormCatalogue.schema).value) }

    @Test(arguments: ["login", "setup", "forgot-password", "reset-password", "change-password"])
    func `a shipped form is valid according to the schema`(name: String) throws {
        let form = try JSONReader.read(SourceTree.contents(of: "Forms/\(name).json")).value
        #expect(try schema.accepts(form))
        #expect(form["$schema"]?.string == "form.schema.json")
    }

    /// Only the decoder detects clashes of fields, references between fields, and reserved names. The same applies to
    /// contradictory bounds, invalid dates, the notation of numbers, RE2 syntax, and fields that do not fit another
    /// form.
    private static let beyondSchema: Set = [
        "duplicate", "no_such_field", "refers_to_itself", "reserved", "too_large", "out_of_order", "described_twice",
        "repeats_in_circle", "repeats_secret", "not_a_date", "exponent", "bad_pattern", "pattern_too_large",
        "not_one_class", "rule_not_for_kind", "key_not_for_kind", "kind_needs_options", "separator_in_option",
        "not_an_option", "bad_default", "too_few_options", "not_an_earlier_field", "depends_on_secret", "page_apart",
        "page_too_late", "login_refuses_addresses", "profile_requires_username",
    ]

    private static func isBeyondSchema(_ code: String) -> Bool {
        beyondSchema.contains(String(code.dropFirst("description.".count)))
    }

    @Test(arguments: try Fixture.rows(of: FormDescriptionTests.Row.self, in: "descriptions/malformed.jsonl"))
    func `the schema refuses the errors that it can detect like the decoder`(row: FormDescriptionTests.Row) throws {
        guard let form = try? JSONReader.read(row.bytes).value else { return }
        if Self.isBeyondSchema(row.code), row.values?["key"]?.text != "link" { return }
        // A schema cannot detect that an integer is written with a point or an exponent.
        if row.values?["expected"]?.text == "integer", row.rule?.contains(/[0-9](\.0|[eE])/) == true { return }
        #expect(try !schema.accepts(form), "\(row.why)")
    }

    @Test func `the schema accepts every rule that the decoder accepts`() throws {
        for name in RuleRegistry.standard.names {
            for row in try JSONLines.rows(in: "rules/\(name).jsonl") {
                let rule = JSONValue.object([("rule", .string(name))] + (row["arguments"]?.members ?? []))
                let form = Trial.description(fields: [Trial.field("value", rules: [rule])])
                #expect(try schema.accepts(form), "\(rule.encoded)")
            }
        }
    }

    /// Thousands of nearly valid descriptions. The schema and the decoder must refuse the same ones.
    @Test func `the schema and the decoder agree on randomly changed descriptions`() throws {
        var random = SeededGenerator(seed: 4)
        let forms =
            try ["login", "setup", "forgot-password", "reset-password", "change-password"].map {
                try JSONReader.read(SourceTree.contents(of: "Forms/\($0).json")).value
            }
            + ["every-kind", "lengths", "across", "texts"].map {
                try JSONReader.read(Array(Fixture.contents(of: "forms/\($0).json"))).value
            }
        let scraps = forms.flatMap(\.parts) + [.null, .bool(true), .integer(-1), .string(""), .array([]), .object([])]
        let keys = Set(scraps.flatMap { ($0.members ?? []).map(\.key) }).sorted()
        var refused = 0
        for _ in 0..<600 {
            var form = forms.randomElement(using: &random) ?? .null
            for _ in 0..<Int.random(in: 1...2, using: &random) {
                form = form.changed(by: &random, scraps, keys)
            }
            let isValid = try schema.accepts(form)
            do throws(FormDescriptionError) {
                _ = try FormCatalogue.form(of: .init(file: "trial.json", bytes: Array(form.encoded.utf8)))
                #expect(isValid, "\(form.encoded)")
            } catch {
                refused += 1
                if !Self.isBeyondSchema(error.problem.code) {
                    #expect(!isValid, "\(error.problem.code) \(error.problem.values): \(form.encoded)")
                }
            }
        }
        #expect(100...550 ~= refused, "both verdicts must occur")
    }

    @Test func `the schema describes every key and every rule`() throws {
        let root = schema.root
        let rules = (root["$defs"]?["rule"]?["oneOf"]?.elements ?? []).compactMap { $0["properties"] }
        let keys = ([root["properties"], root["$defs"]?["field"]?["properties"]].compactMap(\.self) + rules)
            .flatMap { $0.members ?? [] }.filter { $0.key != "rule" }
        let names = rules.compactMap { $0["rule"] }.flatMap { $0["oneOf"]?.elements ?? [$0] }
        for (key, value) in keys + names.map({ ($0["const"]?.string ?? "", $0) }) {
            #expect(value["description"]?.string?.hasSuffix(".") == true, "\(key)")
        }
    }

    @Test func `an omitted key has the default value in the schema`() throws {
        let text = #"{"form":"t","title":"T","submit":"S","fields":[{"apiKey":"a","placeholder":"A"}]}"#
        let form = try Trial.form("t", text)
        let field = try #require(form.fields[0] as? any FormTextField)
        let properties = schema.root["$defs"]?["field"]?["properties"]?.members ?? []
        let defaults: [String: JSONValue] = [
            "keyboardType": .string(field.keyboardType.rawValue), "textColor": .string(field.textColor.rawValue),
            "secret": .bool(field.isSecret), "confirm": .bool(field.confirms), "optional": .bool(field.isOptional),
            "trim": .bool(field.trims),
            "rules": .array(field.validationRules.map { .object([("rule", .string($0.code.rawValue))]) }),
        ]
        for (key, value) in properties { #expect(value["default"] == defaults[key], "\(key)") }
        #expect(schema.root["properties"]?["links"]?["default"] == .array(form.links.map { .string($0.rawValue) }))
    }

    @Test func `the decoder and the schema have the same keys for a form`() throws {
        let known = try keys(
            known: #"{"form":"t","title":"T","submit":"S","fields":[{"apiKey":"a","placeholder":"A"}],"?":1}"#)
        #expect(known == schema.root.keys)
    }

    @Test func `the decoder and the schema have the same keys for a field`() throws {
        let known = try keys(known: trial(field: #"{"apiKey":"a","placeholder":"A","?":1}"#))
        #expect(known == schema.root["$defs"]?["field"]?.keys)
    }

    @Test func `the decoder and the schema have the same rules and arguments`() throws {
        let described = schema.root["$defs"]?["rule"]?["oneOf"]?.elements ?? []
        let arguments = [
            "length": "1", "field": "\"b\"", "values": "[\"b\"]", "text": "\"b\"", "pattern": "\"x\"",
            "allowed": "\"[x]\"", "score": "3", "country": "\"GB\"",
        ]
        var names: [String] = []
        for rule in described {
            let required = (rule["required"]?.elements ?? []).compactMap(\.string).filter { $0 != "rule" }
            let given = required.map { ",\"\($0)\":\(arguments[$0] ?? "null")" }.joined()
            for name in try #require(rule["properties"]?["rule"]).constants {
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
    func `the decoder and the schema accept the same names for a key`(member: String, path: [String]) throws {
        let text =
            path[0] == "$defs"
            ? trial(field: "{\"apiKey\":\"a\",\"placeholder\":\"A\",\(member)}")
            : "{\"form\":\"t\",\"title\":\"T\",\"submit\":\"S\",\(member)}"
        let listed = path.reduce(schema.root) { $0[$1] ?? .null }["enum"]?.elements?.compactMap(\.string)
        #expect(try problem(of: text).values["allowed"] == listed.map { .text($0.joined(separator: ", ")) })
    }

    @Test func `the decoder and the schema have the same bounds`() throws {
        let maximum = try problem(of: trial(rule: #"{"rule":"minLength","length":-1}"#)).values
        let length = schema.root["$defs"]?["rule"]?["oneOf"]?.elements?[1]["properties"]?["length"]
        #expect(maximum["minimum"] == length?["minimum"]?.integer.map { .integer($0) })
        #expect(maximum["maximum"] == length?["maximum"]?.integer.map { .integer($0) })
        #expect(FormCatalogue.schema.count < 32_768, "the schema is embedded as a literal")
    }

    private func trial(rule: String) -> String {
        trial(
            field:
                "{\"apiKey\":\"a\",\"placeholder\":\"A\",\"rules\":[\(rule)]},{\"apiKey\":\"b\",\"placeholder\":\"B\"}")
    }

    private func trial(field: String) -> String {
        "{\"form\":\"t\",\"title\":\"T\",\"submit\":\"S\",\"fields\":[\(field)]}"
    }

    /// The keys that the decoder lists when it refuses an unknown one.
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

    /// The constants that a schema allows.
    fileprivate var constants: [String] { (self["oneOf"]?.elements ?? [self]).compactMap { $0["const"]?.string } }

    /// A copy with one part removed, replaced or added at a random place.
    fileprivate func changed(
        by random: inout SeededGenerator, _ scraps: [JSONValue], _ keys: [String]
    ) -> JSONValue {
        let scrap = scraps.randomElement(using: &random) ?? .null
        switch self {
        case .object(var members):
            let index = members.indices.randomElement(using: &random)
            switch (Int.random(in: 0..<10, using: &random), index) {
            case (0, let index?): members.remove(at: index)
            case (1, let index?): members[index].value = scrap
            case (2, _):
                let key = keys.randomElement(using: &random) ?? "?"
                if !members.contains(where: { $0.key == key }) { members.append((key, scrap)) }
            case (_, let index?): members[index].value = members[index].value.changed(by: &random, scraps, keys)
            case (_, nil): break
            }
            return .object(members)
        case .array(var elements):
            let index = elements.indices.randomElement(using: &random)
            switch (Int.random(in: 0..<10, using: &random), index) {
            case (0, let index?): elements.remove(at: index)
            case (1, _): elements.append(scrap)
            case (_, let index?): elements[index] = elements[index].changed(by: &random, scraps, keys)
            case (_, nil): break
            }
            return .array(elements)
        case .null, .bool, .integer, .number, .string: return scrap
        }
    }
}
