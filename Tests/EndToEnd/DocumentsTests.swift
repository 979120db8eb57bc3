import Foundation
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

    @Test func `the exit statuses of the document are those of the help`() throws {
        let document = try String(contentsOf: Self.root.appending(path: "docs/cli.md"), encoding: .utf8)
        let sandbox = try Sandbox()
        for command in [["login"], ["setup"], ["accounts", "create"], ["forms", "check"], ["whoami"]] {
            let help = try sandbox.latchkey(command + ["--help"])
            #expect(help.status == 0)
            let rows = help.stdout.matches(of: /\n  (\d+) +([^\n]+)/)
            #expect(!rows.isEmpty)
            for row in rows { #expect(document.contains("| \(row.output.1) | \(row.output.2)"), "\(row.output.0)") }
        }
    }
}
