import Foundation
import LatchkeyForms
import TestSupport
import Testing

/// Every kind of field through flags, `validate`, imports, exports, `accounts apply` and `accounts update`.
@Suite(.programs, .timeLimit(.minutes(60)))
struct FieldKindTests {
    /// An answer in the format of each front end, with the stored value or the failure.
    private struct Row {
        let why: String
        let flags: [String]?
        let json: JSONValue?
        let csv: [String: String]?
        let stored: JSONValue?
        let failure: JSONValue?
    }

    private let sandbox: Sandbox
    private let forms: String
    private let rows: [Row]

    init() throws {
        sandbox = try Sandbox()
        let folder = sandbox.folder.appending(path: "forms")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(Fixture.contents(of: "kinds/form.json")).write(to: folder.appending(path: "setup.json"))
        forms = folder.path
        rows = try JSONLines.rows(in: "kinds/cases.jsonl").map { row in
            Row(
                why: row["why"]?.string ?? "", flags: row["flags"]?.elements?.compactMap(\.string), json: row["json"],
                csv: row["csv"]?.texts, stored: row["stored"], failure: row["failure"])
        }
        #expect(rows.count > 20)
    }

    @Test func `flags support every kind of field`() throws {
        for (number, row) in rows.enumerated() {
            guard let flags = row.flags else { continue }
            let own = ["--username", "u\(number)", "--email", "u\(number)@example.org", "--password-stdin"]
            let ending = try sandbox.latchkey(
                ["forms", "try", forms + "/setup.json", "--json"] + own + flags,
                input: Data((Sandbox.password + "\n").utf8))
            let answer = try answer(ending.stdout)
            if let failure = row.failure {
                // A field without a flag is missing.
                let isGiven = flags.contains("--" + (failure["field"]?.string ?? ""))
                let code = isGiven || failure["field"] != .string("company") ? failure["code"] : .string("required")
                #expect(ending.status == (code == failure["code"] ? 65 : 64), "\(row.why)")
                #expect(answer["errors"]?.elements?.first?["code"] == code, "\(row.why)")
            } else {
                #expect(ending.status == 0, "\(row.why): \(ending.stdout)")
                #expect(attributes(answer["values"]) == row.stored?.fieldValues, "\(row.why)")
            }
        }
    }

    @Test func `a flag of a hidden field is refused with the reason`() throws {
        let flags = ["--kind", "person", "--company", "Acme"]
        let own = ["--username", "ada", "--email", "ada@example.org", "--password-stdin"]
        let ending = try sandbox.latchkey(
            ["setup", "--forms", forms] + own + flags, input: Data((Sandbox.password + "\n").utf8))
        #expect(ending.status == 65)
        #expect(ending.stderr.contains("--company: Company is only asked when \"Kind\" is company"), "\(ending.stderr)")
    }

    @Test func `long text is read from a file, without its final line break`() throws {
        let file = sandbox.folder.appending(path: "bio.txt")
        try Data("first\nsecond\n".utf8).write(to: file)
        let own = ["--username", "ada", "--email", "ada@example.org", "--password-stdin"]
        let flags = ["forms", "try", forms + "/setup.json", "--json"] + own
        let ending = try sandbox.latchkey(
            flags + ["--bio-file", file.path], input: Data((Sandbox.password + "\n").utf8))
        #expect(try answer(ending.stdout)["values"]?["bio"] == .string("first\nsecond"))
        let both = try sandbox.latchkey(flags + ["--bio-file", file.path, "--bio", "x"], input: Data("x\n".utf8))
        #expect(both.status == 64 && both.stdout.contains("--bio cannot be combined with --bio-file"), "\(both.stdout)")
        let missing = try sandbox.latchkey(flags + ["--bio-file", file.path + "x"], input: Data("x\n".utf8))
        #expect(missing.status == 66)
    }

    @Test func `the validate command supports every kind of field`() throws {
        var lines = ""
        for (number, row) in rows.enumerated() {
            guard let json = row.json else { continue }
            var members = (row.json?.members ?? []).map {
                (key: $0.key == "topic" ? "topics" : $0.key, value: $0.value)
            }
            members += [
                ("username", .string("u\(number)")), ("email_field", .string("u\(number)@example.org")),
                ("password", .string(Sandbox.password)),
            ]
            #expect(json.members != nil)
            lines += JSONValue.object([("id", .integer(number)), ("values", .object(members))]).encoded + "\n"
        }
        let ending = try sandbox.latchkey(
            ["validate", "--jsonl", "--form", "setup", "--forms", forms], input: Data(lines.utf8))
        for line in ending.stdout.split(separator: "\n") {
            let answer = try answer(String(line))
            let row = rows[try #require(answer["id"]?.integer)]
            if row.failure?["code"]?.string?.hasPrefix("not_") == true {
                #expect(answer["error"] == .string("bad_request"), "\(row.why)")
            } else {
                #expect(answer["valid"] == .bool(row.failure == nil), "\(row.why)")
                #expect(answer["errors"]?.elements?.first?["code"] == row.failure?["code"], "\(row.why)")
            }
        }
    }

    @Test(arguments: ["jsonl", "csv"])
    func `imports store typed values, exports write them, and an import restores them`(format: String) throws {
        let input = format == "csv" ? csv : jsonl
        let report = sandbox.folder.appending(path: "report.jsonl").path
        let flags = ["--format", format, "--forms", forms]
        let ending = try sandbox.latchkey(
            ["accounts", "import", "-", "--keep-going", "--report", report] + flags, input: Data(input.utf8))
        #expect(ending.status == 65, "\(ending.stderr)")
        let refused = try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n").flatMap {
            try answer(String($0))["errors"]?.elements ?? []
        }
        let exported = try export(["--format", "jsonl"])
        for (number, row) in rows.enumerated() where format == "csv" ? row.csv != nil : row.json != nil {
            if let failure = row.failure {
                let problem = refused.first { $0["username"] == .string("u\(number)") }
                #expect(problem?["code"] == failure["code"], "\(row.why)")
                #expect(problem?["field"] == failure["field"], "\(row.why)")
            } else {
                #expect(exported["u\(number)"] == row.stored?.fieldValues, "\(row.why)")
            }
        }
        let written = try sandbox.latchkey("accounts", "export", "-", "--format", format, "--forms", forms)
        let fresh = ["--store", sandbox.folder.path + "/fresh.sqlite"]
        let again = try sandbox.latchkey(["accounts", "import", "-"] + flags + fresh, input: Data(written.stdout.utf8))
        #expect(again.status == 0, "\(again.stderr)")
        #expect(try export(["--format", "jsonl"] + fresh) == exported)
    }

    @Test func `apply and update change typed values and remove hidden ones`() throws {
        let own = ["accounts", "create", "ada", "--email", "ada@example.org", "--no-password", "--forms", forms]
        #expect(try sandbox.latchkey(own + ["--kind", "company", "--company", "Acme", "--size", "s"]).status == 0)
        #expect(try export()["ada"] == ["kind": "company", "company": "Acme", "size": "S", "newsletter": false])
        let update = ["accounts", "update", "ada", "--forms", forms]
        #expect(try sandbox.latchkey(update + ["--topic", "sql", "--newsletter"]).status == 0)
        #expect(
            try export()["ada"]
                == ["kind": "company", "company": "Acme", "size": "S", "newsletter": true, "topics": ["SQL"]])
        let refused = try sandbox.latchkey(update + ["--kind", "person", "--company", "Other"])
        #expect(refused.status == 65)
        #expect(try sandbox.latchkey(update + ["--kind", "person", "--topic", ""]).status == 0)
        #expect(try export()["ada"] == ["kind": "person", "size": "S", "newsletter": true])
        let state =
            #"{"accounts":[{"username":"ada","email":"ada@example.org","topics":["linux"],"newsletter":false}]}"#
        let applied = try sandbox.latchkey(["accounts", "apply", "-", "--forms", forms], input: Data(state.utf8))
        #expect(applied.status == 0, "\(applied.stderr)")
        #expect(try export()["ada"] == ["kind": "person", "size": "S", "newsletter": false, "topics": ["Linux"]])
    }

    @Test func `a stored value of another kind than its field is exported unchanged`() throws {
        let plain = sandbox.folder.appending(path: "plain")
        try FileManager.default.createDirectory(at: plain, withIntermediateDirectories: true)
        let text = String(decoding: try Fixture.contents(of: "kinds/form.json"), as: UTF8.self)
        let older = text.replacing(#""kind": "boolean", "#, with: #""optional": true, "#)
        try Data(older.utf8).write(to: plain.appending(path: "setup.json"))
        let own = ["accounts", "create", "ada", "--email", "ada@example.org", "--no-password", "--forms", plain.path]
        #expect(try sandbox.latchkey(own + ["--newsletter", "weekly"]).status == 0)
        #expect(try export()["ada"] == ["size": "M", "newsletter": "weekly"])
    }

    // MARK: Input and output

    private func answer(_ line: String) throws -> JSONValue { try #require(JSONValue(line: line.utf8), "\(line)") }

    /// The values that an account stores as attributes, without the empty ones.
    private func attributes(_ values: JSONValue?) -> [String: FieldValue]? {
        values?.fieldValues?.filter { !["username", "email_field", "password"].contains($0.key) && !$0.value.isEmpty }
    }

    private var jsonl: String {
        rows.enumerated().map { number, row in
            let own: [(key: String, value: JSONValue)] = [
                ("username", .string("u\(number)")), ("email", .string("u\(number)@example.org")),
            ]
            return JSONValue.object(own + (row.json?.members ?? [])).encoded + "\n"
        }.joined()
    }

    private var csv: String {
        let columns = ["plain", "bio", "size", "topics", "newsletter", "born", "kind", "company"]
        let header = "username,email," + columns.joined(separator: ",") + "\r\n"
        return header
            + rows.enumerated().map { number, row in
                let cells = columns.map { column in
                    let text = row.csv?[column] ?? (column == "topics" ? row.csv?["topic"] : nil) ?? ""
                    return "\"" + text.replacing("\"", with: "\"\"") + "\""
                }
                return "u\(number),u\(number)@example.org," + cells.joined(separator: ",") + "\r\n"
            }.joined()
    }

    /// The attributes of all accounts by username.
    private func export(_ flags: [String] = ["--format", "jsonl"]) throws -> [String: [String: FieldValue]] {
        let ending = try sandbox.latchkey(["accounts", "export", "-", "--forms", forms] + flags)
        #expect(ending.status == 0, "\(ending.stderr)")
        var accounts: [String: [String: FieldValue]] = [:]
        let known = ["id", "username", "email", "disabled", "require_change", "created_at", "password_hash", "groups"]
        for line in ending.stdout.split(separator: "\n") {
            let members = try #require(answer(String(line)).members)
            var values: [String: FieldValue] = [:]
            for (key, value) in members where !known.contains(key) {
                values[key == "topic" ? "topics" : key] = FieldValue(value)
            }
            accounts[members.first { $0.key == "username" }?.value.string ?? ""] = values
        }
        return accounts
    }
}
