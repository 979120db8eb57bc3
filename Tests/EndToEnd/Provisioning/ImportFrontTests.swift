import Foundation
import LatchkeyForms
import TestSupport
import Testing

/// An import accepts and refuses the same sign-up values as every other front.
@Suite(.programs, .timeLimit(.minutes(60))) struct ImportFrontTests {
    private struct Problem: Decodable {
        let line: Int
        let field: String?
        let code: String
        let message: String
    }

    private struct Answer: Decodable {
        let errors: [Problem]?
    }

    @Test func `rows get the same verdicts as in the other fronts`() throws {
        let sandbox = try Sandbox()
        let forms = try CaseForms(copiedTo: sandbox.folder.appending(path: "forms"))
        // Only values that JSON can represent.
        let rows = try FormCase.all(for: .validate).filter { $0.form == "setup" }
        #expect(rows.count >= 10)
        var lines = Data()
        for row in rows {
            var values: [String: String] = [:]
            for field in try forms.form(of: row).fields {
                values[field.apiKey.rawValue] = String(decoding: row.answer(field.apiKey), as: UTF8.self)
            }
            lines += try JSONSerialization.data(withJSONObject: values) + Data("\n".utf8)
        }
        let ending = try sandbox.latchkey(
            ["accounts", "import", "-", "--format", "jsonl", "--dry-run", "--json"], input: lines)
        let errors = try JSONDecoder().decode(Answer.self, from: Data(ending.stdout.utf8)).errors ?? []
        for (index, row) in rows.enumerated() {
            // The rows share usernames, so a dry run reports duplicates too.
            let told = errors.filter { $0.line == index + 1 && $0.code != "duplicate" }
            let failures = told.map { FormCase.Failure(field: $0.field ?? "", code: $0.code, message: $0.message) }
            #expect(failures == row.failures, "\(row.testDescription)")
        }
    }

    @Test func `a terminal shows ten problems and counts the rest, and a pipe gets all of them`() async throws {
        let sandbox = try Sandbox()
        let rows = (1...13).map { #"{"username":"u\#($0)","email_field":"not an address"}"# + "\n" }.joined()
        let file = sandbox.folder.appending(path: "rows.jsonl")
        try Data(rows.utf8).write(to: file)
        func problems(_ text: String) -> Int { text.split(separator: "rows.jsonl:").count - 1 }
        let piped = try sandbox.latchkey("accounts", "import", file.path)
        #expect(piped.status == 65 && problems(piped.stderr) >= 13 && !piped.stderr.contains("more problems"))
        for (flags, hint) in [([], "--report FILE lists"), (["--report", "verdicts.jsonl"], "verdicts.jsonl lists")] {
            let session = try PtySession(
                "/bin/sh",
                ["-c", "cd \"$HOME\" && exec \"$0\" \"$@\"", Sandbox.binary.path, "accounts", "import"]
                    + ["rows.jsonl"] + flags, environment: sandbox.environment)
            try await session.expect("more problems. " + hint)
            #expect(try await session.waitForExit() == .status(65))
            #expect(problems(String(decoding: session.pty.output, as: UTF8.self)) == 10)
        }
    }
}
