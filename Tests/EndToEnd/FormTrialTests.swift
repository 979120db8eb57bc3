import Foundation
import TestSupport
import Testing

/// `latchkey forms try`: fills in one form by flags or in a terminal, without any effect.
@Suite(.programs) struct FormTrialTests {
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

    @Test func `prints the given values without secrets and uses no store`() throws {
        let ending = try order("--shirt-size", " M ", "--pin-stdin", input: "canary-4711\n")
        #expect(ending.status == 0 && ending.stderr.isEmpty)
        #expect(ending.stdout == #"{"shirt_size":"M","note":""}"# + "\n")
        let json = try order("--json", "--shirt-size=M", "--note", "soon", "--pin-stdin", input: "canary-4711\n")
        #expect(json.stdout.contains(#""ok":true"#) && !json.stdout.contains("4711"))
        #expect(try json.json()["values"] as? [String: String] == ["shirt_size": "M", "note": "soon"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path) == ["order.json"])
    }

    @Test func `asks in a terminal for values that no flag gives`() async throws {
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
    @Test func `asks in a terminal for optional fields that no flag gives`() async throws {
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

    @Test func `refuses invalid values like every other command`() throws {
        let refused = try order("--shirt-size", "XL", "--pin-stdin", input: "1\n")
        #expect(refused.status == 65 && refused.stderr.contains("--shirt-size: Size must be one of: S, M"))
        let missing = try order("--note", "soon")
        #expect(missing.status == 64 && missing.stderr.contains("--shirt-size: ") && missing.stderr.contains("--pin-"))
        let secret = try order("--shirt-size", "S", "--pin", "canary-4711")
        #expect(secret.status == 64 && !(secret.stdout + secret.stderr).contains("4711"))
    }

    @Test func `the file comes before its flags, can be a pipe and must be valid`() throws {
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
