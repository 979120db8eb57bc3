import Foundation
import TestSupport
import Testing

/// The manual page, checked with mandoc.
@Suite(.programs, .timeLimit(.minutes(60))) struct ManualTests {
    private static let mandoc = "/usr/bin/mandoc"
    private static let isInstalled = FileManager.default.isExecutableFile(atPath: mandoc)

    private func page(_ sandbox: Sandbox, _ flags: String...) throws -> URL {
        let page = try sandbox.latchkey(["manual"] + flags)
        #expect(page.status == 0 && page.stderr.isEmpty)
        #expect(page.stdout.utf8.allSatisfy { $0 == UInt8(ascii: "\n") || (0x20...0x7E).contains($0) })
        let file = sandbox.folder.appending(path: "latchkey.1")
        try Data(page.stdout.utf8).write(to: file)
        return file
    }

    /// The formatted text without bold, and with single spaces.
    private func text(_ file: URL, _ sandbox: Sandbox) throws -> String {
        let text = try sandbox.run(Self.mandoc, "-T", "utf8", "-O", "width=900", file.path)
        #expect(text.status == 0 && text.stderr.isEmpty)
        return text.stdout.replacing(/.\u{8}/, with: "").replacing(#/ +/#, with: " ")
    }

    @Test(.enabled(if: isInstalled, "mandoc is not installed"))
    func `mandoc reports no errors`() throws {
        let sandbox = try Sandbox()
        let lint = try sandbox.run(Self.mandoc, "-T", "lint", "-W", "style", page(sandbox).path)
        // The referenced manual pages need not be installed.
        let complaints = lint.stdout.split(separator: "\n").filter { !$0.contains("referenced manual not found") }
        #expect(complaints == [])
    }

    @Test(.enabled(if: isInstalled, "mandoc is not installed"))
    func `the manual has each command, flag, variable and exit status of the help`() throws {
        let sandbox = try Sandbox()
        let text = try text(page(sandbox), sandbox)
        let help = try sandbox.latchkey("--help-all").stdout
        let commands = try sandbox.commands()
        #expect(commands.count > 50)
        for command in commands {
            let own = try sandbox.latchkey(command.split(separator: " ").map(String.init) + ["--help-all"]).stdout
            // A group lists only its members.
            guard !own.contains("\ncommands:\n") else { continue }
            #expect(text.contains("\n latchkey \(command)\n"), "\(command)")
            for flag in own.matches(of: /\n  (?:-\w, )?(--[a-z-]+(?: [A-Z|a-z]+)?)  +([^\n]+)/) {
                #expect(text.contains(flag.output.1), "\(command): \(flag.output.1)")
                #expect(text.contains(flag.output.2), "\(command): \(flag.output.2)")
            }
            let examples = try #require(own.firstMatch(of: /examples:\n(.+)/.dotMatchesNewlines())).output.1
            for example in examples.split(separator: "\n") {
                #expect(text.contains(example.drop { $0 == " " }), "\(example)")
            }
        }
        for variable in help.matches(of: /LATCHKEY_[A-Z_]+/) { #expect(text.contains(variable.output)) }
        for section in [
            "NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "ENVIRONMENT", "FILES", "EXIT STATUS", "EXAMPLES",
            "SEE ALSO",
            "SECURITY CONSIDERATIONS",
        ] { #expect(text.contains("\n\(section)\n"), "\(section)") }
        for status in help.matches(of: /\n  (\d+)  +([^\n]+)/) { #expect(text.contains(status.output.2)) }
    }

    /// The strings of a form may look like mdoc requests, or contain non-ASCII characters.
    @Test(.enabled(if: isInstalled, "mandoc is not installed"))
    func `the texts of a custom form are shown literally`() throws {
        let sandbox = try Sandbox()
        let forms = sandbox.folder.appending(path: "forms")
        try FileManager.default.createDirectory(at: forms, withIntermediateDirectories: true)
        let texts = [".Sh", "'so /etc/passwd", #"a\fBb \n[x]"#, "-e --x", "\"q\" `x` ^~", "Olá — ça", ".", "Fl Ar"]
        for (index, text) in texts.enumerated() {
            let quoted = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            let field = #"{"apiKey": "own\#(index)", "placeholder": "\#(quoted)", "optional": true},"#
            let setup = try String(contentsOf: Sandbox.shippedForm("setup"), encoding: .utf8)
            try Data(setup.replacingOccurrences(of: "\"fields\": [", with: "\"fields\": [" + field).utf8)
                .write(to: forms.appending(path: "setup.json"))
            let page = try page(sandbox, "--forms", "forms")
            let lint = try sandbox.run(Self.mandoc, "-T", "lint", "-W", "warning", page.path)
            #expect(lint.stdout.isEmpty, "\(lint.stdout)")
            let shown = try self.text(page, sandbox)
            #expect(shown.contains("--own\(index) TEXT"), "\(text)")
            #expect(shown.contains(text), "\(text)")
        }
    }
}
