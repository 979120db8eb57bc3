import Foundation
import Glibc
import TestSupport
import Testing

/// `latchkey forms try`: fills in a form with flags or on a terminal, without any effect.
@Suite(.programs, .timeLimit(.minutes(60))) struct FormTrialTests {
    private let sandbox: Sandbox
    private let file: URL

    init() throws {
        sandbox = try Sandbox()
        file = sandbox.folder.appending(path: "order.json")
        let text = """
            { "form": "order", "title": "Your order", "submit": "Order", "links": ["login"], "fields": [
              { "apiKey": "shirt_size", "placeholder": "Size", "rules": [{ "rule": "oneOf", "values": ["S", "M"] }] },
              { "apiKey": "note", "placeholder": "Note", "optional": true },
              { "apiKey": "pin", "placeholder": "PIN", "secret": true, "confirm": true } ] }
            """
        try Data(text.utf8).write(to: file)
    }

    private func order(_ arguments: String..., input: String = "") throws -> Sandbox.Ending {
        try sandbox.latchkey(["forms", "try", file.path] + arguments, input: Data(input.utf8))
    }

    @Test func `forms try prints the given values without secrets and uses no store`() throws {
        let ending = try order("--shirt-size", " M ", "--pin-stdin", input: "canary-4711\n")
        #expect(ending.status == 0 && ending.stderr.isEmpty)
        #expect(ending.stdout == #"{"shirt_size":"M","note":""}"# + "\n")
        let json = try order("--json", "--shirt-size=M", "--note", "soon", "--pin-stdin", input: "canary-4711\n")
        #expect(json.stdout.contains(#""ok":true"#) && !json.stdout.contains("4711"))
        #expect(try json.json()["values"] as? [String: String] == ["shirt_size": "M", "note": "soon"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path) == ["order.json"])
    }

    @Test func `forms try prompts on a terminal for values without a flag`() async throws {
        let session = try PtySession(
            Sandbox.binary.path, ["forms", "try", file.path, "--shirt-size", "S"], environment: sandbox.environment)
        try await session.expect("Your order")
        session.send("\rcanary-4711\rcanary-4711\r")
        try await session.expect(#"{"shirt_size":"S","note":""}"#)
        #expect(try await session.waitForExit() == .status(0))
        #expect(session.isRestored && !String(decoding: session.pty.output, as: UTF8.self).contains("4711"))
        let left = try PtySession(Sandbox.binary.path, ["forms", "try", file.path], environment: sandbox.environment)
        try await left.expect("Your order")
        left.send("\u{1B}")
        try await left.expect("Cancelled")
        #expect(try await left.waitForExit() == .status(1))
    }

    /// S-138.
    @Test func `forms try also prompts for optional fields without a flag`() async throws {
        let text =
            #"{ "form": "survey", "title": "Survey", "submit": "Send", "fields": ["#
            + #"{ "apiKey": "note", "placeholder": "Note", "optional": true },"#
            + #"{ "apiKey": "topic", "placeholder": "Topic" } ] }"#
        let survey = sandbox.folder.appending(path: "survey.json")
        try Data(text.replacingOccurrences(of: #""topic", "#, with: #""topic", "optional": true, "#).utf8)
            .write(to: survey)
        let all = try PtySession(Sandbox.binary.path, ["forms", "try", survey.path], environment: sandbox.environment)
        try await all.expect("Survey")
        all.send("soon\rmail\r")
        try await all.expect(#"{"note":"soon","topic":"mail"}"#)
        #expect(try await all.waitForExit() == .status(0))
        try Data(text.utf8).write(to: survey)
        let arguments = ["forms", "try", survey.path, "--topic", "mail"]
        let rest = try PtySession(Sandbox.binary.path, arguments, environment: sandbox.environment)
        try await rest.expect("Survey")
        rest.send("\u{1B}")
        #expect(try await rest.waitForExit() == .status(1))
        let none = try PtySession(
            Sandbox.binary.path, arguments + ["--note="], environment: sandbox.environment)
        try await none.expect(#"{"note":"","topic":"mail"}"#)
        #expect(try await none.waitForExit() == .status(0))
        #expect(try sandbox.latchkey(arguments).stdout == #"{"note":"","topic":"mail"}"# + "\n")
    }

    private static let note = """
        { "form": "note", "title": "A note", "submit": "Send", "fields": [
          { "apiKey": "note", "kind": "multiline", "placeholder": "Note" } ] }
        """

    /// Starts a form with one multi-line field, and a script as its editor.
    private func edit(with script: String) throws -> PtySession {
        try Data(Self.note.utf8).write(to: file)
        let editor = sandbox.folder.appending(path: "editor")
        try ExecutableFile.write(script, to: editor)
        let more = ["EDITOR": editor.path + " -x", "TMPDIR": sandbox.folder.path]
        return try PtySession(
            Sandbox.binary.path, ["forms", "try", file.path],
            environment: sandbox.environment.merging(more) { _, new in new })
    }

    /// The files that remain in the folder of the editor's file.
    private func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path)
            .filter { $0.hasPrefix("latchkey-") }
    }

    @Test func `Ctrl-E opens an editor on a private temporary file`() async throws {
        // The modes of the folder and the file, the flag of the command, and a backup next to the file.
        let session = try edit(
            with: """
                stat -c %a "${2%/*}" "$2" >"$HOME/modes"; echo "$1" >>"$HOME/modes"; cp "$2" "$2~"
                printf ' and\nmore\n' >>"$2"; read -r key; echo "$key" >>"$HOME/modes"
                """)
        try await session.expect("Ctrl-E: editor")
        session.send("one\u{05}")
        try await session.pty.wait(for: "the editor") { [sandbox] in
            (try? String(contentsOf: sandbox.folder.appending(path: "modes"), encoding: .utf8))?.hasSuffix("-x\n")
                == true
        }
        #expect(session.pty.echoes, "the editor has the terminal as it was before")
        session.pty.resize(columns: 60, rows: 20)
        session.send("typed\r")
        try await session.expect("more")
        session.send("\r")
        try await session.expect(#"{"note":"one and\nmore"}"#)
        #expect(try await session.waitForExit() == .status(0) && session.isRestored)
        let modes = try String(contentsOf: sandbox.folder.appending(path: "modes"), encoding: .utf8)
        #expect(modes == "700\n600\n-x\ntyped\n")
        #expect(try leftovers().isEmpty)
    }

    @Test func `a failed editor leaves the value unchanged`() async throws {
        let session = try edit(with: "echo lost >>\"$2\"; exit 3\n")
        try await session.expect("Ctrl-E: editor")
        session.send("one\u{05}")
        try await session.expect("the editor failed")
        session.send(" two\r")
        try await session.expect(#"{"note":"one two"}"#)
        #expect(try await session.waitForExit() == .status(0))
        #expect(try leftovers().isEmpty)
    }

    @Test func `Ctrl-C reaches only the editor, and SIGTERM ends both the editor and the form`() async throws {
        let session = try edit(with: "trap 'echo interrupted' INT; echo ready; while :; do sleep 0.01; done\n")
        try await session.expect("Ctrl-E: editor")
        session.send("one\u{05}")
        try await session.expect("ready")
        session.send("\u{03}")
        try await session.expect("interrupted")
        kill(session.process, SIGTERM)
        #expect(try await session.waitForExit() == .signal(SIGTERM) && session.isRestored)
        #expect(try leftovers().isEmpty)
    }

    @Test func `the guest book ends with status 1 if the user leaves the form`() throws {
        try sandbox.setUp("ada")
        try sandbox.latchkey("login", "ada", "--password-stdin", input: Sandbox.password + "\n")
        let book = Sandbox.binary.deletingLastPathComponent().appending(path: "guestbook").path
        let ending = try Program(
            path: book, arguments: ["--accounts"], input: Data("good\n".utf8), environment: sandbox.environment,
            folder: sandbox.folder
        ).run()
        #expect(ending.status == 1 && ending.stderr == "guestbook: The book is not signed\n", "\(ending)")
    }

    @Test func `the sample program signs up on any terminal`() async throws {
        let sample = Sandbox.binary.deletingLastPathComponent().appending(path: "sample").path
        let terminals: [(variables: [String: String], columns: Int)] = [
            ([:], 80), (["NO_COLOR": "1"], 30), (["TERM": "dumb"], 80),
        ]
        for (variables, columns) in terminals {
            let environment = sandbox.environment.merging(variables) { _, new in new }
            let session = try PtySession(sample, environment: environment, columns: columns, rows: 8)
            let isPlain = variables["TERM"] == "dumb"
            if isPlain {
                try await session.expect("Name: ")
            } else {
                try await session.settle(showing: "Enter: next", columns: columns, rows: 8)
                #expect(session.screen(columns: columns, rows: 8).text.contains("Esc: cancel"))
            }
            session.send("Ada\rada@example.org\rcorrect horse battery\r\r")
            try await session.expect("Welcome to the reading club")
            #expect(try await session.waitForExit() == .status(0) && session.isRestored)
            let output = String(decoding: session.pty.output, as: UTF8.self)
            #expect(output.contains("\u{1B}") != isPlain)
            #expect(output.contains(/\u{1B}\[[0-9]+m/) == variables.isEmpty, "\(variables)")
        }
        let left = try PtySession(sample, environment: sandbox.environment)
        try await left.settle(showing: "Enter: next")
        left.send("\u{1B}")
        #expect(try await left.waitForExit() == .status(1))
        // It can be linked statically: no library of tests is in it.
        #expect(try !Data(contentsOf: URL(filePath: sample)).contains(Data("libTesting.so".utf8)))
        let lines = try String(
            contentsOf: URL(filePath: #filePath).appending(path: "../../../Examples/Sample/Sample.swift").standardized,
            encoding: .utf8
        ).split(separator: "\n", omittingEmptySubsequences: false).count
        #expect(lines <= 33, "32 lines, and a line break at the end")
    }

    @Test func `forms try refuses invalid values like every other command`() throws {
        let refused = try order("--shirt-size", "XL", "--pin-stdin", input: "1\n")
        #expect(refused.status == 65 && refused.stderr.contains("--shirt-size: Size must be one of: S, M"))
        let missing = try order("--note", "soon")
        #expect(missing.status == 64 && missing.stderr.contains("--shirt-size: ") && missing.stderr.contains("--pin-"))
        let secret = try order("--shirt-size", "S", "--pin", "canary-4711")
        #expect(secret.status == 64 && !(secret.stdout + secret.stderr).contains("4711"))
    }

    @Test func `the form file comes before its flags, can be a pipe and must be valid`() throws {
        #expect(try sandbox.latchkey("forms", "try").status == 64)
        let behind = try sandbox.latchkey("forms", "try", "--shirt-size", "M", file.path)
        #expect(behind.status == 64 && behind.stderr.contains("FILE"))
        #expect(try sandbox.latchkey("forms", "try", "nowhere.json").status == 66)
        let help = try sandbox.latchkey("forms", "try", file.path, "--help")
        #expect(help.status == 0 && help.stdout.contains("--shirt-size VALUE"))
        #expect(try sandbox.latchkey("forms", "try", "--help").status == 0)
        let piped = try sandbox.shell("echo 1 | latchkey forms try <(cat order.json) --shirt-size M --pin-stdin")
        #expect(piped.status == 0 && piped.stdout.contains("\"M\""))
        try Data("{\n\"form\": 1}".utf8).write(to: file)
        let broken = try order("--shirt-size", "M")
        #expect(broken.status == 78 && broken.stderr.contains("order.json:2:9: "))
    }
}
