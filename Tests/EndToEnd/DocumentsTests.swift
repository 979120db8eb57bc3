import Foundation
import TestSupport
import Testing

/// Every command that a document shows is run, in order, by a shell that stops at the first that fails.
@Suite struct DocumentsTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    @Test(arguments: ["README.md", "docs/cli.md"])
    func `the commands of a document work`(document: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
        let blocks = text.matches(of: /```sh\n(.*?)```/.dotMatchesNewlines()).map { String($0.output.1) }
        try #require(!blocks.isEmpty)
        let sandbox = try Sandbox()
        let ending = try sandbox.shell("set -euo pipefail\n" + blocks.joined())
        #expect(ending.status == 0, "\(ending.stdout)\n\(ending.stderr)")
    }

    @Test func `the field that docs/forms.md adds goes all the way`() throws {
        let text = try String(contentsOf: Self.root.appending(path: "docs/forms.md"), encoding: .utf8)
        let field = try #require(text.firstMatch(of: /```json\n(\{ "apiKey": "company".*?)\n```/)).output.1
        let commands = try #require(text.firstMatch(of: /```sh\n(.*?)```/.dotMatchesNewlines())).output.1
        let sandbox = try Sandbox()
        let forms = sandbox.folder.appending(path: "forms")
        try FileManager.default.createDirectory(at: forms, withIntermediateDirectories: true)
        let setup = try String(contentsOf: Sandbox.shippedForm("setup"), encoding: .utf8)
        try Data(setup.replacingOccurrences(of: "\"fields\": [", with: "\"fields\": [\n" + field + ",").utf8)
            .write(to: forms.appending(path: "setup.json"))
        let ending = try sandbox.shell("set -euo pipefail\n" + commands)
        #expect(ending.status == 0, "\(ending.stderr)")
        for line in [
            "forms/setup.json: ok", #"{"company":"Acme","email_field":"ada@example.org","username":"ada"}"#,
            "company: Acme",
        ] { #expect(ending.stdout.contains(line + "\n")) }
    }

    /// `RECORD=1` puts what the terminal shows into the README.
    @Test func `the picture in the README is what the terminal shows`() async throws {
        let sandbox = try Sandbox()
        let session = try PtySession(Sandbox.binary.path, environment: sandbox.environment)
        try await session.expect("Create your account")
        session.send("ada@example.org\rada\rsecret\r")
        try await session.expect("at least 9 characters")
        let shown = session.screen().text.trimmingCharacters(in: .newlines)
        session.send("\u{3}")
        #expect(try await session.waitForExit() == .signal(SIGINT))

        let readme = Self.root.appending(path: "README.md")
        let text = try String(contentsOf: readme, encoding: .utf8)
        let picture = try #require(text.firstMatch(of: /```text\n(.*?)\n```/.dotMatchesNewlines()))
        if Golden.isRecording {
            let recorded = text.replacingOccurrences(of: picture.output.1, with: shown)
            try recorded.write(to: readme, atomically: true, encoding: .utf8)
            Issue.record("recorded the README's picture: look at its diff")
        } else {
            #expect(shown == picture.output.1)
        }
    }

    @Test func `the exit statuses of the document are those of the help`() throws {
        let document = try String(contentsOf: Self.root.appending(path: "docs/cli.md"), encoding: .utf8)
        let sandbox = try Sandbox()
        for command in [
            [], ["login"], ["setup"], ["accounts", "create"], ["forms", "check"], ["whoami"], ["audit", "verify"],
        ] {
            let help = try sandbox.latchkey(command + ["--help"])
            #expect(help.status == 0)
            let rows = help.stdout.matches(of: /\n  (\d+) +([^\n]+)/)
            #expect(!rows.isEmpty)
            for row in rows { #expect(document.contains("| \(row.output.1) | \(row.output.2)"), "\(row.output.0)") }
        }
    }
}
