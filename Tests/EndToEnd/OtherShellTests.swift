import Foundation
import TestSupport
import Testing

/// The completions for zsh and fish. `scripts/install-packages test` installs both shells.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct OtherShellTests {
    static func path(_ shell: String) throws -> String {
        let paths = ["/usr/bin/", "/bin/"].map { $0 + shell }
        return try #require(
            paths.first { FileManager.default.isExecutableFile(atPath: $0) },
            "\(shell) is not installed: scripts/install-packages test")
    }

    /// Expects the shell to accept the script.
    static func check(_ script: String, _ shell: String, _ sandbox: Sandbox) throws {
        let path = try path(shell)
        let file = sandbox.folder.appending(path: "completion.\(shell)")
        try Data(script.utf8).write(to: file)
        let ending = try sandbox.run(path, "-n", file.path)
        #expect(ending.status == 0 && ending.stderr.isEmpty, "\(shell): \(ending.stderr)")
    }

    @Test(arguments: ["zsh", "fish"])
    func `the shell accepts the script`(shell: String) throws {
        let sandbox = try Sandbox()
        let script = try sandbox.latchkey("completions", shell)
        #expect(script.status == 0 && script.stdout.split(separator: "\n").count > 200)
        try Self.check(script.stdout, shell, sandbox)
    }

    @Test func `fish completes commands, flags and values with descriptions`() throws {
        let sandbox = try Sandbox()
        try Data().write(to: sandbox.folder.appending(path: "accounts 1.sqlite"))
        try FileManager.default.createDirectory(
            at: sandbox.folder.appending(path: "folder"), withIntermediateDirectories: false)
        let script = try sandbox.latchkey("completions", "fish").stdout
        try Data(script.utf8).write(to: sandbox.folder.appending(path: "completion.fish"))
        let lines = [
            "acc", "accounts crea", "--store x accounts crea", "accounts create ada --require",
            "policy show --policy ", "policy show --policy=n", "audit list --event pepper_ad", "completions ",
            "forms show resetP", "--store acc", "--store=acc", "forms check fo", "run -- /bin/tru",
            "checkpassword /bin/tru", "checkpassword cat acc", "checkpassword --sour", "accounts show a",
            "setup --username a", "accounts list -- --js", "whoami ", "accounts ", "user crea", "passw",
        ]
        // Runs one fish for all lines, because it starts slowly.
        let asked = lines.map { "complete -C 'latchkey \($0)'; echo end" }.joined(separator: "\n")
        let ending = try sandbox.run(
            try Self.path("fish"), "--no-config", "-c", "source completion.fish\n" + asked)
        #expect(ending.status == 0 && ending.stderr.isEmpty, "\(ending.stderr)")
        let answers = ("\n" + ending.stdout).components(separatedBy: "\nend")
        try #require(answers.count == lines.count + 1)
        let offers = Dictionary(
            uniqueKeysWithValues: zip(lines, answers.map { $0.split(separator: "\n").map(String.init) }))
        func offered(_ typed: String) throws -> [String] { try #require(offers[typed], "\(typed) is not asked") }
        func names(_ typed: String) throws -> [String] {
            try offered(typed).map { String($0.prefix { $0 != "\t" }) }
        }
        #expect(try offered("acc") == ["accounts\tAdminister accounts"])
        #expect(try offered("accounts crea") == ["create\tCreate an account"])
        #expect(try names("--store x accounts crea") == ["create"])
        #expect(
            try offered("accounts create ada --require") == [
                "--require-change\tRequire another password at the first login"
            ])
        #expect(try names("policy show --policy ") == ["nist", "standard"])
        #expect(try names("policy show --policy=n") == ["--policy=nist"])
        #expect(try names("audit list --event pepper_ad") == ["pepper_added"])
        #expect(try names("completions ") == ["bash", "fish", "zsh"])
        #expect(try names("forms show resetP") == ["resetPassword"])
        #expect(try names("--store acc") == ["accounts 1.sqlite"])
        #expect(try names("--store=acc") == ["--store=accounts 1.sqlite"])
        #expect(try names("forms check fo") == ["folder/"])
        #expect(try names("run -- /bin/tru").contains("/bin/true"))
        #expect(try names("checkpassword /bin/tru").contains("/bin/true"))
        #expect(try names("checkpassword cat acc") == ["accounts 1.sqlite"])
        #expect(try names("checkpassword --sour") == ["--source"])
        #expect(try names("accounts show a") == [])
        #expect(try names("setup --username a") == [])
        #expect(try names("accounts list -- --js") == [])
        #expect(try names("whoami ").contains("--json"))
        // Aliases lead to the words of their commands, and are offered if no command begins like the word.
        #expect(try names("user crea") == ["create"])
        #expect(try offered("passw") == ["passwd\tchange-password"])
        #expect(try names("accounts ").contains("list") && !names("accounts ").contains("--json"))
    }

    /// Tab completion. The program prints its arguments instead of running the command.
    @Test func `zsh completes commands, flags and values`() async throws {
        let sandbox = try Sandbox()
        try Data().write(to: sandbox.folder.appending(path: "accounts 1.sqlite"))
        let script = try sandbox.latchkey("completions", "zsh").stdout
        let folder = sandbox.folder.appending(path: "functions")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try Data(script.utf8).write(to: folder.appending(path: "_latchkey"))
        let settings = """
            fpath=(~/functions $fpath)
            autoload -Uz compinit && compinit -u -D
            latchkey() { printf '<%s>' "$@"; print }
            unsetopt beep prompt_sp prompt_cr zle_bracketed_paste
            bindkey '^I' complete-word
            zle_highlight=(none)
            PS1='ready>'

            """
        try Data(settings.utf8).write(to: sandbox.folder.appending(path: ".zshrc"))
        var environment = sandbox.environment
        environment["TERM"] = "dumb"
        environment["ZDOTDIR"] = sandbox.folder.path
        let zsh = try PtySession(
            try Self.path("zsh"), ["--no-globalrcs", "-i"], environment: environment, columns: 200)
        try await zsh.expect("ready>")
        zsh.send("cd\r")
        try await zsh.expect("ready>")
        for (typed, words) in [
            ("acc\t", "<accounts>"), ("accounts crea\t", "<accounts><create>"),
            ("--store x accounts crea\t", "<--store><x><accounts><create>"),
            ("accounts create ada --ema\t", "<accounts><create><ada><--email>"),
            ("policy show --policy n\t", "<policy><show><--policy><nist>"),
            ("policy show --policy=n\t", "<policy><show><--policy=nist>"),
            ("audit list --event pepper_ad\t", "<audit><list><--event><pepper_added>"),
            ("completions ba\t", "<completions><bash>"), ("forms show resetP\t", "<forms><show><resetPassword>"),
            ("--store acc\t", "<--store><accounts 1.sqlite>"), ("--store=acc\t", "<--store=accounts 1.sqlite>"),
            ("run -- /bin/mktem\t", "<run><--></bin/mktemp>"), ("accounts show a\t", "<accounts><show><a>"),
            ("checkpassword /bin/mktem\t", "<checkpassword></bin/mktemp>"),
            ("checkpassword cat acc\t", "<checkpassword><cat><accounts 1.sqlite>"),
            ("checkpassword --sour\t", "<checkpassword><--source>"),
            ("accounts list -- --js\t", "<accounts><list><--><--js>"),
            ("user crea\t", "<user><create>"), ("passw\t", "<passwd>"),
        ] {
            zsh.send("latchkey " + typed + "\r")
            do {
                try await zsh.expect("\n" + words)
            } catch {
                Issue.record("\(typed): \(String(decoding: zsh.pty.output.suffix(400), as: UTF8.self))")
                return
            }
            try await zsh.expect("ready>")
        }
    }
}
