import Foundation
import TestSupport
import Testing

/// Tab completion in a real bash without the package bash-completion.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct BashCompletionTests {
    /// The typed text before Tab and the completed line, each word in angle brackets.
    struct Case: Sendable, CustomTestStringConvertible {
        let typed: String
        let words: String

        var testDescription: String { typed }
    }

    /// Escape and an asterisk insert all completions, sorted.
    private static let all = "\u{1B}*"

    private static let cases = [
        Case(typed: "acc\t", words: "<accounts>"),
        Case(typed: "accounts crea\t", words: "<accounts><create>"),
        Case(typed: "--json accounts crea\t", words: "<--json><accounts><create>"),
        Case(typed: "--store x accounts crea\t", words: "<--store><x><accounts><create>"),
        Case(typed: "--store=x accounts crea\t", words: "<--store=x><accounts><create>"),
        Case(typed: "accounts create ada --ema\t", words: "<accounts><create><ada><--email>"),
        Case(typed: "accounts create --password-s\t", words: "<accounts><create><--password-stdin>"),
        Case(typed: "accounts list --pol\t", words: "<accounts><list><--policy>"),
        Case(typed: "serve --bi\t", words: "<serve><--bind>"),
        Case(typed: "accounts list --database acc\t", words: "<accounts><list><--database><accounts 1.sqlite>"),
        Case(typed: "policy show --policy n\t", words: "<policy><show><--policy><nist>"),
        Case(typed: "policy show --policy=n\t", words: "<policy><show><--policy=nist>"),
        Case(typed: "policy show --policy=\(all)", words: "<policy><show><--policy=nist><standard>"),
        Case(typed: "audit list --event authn_login_succ\t\t", words: "<audit><list><--event><authn_login_success>"),
        Case(typed: "audit list --event pepper_ad\t", words: "<audit><list><--event><pepper_added>"),
        Case(typed: "audit list --event=pepper_ad\t", words: "<audit><list><--event=pepper_added>"),
        Case(typed: "--open for\t", words: "<--open><forgot-password>"),
        Case(typed: "--lang \(all)", words: "<--lang><en><pt>"),
        Case(typed: "completions \(all)", words: "<completions><bash><fish><zsh>"),
        Case(typed: "forms show resetP\t", words: "<forms><show><resetPassword>"),
        Case(typed: "validate --form dele\t", words: "<validate><--form><deleteAccount>"),
        // Files, with characters that need quoting.
        Case(typed: "--store acc\t", words: "<--store><accounts 1.sqlite>"),
        Case(typed: "--store=acc\t", words: "<--store=accounts 1.sqlite>"),
        Case(typed: "store restore acc\t", words: "<store><restore><accounts 1.sqlite>"),
        Case(typed: "forms check fo\t", words: "<forms><check><folder/>"),
        Case(typed: "setup --password-file=acc\t", words: "<setup><--password-file=accounts 1.sqlite>"),
        // A program and its arguments.
        Case(typed: "run -- mktem\t", words: "<run><--><mktemp>"),
        Case(typed: "run -- cat acc\t", words: "<run><--><cat><accounts 1.sqlite>"),
        Case(typed: "run --js\t", words: "<run><--json>"),
        Case(typed: "checkpassword --sour\t", words: "<checkpassword><--source>"),
        Case(typed: "checkpassword mktem\t", words: "<checkpassword><mktemp>"),
        Case(
            typed: "checkpassword --source 192.0.2.1 cat acc\t",
            words: "<checkpassword><--source><192.0.2.1><cat><accounts 1.sqlite>"),
        Case(typed: "checkpassword cat --js\t", words: "<checkpassword><cat><--js>"),
        // Free text has no completions: neither files nor accounts.
        Case(typed: "accounts show a\t", words: "<accounts><show><a>"),
        Case(typed: "setup --username a\t", words: "<setup><--username><a>"),
        Case(typed: "--hash-memory a\t", words: "<--hash-memory><a>"),
        Case(typed: "nonsense a\t", words: "<nonsense><a>"),
        Case(typed: "accounts list -- --js\t", words: "<accounts><list><--><--js>"),
        // Aliases lead to the words of their commands, and are offered if no command begins like the word.
        Case(typed: "user cre\t", words: "<user><create>"),
        Case(typed: "passw\t", words: "<passwd>"),
        Case(typed: "accounts renam\t", words: "<accounts><rename>"),
        Case(typed: "user rm --ye\t", words: "<user><rm><--yes>"),
        Case(typed: "config set service.origi\t", words: "<config><set><service.origin>"),
        // Only flags can follow an operand.
        Case(typed: "forms show login --qui\t", words: "<forms><show><login><--quiet>"),
    ]

    private func start(_ sandbox: Sandbox, _ flags: String = "") async throws -> PtySession {
        for name in ["accounts 1.sqlite", "folder/x"] {
            let file = sandbox.folder.appending(path: name)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: file)
        }
        let script = try sandbox.shell("latchkey completions bash \(flags)")
        try #require(script.status == 0 && script.stderr.isEmpty, "\(script.stderr)")
        let file = sandbox.folder.appending(path: "complete.bash")
        try Data((script.stdout + Self.shell).utf8).write(to: file)
        var environment = sandbox.environment
        environment["TERM"] = "dumb"
        environment["INPUTRC"] = "/dev/null"
        let bash = try PtySession(
            "/bin/bash", ["--noprofile", "--rcfile", file.path, "-i"], environment: environment, columns: 200)
        try await bash.expect("ready>")
        return bash
    }

    /// The program prints its arguments instead of running the command.
    private static let shell = """
        latchkey() { printf '<%s>' "$@"; echo; }
        bind 'set bell-style none'
        bind 'set page-completions off'
        bind 'set completion-query-items 0'
        cd
        PS1='ready>'

        """

    @Test func `Tab completes commands, flags, values and files`() async throws {
        let sandbox = try Sandbox()
        // The folder is part of the completion.
        defer { withExtendedLifetime(sandbox) {} }
        let bash = try await start(sandbox)
        for row in Self.cases {
            bash.send("latchkey " + row.typed + "\r")
            do {
                try await bash.expect("\n" + row.words + "\r\n")
            } catch {
                Issue.record("\(row.typed): \(String(decoding: bash.pty.output.suffix(400), as: UTF8.self))")
                return
            }
            try await bash.expect("ready>")
        }
    }

    /// Text of a form is data: the completion never runs it.
    @Test func `the fields of a custom form are completed without running a command`() async throws {
        let sandbox = try Sandbox()
        let forms = sandbox.folder.appending(path: "forms")
        try FileManager.default.createDirectory(at: forms, withIntermediateDirectories: true)
        let field = #"""
            "fields": [{"apiKey": "size", "placeholder": "Size 'of' $(touch made) `touch made` : [x]", "rules": [
                {"rule": "oneOf", "values": ["$(touch made)", "`touch made`", "it's", "Extra large", "a\\b"]}]},
            """#
        let setup = try String(contentsOf: Sandbox.shippedForm("setup"), encoding: .utf8)
        try Data(setup.replacingOccurrences(of: "\"fields\": [", with: field).utf8)
            .write(to: forms.appending(path: "setup.json"))
        let bash = try await start(sandbox, "--forms forms")
        for (typed, words) in [
            ("accounts create ada --si\t", "<accounts><create><ada><--size>"),
            ("setup --size Ex\t", "<setup><--size><Extra large>"),
            ("setup --size=Ex\t", "<setup><--size=Extra large>"),
            (
                "setup --size \(Self.all)",
                "<setup><--size><Extra large><$(touch made)><`touch made`><a\\b><it's>"
            ),
            ("setup --size i\t", "<setup><--size><it's>"),
        ] {
            bash.send("latchkey " + typed + "\r")
            try await bash.expect("\n" + words + "\r\n")
        }
        #expect(!FileManager.default.fileExists(atPath: sandbox.folder.appending(path: "made").path))
        for shell in ["zsh", "fish"] {
            let script = try sandbox.latchkey("completions", shell, "--forms", "forms").stdout
            try OtherShellTests.check(script, shell, sandbox)
        }
        #expect(!FileManager.default.fileExists(atPath: sandbox.folder.appending(path: "made").path))
    }

    @Test func `a script for an unknown shell is refused`() throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.latchkey("completions", "csh", "--json")
        #expect(ending.status == 64)
        #expect(try ending.json()["code"] as? String == "unknown_shell")
        #expect(ending.stderr == "latchkey: SHELL must be one of: bash, zsh, fish\n")
        let script = try sandbox.latchkey("completions", "bash", "--json")
        #expect((try script.json()["script"] as? String)?.contains("complete -F _latchkey latchkey") == true)
        #expect(!FileManager.default.fileExists(atPath: sandbox.data.path), "no store is made")
    }
}
