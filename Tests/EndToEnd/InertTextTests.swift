import Foundation
import Testing

/// Untrusted text cannot control the terminal, wherever it comes from.
@Suite(.programs, .timeLimit(.minutes(60))) struct InertTextTests {
    /// A title, a colour, a C1 control, a direction, a line separator, a tag and an invisible joiner.
    private static let hostile = "x\u{1B}]0;t\u{7}\u{1B}[31m\u{9B}2J\u{202E}\u{2066}\u{2028}\u{E0001}\u{200D}"

    private func expectInert(_ ending: Sandbox.Ending, at place: SourceLocation = #_sourceLocation) {
        for scalar in (ending.stdout + ending.stderr).unicodeScalars where scalar != "\n" {
            let isForbidden =
                scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
                || scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2028}" || scalar == "\u{2029}"
            #expect(!isForbidden, "U+\(String(scalar.value, radix: 16))", sourceLocation: place)
            if isForbidden { return }
        }
    }

    /// A folder of forms with hostile strings and a hostile file name.
    private func forms(in sandbox: Sandbox, name: String = "setup.json") throws -> URL {
        let folder = sandbox.folder.appending(path: "forms")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let field: [String: Any] = [
            "apiKey": "company", "placeholder": Self.hostile, "label": Self.hostile, "help": Self.hostile + "\n",
            "rules": [["rule": "required", "message": Self.hostile]],
        ]
        let shipped = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Forms/setup.json")
        var form = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: shipped.standardized)) as? [String: Any])
        form["title"] = Self.hostile
        form["submit"] = Self.hostile
        form["fields"] = try #require(form["fields"] as? [Any]) + [field]
        try JSONSerialization.data(withJSONObject: form).write(to: folder.appending(path: name))
        return folder
    }

    @Test(arguments: [[], ["--json"]])
    func `hostile form texts are escaped in output`(json: [String]) throws {
        let sandbox = try Sandbox()
        let forms = try forms(in: sandbox).path
        for arguments in [
            ["forms", "list"], ["forms", "show", "setup"], ["forms", "check"], ["setup", "--help"], ["setup"],
            ["accounts", "create", "ada"],
        ] {
            let ending = try sandbox.latchkey(arguments + ["--forms", forms] + json)
            #expect([0, 64].contains(ending.status), "\(arguments): \(ending.stderr)")
            expectInert(ending)
        }
        let shown = try sandbox.latchkey("forms", "show", "setup", "--forms", forms, "--json").json()
        #expect(shown["title"] as? String == Self.hostile, "a program gets it back as it was")
    }

    @Test(arguments: [[], ["--json"]])
    func `hostile file names are escaped in output`(json: [String]) throws {
        let sandbox = try Sandbox()
        let folder = try forms(in: sandbox, name: "a\u{1B}[31m\u{202E}.json")
        let file = folder.appending(path: "a\u{1B}[31m\u{202E}.json")
        try Data(#"{"form": "setup", "colour": 1}"#.utf8).write(to: file)
        for arguments in [
            ["forms", "check", folder.path], ["forms", "list", "--forms", folder.path],
            ["whoami", "--config", file.path], ["accounts", "list", "--store", "/nonexistent/" + Self.hostile],
            ["login", "--username", "ada", "--password-file", "/nonexistent/" + Self.hostile],
        ] {
            let ending = try sandbox.latchkey(arguments + json)
            #expect(ending.status != 0)
            expectInert(ending)
        }
    }

    @Test(arguments: [[], ["--json"]])
    func `hostile arguments are escaped in output`(json: [String]) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        for arguments in [
            [Self.hostile], ["--" + Self.hostile], ["-" + Self.hostile], ["--open", Self.hostile],
            ["accounts", "show", Self.hostile], ["forms", "show", Self.hostile], ["forms", "check", Self.hostile],
            ["setup", "--username", Self.hostile, "--email", Self.hostile],
            ["forgot-password", "--email", Self.hostile],
        ] {
            let ending = try sandbox.latchkey(arguments + json)
            #expect(ending.status != 0)
            expectInert(ending)
        }
    }

    /// An attacker with write access put these strings into the store.
    @Test(arguments: [[], ["--json"]])
    func `hostile text in the store is escaped in output`(json: [String]) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        _ = try sandbox.sqlite("UPDATE account SET login_name = 'a\u{1B}[31mb\u{202E}'")
        for arguments in [["accounts", "list"], ["accounts", "show", "ada"], ["whoami"]] {
            let ending = try sandbox.latchkey(arguments + json)
            guard arguments == ["accounts", "list"], json.isEmpty else {
                expectInert(ending)
                continue
            }
            let cells = ending.stdout.split(separator: "\t", omittingEmptySubsequences: false)
            #expect(cells.count == 5)
            expectInert(
                Sandbox.Ending(status: ending.status, stdout: cells.joined(separator: " "), stderr: ending.stderr))
        }
    }

    /// S-122.
    @Test(arguments: [
        [], ["login"], ["setup"], ["forgot-password"], ["reset-password"], ["change-password"], ["logout"],
        ["whoami"], ["accounts"], ["accounts", "create"], ["accounts", "show"], ["accounts", "list"],
        ["accounts", "delete"], ["audit"], ["audit", "list"], ["audit", "verify"], ["audit", "head"], ["store"],
        ["store", "maintain"], ["forms"], ["forms", "list"], ["forms", "show"], ["forms", "check"],
    ])
    func `every command supports JSON, including help and version`(command: [String]) throws {
        let sandbox = try Sandbox()
        for more in [[], ["--help"], ["--version"]] {
            let ending = try sandbox.latchkey(command + more + ["--json"])
            expectInert(ending)
            let lines = ending.stdout.split(separator: "\n")
            #expect(!lines.isEmpty)
            for line in lines {
                #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
            }
            if !more.isEmpty { #expect(ending.status == 0) }
        }
    }
}
