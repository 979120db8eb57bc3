import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

/// The JSON Schema of a form's values.
@Suite(.timeLimit(.minutes(60)))
struct FormValueSchemaTests {
    private static func source(_ name: String) throws -> FormCatalogue.Source {
        FormCatalogue.Source(file: name, bytes: try Array(Fixture.contents(of: name)))
    }

    private static func catalogue() throws -> FormCatalogue {
        try FormCatalogue(
            replacedBy: ["every-kind", "lengths", "across", "texts"].map { try source("forms/\($0).json") })
    }

    /// The form's verdict; nil if a value has another type than its field.
    private static func isValid(_ members: [(key: String, value: JSONValue)], for form: Form) -> Bool? {
        var values = FormValues()
        for (key, json) in members {
            guard let field = form.field(FieldKey(rawValue: key)), let value = FieldValue(json) else { return nil }
            values.set(value, for: field)
        }
        form.fillDefaults(&values)
        return form.failures(of: values).isEmpty
    }

    /// Counts the values that a form accepts, and those that its schema refuses.
    private static func compare(_ rows: [(values: [(key: String, value: JSONValue)], form: Form)]) throws -> (
        accepted: Int, refused: Int
    ) {
        var (accepted, refused) = (0, 0)
        for (values, form) in rows {
            let isAccepted = try JSONSchema(root: form.valueSchema()).accepts(.object(values))
            if !isAccepted { refused += 1 }
            guard Self.isValid(values, for: form) == true else { continue }
            accepted += 1
            #expect(isAccepted, "\(form.id): \(JSONValue.object(values).encoded)")
        }
        return (accepted, refused)
    }

    @Test func `the schema accepts every value that a form accepts`() throws {
        let catalogue = try Self.catalogue()
        var answers: [String: [(key: String, value: JSONValue)]] = [:]
        for row in try JSONLines.rows(in: "forms/answers.jsonl") {
            answers[row["form"]?.string ?? ""] = row["values"]?.members ?? []
        }
        var rows: [(values: [(key: String, value: JSONValue)], form: Form)] = []
        for row in try JSONLines.rows(in: "forms/cases.jsonl") {
            let form = try #require(catalogue[row["form"]?.string ?? ""])
            let given = row["values"]?.members ?? []
            let others = (answers[form.id] ?? []).filter { answer in !given.contains { $0.key == answer.key } }
            rows.append((given + others, form))
            // Only the given values, so that other fields are missing.
            rows.append((given, form))
        }
        let (accepted, refused) = try Self.compare(rows)
        #expect(accepted > 50)
        #expect(refused > 50)
    }

    @Test func `the schema accepts every kind of value that a form accepts`() throws {
        let form = try FormCatalogue.form(of: Self.source("kinds/form.json"))
        let own: [(key: String, value: JSONValue)] = [
            ("username", .string("ada")), ("email_field", .string("ada@example.org")),
            ("password", .string("lemon yellow bicycle")),
        ]
        let rows = try JSONLines.rows(in: "kinds/cases.jsonl").compactMap { row in
            row["json"]?.members.map { members in
                (values: own + members.map { ($0.key == "topic" ? "topics" : $0.key, $0.value) }, form: form)
            }
        }
        let (accepted, refused) = try Self.compare(rows)
        #expect(accepted > 10)
        #expect(refused > 3)
    }

    @Test func `the schema has types, lengths, options and required fields`() throws {
        let schema = try #require(try Self.catalogue()["everyKind"]).valueSchema()
        #expect(schema["required"]?.elements?.compactMap(\.string) == ["nickname", "mail", "size", "door_code"])
        #expect(schema["additionalProperties"] == .bool(false))
        let properties = try #require(schema["properties"])
        #expect(properties["nickname"]?["minLength"]?.integer == 2)
        // A form trims a value before it counts its length, and a character can have several code points.
        #expect(properties["nickname"]?["maxLength"]?.integer == 1024)
        #expect(properties["size"]?["anyOf"]?.elements?.first?["enum"] == .array(["S", "M", "L"].map { .string($0) }))
        #expect(properties["door_code"]?["writeOnly"] == .bool(true))
        #expect(properties["door_code"]?["minLength"]?.integer == 1)
        #expect(properties["hint"]?["minLength"] == nil)
    }

    @Test func `the schema of a request accepts an address under either name, once`() throws {
        let catalogue = try FormCatalogue()
        let address: [(key: String, value: JSONValue)] = [("email_field", .string("ada@example.org"))]
        let other: [(key: String, value: JSONValue)] = [("email", .string("ada@example.org"))]
        let schema = JSONSchema(root: catalogue.form(for: .forgotPassword).valueSchema(isRequest: true))
        #expect(try schema.accepts(.object(address)))
        #expect(try schema.accepts(.object(other)))
        #expect(try !schema.accepts(.object(address + other)))
        #expect(try !schema.accepts(.object([])))
        let profile = JSONSchema(root: catalogue.form(for: .profile).valueSchema(isRequest: true))
        #expect(try profile.accepts(.object(other)))
        #expect(try !JSONSchema(root: catalogue.form(for: .forgotPassword).valueSchema()).accepts(.object(other)))
        // A form with a field of that name means that field.
        let own = try #require(try Self.catalogue()["everyKind"]).valueSchema(isRequest: true)
        #expect(own["oneOf"] == nil)
    }

    @Test func `the schema of a profile requires no field, and that of a login does not limit lengths`() throws {
        let catalogue = try FormCatalogue()
        #expect(catalogue.form(for: .profile).valueSchema()["required"] == nil)
        let login = catalogue.form(for: .login).valueSchema()
        #expect(login["required"]?.elements?.count == 2)
        #expect(login["properties"]?["password"]?["maxLength"] == nil)
        let setup = catalogue.form(for: .setup).valueSchema { !$0.isSecret }
        #expect(setup["required"]?.elements?.compactMap(\.string) == ["email_field", "username"])
    }
}
