import Foundation
import TestSupport
import Testing

/// A shell runs every command in a document, in order, and stops at the first failure.
@Suite(.programs, .timeLimit(.minutes(60))) struct DocumentsTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized

    @Test(arguments: ["README.md", "docs/cli.md", "docs/second-factors.md", "docs/groups.md", "docs/openid.md"])
    func `the commands of a document work`(document: String) throws {
        let text = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
        let blocks = text.matches(of: /```sh\n(.*?)```/.dotMatchesNewlines()).map { String($0.output.1) }
            // These need a service: `ApplicationCommandTests` runs them.
            .filter { !$0.contains("/api/v1/") }
        try #require(!blocks.isEmpty)
        let sandbox = try Sandbox()
        let ending = try sandbox.shell("set -euo pipefail\n" + blocks.joined())
        #expect(ending.status == 0, "\(ending.stdout)\n\(ending.stderr)")
    }

    /// S-148.
    @Test func `the documented recovery commands work repeatedly`() throws {
        let text = try String(contentsOf: Self.root.appending(path: "docs/cli.md"), encoding: .utf8)
        let commands = try #require(
            text.firstMatch(of: /\n(latchkey forgot-password.*\nCODE=.*\n.*reset-password.*\n)/))
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let ending = try sandbox.shell("set -euo pipefail\n" + String(repeating: String(commands.output.1), count: 3))
        #expect(ending.status == 0, "\(ending.stdout)\n\(ending.stderr)")
    }

    /// S-144.
    @Test(arguments: [("README.md", 1), ("docs/cli.md", 3), ("docs/second-factors.md", 1), ("docs/groups.md", 1)])
    func `the configurations of a document are valid`(document: String, count: Int) throws {
        let text = try String(contentsOf: Self.root.appending(path: document), encoding: .utf8)
        let keys = ["mailer", "policy", "messages", "factors", "groups"].map { "{ \"\($0)\":" }
        let files = text.matches(of: /```json\n([\s\S]*?)\n```/).map { String($0.output.1) }
            .filter { file in keys.contains { file.hasPrefix($0) } }
        #expect(files.count == count)
        let sandbox = try Sandbox()
        for file in files {
            try sandbox.write(file, to: "config.json")
            // Not `config check`: this machine may lack the mailer's program.
            let ending = try sandbox.latchkey("config", "show", "--config", "config.json")
            #expect(ending.status == 0, "\(file): \(ending.stderr)")
        }
    }

    /// S-115.
    @Test func `the documented downgrade restores the store of an older version`() throws {
        let text = try String(contentsOf: Self.root.appending(path: "docs/cli.md"), encoding: .utf8)
        let command = try #require(text.firstMatch(of: /`(mv accounts\.sqlite [^`]*)`/)).output.1
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        #expect(try sandbox.latchkeyNext(["store", "migrate"]).status == 0)
        #expect(try sandbox.latchkey("accounts", "list").status == 78)
        let ending = try sandbox.shell(
            "cd '\(sandbox.data.path)' && " + command.replacing("schema-N", with: "schema-\(NextVersion.oldSchema)"))
        #expect(ending.status == 0, "\(ending.stderr)")
        #expect(try sandbox.sqlite("PRAGMA user_version") == "\(NextVersion.oldSchema)")
        #expect(try sandbox.latchkey("accounts", "list").stdout.hasPrefix("ada\t"))
        #expect(try sandbox.latchkeyNext(["accounts", "list"]).status == 78)
        let newer = ["accounts", "list", "--store", sandbox.store.path + ".newer"]
        #expect(try sandbox.latchkeyNext(newer).status == 0)
    }

    @Test func `the custom field of the forms guide is stored`() throws {
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

    @Test func `the documented exit statuses match the help`() throws {
        let document = try String(contentsOf: Self.root.appending(path: "docs/commands.md"), encoding: .utf8)
        let sandbox = try Sandbox()
        for command in [
            [], ["login"], ["setup"], ["accounts", "create"], ["forms", "check"], ["whoami"], ["audit", "verify"],
        ] {
            let help = try sandbox.latchkey(command + ["--help-all"])
            #expect(help.status == 0)
            let rows = help.stdout.matches(of: /\n  (\d+) +([^\n]+)/)
            #expect(!rows.isEmpty)
            for row in rows { #expect(document.contains("| \(row.output.1) | \(row.output.2)"), "\(row.output.0)") }
        }
    }
}
