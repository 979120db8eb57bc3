import Foundation
import LatchkeyForms
import TestSupport
import Testing

/// Field values are data: they never act as SQL, log lines, patterns or localized numbers.
@Suite(.programs, .timeLimit(.minutes(60)))
struct FieldDataTests {
    /// Characters with a meaning in SQL, JSON, line-based logs and format strings.
    private static let hostile = [
        "o'brien", "a\"b", "a%b", "a_b", "a\\b", "a'--", "';DROP;", "$1?1:x", "{}[],:", "%s%n",
    ]

    /// S-125.
    @Test func `quotes and wildcards are ordinary characters in every field`() throws {
        let sandbox = try Sandbox()
        let forms = sandbox.folder.appending(path: "forms")
        try FileManager.default.createDirectory(at: forms, withIntermediateDirectories: true)
        let text = String(decoding: try Data(contentsOf: Sandbox.shippedForm("setup")), as: UTF8.self)
        try text.replacing("\"fields\": [", with: #""fields": [ { "apiKey": "company", "placeholder": "Company" },"#)
            .write(to: forms.appending(path: "setup.json"), atomically: true, encoding: .utf8)
        for (number, name) in Self.hostile.enumerated() {
            let made = try sandbox.latchkey(
                ["setup", "--forms", forms.path, "--username", "n\(number)", "--email", "a'%_{}\(number)@example.org"]
                    + ["--company", name + " & Sons", "--password-stdin"],
                input: Data("correct \(name) battery\n".utf8))
            #expect(made.status == 0, "\(name): \(made.stderr)")
            // New names must not have such characters, but older stores contain them.
            let quoted = name.replacing("'", with: "''")
            _ = try sandbox.sqlite(
                """
                UPDATE account SET login_name = '\(quoted.lowercased())', username_typed = '\(quoted)'
                WHERE login_name = 'n\(number)'
                """)
        }
        // These names would match several accounts if wildcards were active.
        for name in ["axb", "a%", "%", "_____", "o''brien"] {
            #expect(try sandbox.latchkey("accounts", "show", "--", name).status == 1, "\(name)")
        }
        for (number, name) in Self.hostile.enumerated() {
            let shown = try sandbox.latchkey("accounts", "show", "--json", "--", name).json()
            let account = shown["account"] as? [String: Any] ?? shown
            #expect(account["username"] as? String == name)
            #expect("\(account)".contains("& Sons"))
            let signedIn = try sandbox.latchkey(
                ["login", "--username", "A'%_{}\(number)@EXAMPLE.org", "--password-stdin"],
                input: Data("correct \(name) battery\n".utf8))
            #expect(signedIn.status == 0, "\(name): \(signedIn.stderr)")
        }
        #expect(try sandbox.sqlite("SELECT count(*) FROM account") == "\(Self.hostile.count)")
        #expect(try sandbox.latchkey("accounts", "delete", "--yes", "--", "a%b").status == 0)
        #expect(try sandbox.sqlite("SELECT count(*) FROM account") == "\(Self.hostile.count - 1)")
        #expect(try sandbox.sqlite("PRAGMA integrity_check") == "ok")
    }

    /// S-86: neither Latchkey nor another program that reads the log can be misled.
    @Test func `no field can forge a log line`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let forged = #"{"sequence":99,"event":"user_created"}"#
        for name in ["x\"}\n\(forged)", "x\r\n\(forged)", "x\u{2028}\(forged)", forged] {
            try sandbox.latchkey(["login", "--username", name, "--password-stdin"], input: Data("wrong\n".utf8))
            try sandbox.latchkey(["accounts", "show", "--", name])
            try sandbox.latchkey(["forgot-password", "--email", name])
            try sandbox.latchkey(["login", "--username", "ada", "--password-stdin"], input: Data("\(name)\n".utf8))
        }
        _ = try sandbox.sqlite(
            """
            DROP TRIGGER audit_unchanged; PRAGMA ignore_check_constraints = ON;
            UPDATE audit SET reason = 'x' || char(34) || '}' || char(13, 10) || '\(forged)' || char(8232, 133, 27),
                source = char(10), request_id = char(10) || '{}' || char(10) WHERE sequence = 1
            """)
        let count = try sandbox.sqlite("SELECT count(*) FROM audit")
        for arguments in [["audit", "list", "--json"], ["audit", "list"]] {
            let ending = try sandbox.latchkey(arguments)
            #expect(ending.status == 0)
            let lines = ending.stdout.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            #expect("\(lines.count)" == count, "\(arguments)")
            let isJSON = arguments.contains("--json")
            #expect(
                !ending.stdout.unicodeScalars.contains {
                    $0 != "\n" && ($0 != "\t" || isJSON) && ($0.value < 0x20 || 0x7F...0x9F ~= $0.value)
                })
            guard isJSON else {
                #expect(lines.allSatisfy { $0.split(separator: "\t", omittingEmptySubsequences: false).count == 7 })
                continue
            }
            for (number, line) in lines.enumerated() {
                let row = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
                #expect(row["sequence"] as? Int == number + 1)
            }
        }
    }

    /// S-126: the locales need not be installed, because no code may use them.
    @Test(arguments: ["tr_TR.UTF-8", "de_DE.UTF-8", "C"])
    func `the locale does not change numbers, letters or dates`(locale: String) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        struct Row: Decodable { let line: String? }
        let forms = try Fixture.rows(of: Row.self, in: "validate/setup.jsonl").compactMap(\.line)
        let rules = try Fixture.rows(of: Row.self, in: "validate/rules.jsonl").compactMap(\.line)
        let runs: [([String], String)] = [
            (["validate", "--form", "setup", "--jsonl"], forms.joined(separator: "\n") + "\n"),
            (["validate", "--jsonl"], rules.joined(separator: "\n") + "\n"),
            (["accounts", "show", "ADA"], ""), (["accounts", "list"], ""),
            (["setup", "--hash-memory", "19456,0"], ""),
            (["run", "--no-input", "--hash-memory", "4294967296", "--", "true"], ""),
            (["audit", "list", "--since", "2026-01-01T00:00:00,5Z"], ""),
        ]
        for (arguments, input) in runs {
            let plain = try sandbox.latchkey(arguments, input: Data(input.utf8))
            let there = try sandbox.latchkey(
                arguments, input: Data(input.utf8),
                environment: ["LANG": locale, "LC_ALL": locale, "LC_NUMERIC": locale, "LANGUAGE": locale])
            #expect(there.status == plain.status && there.stdout == plain.stdout && there.stderr == plain.stderr)
            #expect(arguments.count > 2 || plain.status == 0, "\(arguments): \(plain.stderr)")
        }
    }
}
