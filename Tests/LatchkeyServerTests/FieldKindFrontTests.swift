import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyServer
import TestSupport
import Testing

/// Every kind of field through the API and the pages, with the same table as the other fronts.
@Suite(.timeLimit(.minutes(60)))
struct FieldKindFrontTests {
    private struct Row {
        let why: String
        let values: [(key: String, value: JSONValue)]
        let stored: JSONValue?
        let failure: JSONValue?
    }

    private static func rows() throws -> [Row] {
        try Fixture.contents(of: "kinds/cases.jsonl").split(separator: UInt8(ascii: "\n")).compactMap { bytes in
            let line = try #require(JSONValue(line: bytes))
            guard case .object(let members)? = line["json"] else { return nil }
            // Imports also accept singular forms.
            let values = members.map { (key: $0.key == "topic" ? "topics" : $0.key, value: $0.value) }
            return Row(
                why: line["why"]?.string ?? "", values: values, stored: line["stored"], failure: line["failure"])
        }
    }

    private static func world() throws -> ServiceWorld {
        let bytes = try Array(Fixture.contents(of: "kinds/form.json"))
        return try ServiceWorld(forms: [FormCatalogue.Source(file: "setup.json", bytes: bytes)]) {
            $0.budgets.signUps = 1000
            $0.budgets.changes = 1000
        }
    }

    private static func own(_ number: Int) -> [(key: String, value: JSONValue)] {
        [
            ("username", .string("u\(number)")), ("email_field", .string("u\(number)@example.org")),
            ("password", .string(World.password)),
        ]
    }

    @Test func `the API gives the verdicts in the table for every kind of field`() async throws {
        let world = try Self.world()
        let rows = try Self.rows()
        #expect(rows.count > 20)
        for (number, row) in rows.enumerated() {
            let body = JSONValue.object([("values", .object(Self.own(number) + row.values))]).encoded
            let response = try await world.send("POST", "/api/v1/flows/setup", body)
            if row.failure?["code"]?.string?.hasPrefix("not_") == true {
                #expect(response.status == 400 || response.status == 422, "\(row.why): \(response.text)")
            } else if let failure = row.failure {
                #expect(response.status == 422, "\(row.why): \(response.text)")
                #expect(try response.json["errors"]?.elements?.first?["code"] == failure["code"], "\(row.why)")
            } else {
                #expect(
                    try response.json["account"]?["attributes"]?.fieldValues == row.stored?.fieldValues, "\(row.why)")
            }
        }
    }

    @Test func `the sign-up page gives the verdicts in the table for every kind of field`() async throws {
        let world = try Self.world()
        for (number, row) in try Self.rows().enumerated() {
            // A page cannot send another type, and its script omits hidden fields.
            if row.failure?["code"]?.string?.hasPrefix("not_") == true { continue }
            let response = try await world.submit(
                "/setup", (Self.own(number) + row.values).flatMap { Self.pairs($0.key, $0.value) })
            if let failure = row.failure {
                #expect(response.status == 422, "\(row.why): \(response.text)")
                let field = "field-" + (failure["field"]?.string ?? "")
                // Several refusals have links to their fields, and a single one has the focus.
                let isNamed = response.text.contains("#" + field) || response.text.contains(#"id="\#(field)-error">"#)
                #expect(isNamed, "\(row.why)")
            } else {
                #expect(response.status == 303, "\(row.why): \(response.text)")
                let account = try await world.world.service.account(try #require(AccountLookup("u\(number)")))
                #expect(account.attributes == row.stored?.fieldValues ?? [:], "\(row.why)")
            }
        }
    }

    @Test(arguments: ["\r\nfirst\r\nsecond", "\r\n\r\n x"])
    func `a text with leading line breaks is stored and shown as it was typed`(sent: String) async throws {
        let bytes = try Array(Fixture.contents(of: "kinds/form.json"))
        let description = String(decoding: bytes, as: UTF8.self).replacing(
            #""kind": "multiline","#, with: #""kind": "multiline", "trim": false,"#)
        let source = FormCatalogue.Source(file: "setup.json", bytes: Array(description.utf8))
        let world = try ServiceWorld(forms: [source])
        let values = [
            ("username", "ada"), ("email_field", "ada@example.org"), ("password", World.password), ("bio", sent),
        ]
        #expect(try await world.submit("/setup", values).status == 303)
        let account = try await world.world.service.account(try #require(AccountLookup("ada")))
        let typed = sent.replacing("\r\n", with: "\n")
        #expect(account.attributes["bio"]?.text == typed)
        // A refused form comes back with the same text.
        let refused = try await world.submit(
            "/setup", [("username", "bob"), ("email_field", "no"), ("password", World.password), ("bio", sent)])
        #expect(refused.text.contains(">\n" + typed + "</textarea>"), "\(refused.text)")
    }

    /// What a browser sends for a value.
    private static func pairs(_ key: String, _ value: JSONValue) -> [(String, String)] {
        switch value {
        case .string(let text): [(key, text)]
        case .bool(let isTrue): [(key, "false")] + (isTrue ? [(key, "true")] : [])
        case .array(let values): [(key, "")] + values.map { (key, $0.string ?? "") }
        default: []
        }
    }
}
