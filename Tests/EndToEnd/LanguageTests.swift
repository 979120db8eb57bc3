import Foundation
import TestSupport
import Testing

/// The second language changes only the sentences.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct LanguageTests {
    private static let portuguese = ["LC_ALL": "pt_BR.UTF-8"]
    private static let password = "correct horse battery\n"

    @Test func `a user signs up and logs in in Portuguese`() async throws {
        let sandbox = try Sandbox()
        var session = try PtySession(
            Sandbox.binary.path, ["--lang", "pt"], environment: sandbox.environment)
        try await session.expect("Crie a sua conta")
        session.send("ada@example\r")
        try await session.expect("Introduza um endereço de e-mail")
        session.send(".org\r")
        session.send("ada\r")
        try await session.expect("Palavra-passe")
        session.send("correct horse battery\r")
        session.send("correct horse battery\r")
        session.send("\r")
        try await session.expect("Conta ada criada")
        try await session.expect("Sessão iniciada como ada")
        #expect(try await session.waitForExit() == .status(0))
        var shown = String(decoding: session.pty.output, as: UTF8.self)
        try sandbox.latchkey("logout")
        session = try PtySession(Sandbox.binary.path, ["--lang", "pt"], environment: sandbox.environment)
        try await session.expect("Iniciar sessão")
        session.send("ada\rnot the password\r")
        try await session.expect("Nome de utilizador ou palavra-passe errados")
        session.send("correct horse battery\r")
        try await session.expect("Sessão iniciada como ada")
        #expect(try await session.waitForExit() == .status(0))
        #expect(session.isRestored)
        #expect(try sandbox.latchkey("whoami").stdout == "ada\n")
        shown += String(decoding: session.pty.output, as: UTF8.self)
        for english in ["Password", "Username", "Log in", "Create", "Wrong", "Enter: next"] {
            #expect(!shown.contains(english), "\(english)")
        }
    }

    @Test func `line mode is translated to Portuguese too`() async throws {
        let sandbox = try Sandbox()
        let environment = sandbox.environment.merging(["TERM": "dumb", "LANG": "pt_PT.UTF-8"]) { _, new in new }
        let session = try PtySession(Sandbox.binary.path, ["setup"], environment: environment)
        try await session.expect("E-mail")
        session.send("?\n")
        try await session.expect("< volta atrás, ? mostra a ajuda")
        session.send("ada@example.org\n")
        try await session.expect("Nome de utilizador")
        session.send("ada\n")
        try await session.expect("Palavra-passe")
        session.send("correct horse battery\n")
        try await session.expect("outra vez")
        session.send("correct horse battery\n")
        try await session.expect("Criar conta")
        session.send("\n")
        try await session.expect("Conta ada criada")
        #expect(try await session.waitForExit() == .status(0))
    }

    /// The result of a command without its sentences.
    private struct Verdict: Equatable {
        let status: Int32
        let code: String
        let fields: [String]

        init(_ ending: Sandbox.Ending) throws {
            status = ending.status
            let object = try ending.json()
            code = object["code"] as? String ?? ""
            fields = (object["errors"] as? [[String: Any]] ?? []).map { "\($0["field"] ?? ""): \($0["code"] ?? "")" }
        }
    }

    @Test(arguments: ["setup", "login", "accounts create", "run"])
    func `help is in English in every language`(command: String) throws {
        let sandbox = try Sandbox()
        let words = command.split(separator: " ").map(String.init)
        let english = try sandbox.latchkey(words + ["--help-all"])
        #expect(try sandbox.latchkey(words + ["--help-all", "--lang", "pt"]).stdout == english.stdout)
        #expect(try sandbox.latchkey(["help"] + words, environment: Self.portuguese).stdout.contains("flags:"))
    }

    /// Only operators read what `accounts` and `mailer` print, so it is in English.
    @Test(arguments: [["--lang", "pt"], ["--lang=en"], []])
    func `exit statuses and codes do not depend on the language`(flags: [String]) throws {
        let runs: [(arguments: [String], input: String, status: Int32)] = [
            (["setup", "--username", "ada", "--email", "ada@example.org", "--password-stdin"], Self.password, 0),
            (["setup", "--username", "ada", "--email", "ada@example.com", "--password-stdin"], Self.password, 76),
            (["setup", "--username", "a b", "--email", "ada", "--password-stdin"], "short\n", 65),
            (["setup", "--username", "eve"], "", 64), (["login", "--username", "ada", "--password-stdin"], "no\n", 1),
            (["login", "--username", "ada", "--password-stdin"], Self.password, 0), (["lgoin"], "", 64),
            (["accounts", "show", "nobody"], "", 1), (["accounts", "list", "--store", "/nonexistent/x"], "", 66),
            (["setup", "--password", "secret"], "", 64), (["forms", "check", "/nonexistent"], "", 66),
            (["mailer", "test", "no address"], "", 65), (["store", "check"], "", 0),
        ]
        let (english, other) = (try Sandbox(), try Sandbox())
        let environment = flags.isEmpty ? Self.portuguese : [:]
        for run in runs {
            let one = try english.latchkey(run.arguments + ["--json"], input: Data(run.input.utf8))
            let two = try other.latchkey(
                flags + run.arguments + ["--json"], input: Data(run.input.utf8), environment: environment)
            #expect(one.status == run.status, "\(run.arguments): \(one.stderr)")
            #expect(try Verdict(one) == Verdict(two), "\(run.arguments): \(two.stdout)")
            guard run.status != 0 else { continue }
            let isEnglish = flags == ["--lang=en"] || ["accounts", "mailer"].contains(run.arguments[0])
            #expect((one.stderr == two.stderr) == isEnglish, "\(run.arguments): \(two.stderr)")
        }
    }

    @Test func `the language setting is validated and applied`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let file = sandbox.folder.appending(path: "config.json")
        try Data(#"{"lang": "de"}"#.utf8).write(to: file)
        let refused = try sandbox.latchkey("whoami", "--config", file.path, environment: Self.portuguese)
        #expect(refused.status == 78)
        // The error is for operators, so it is in English.
        #expect(refused.stderr.contains("Cannot use the configuration") && refused.stderr.contains("en, pt"))
        let unknown = try sandbox.latchkey("whoami", "--lang", "de")
        #expect(unknown.status == 64 && unknown.stderr.contains("--lang needs one of these languages: en, pt"))
        let variable = try sandbox.latchkey("whoami", environment: ["LATCHKEY_LANG": "de"])
        #expect(variable.status == 64 && variable.stderr.contains("LATCHKEY_LANG"))
        try Data(#"{"lang": "pt"}"#.utf8).write(to: file)
        #expect(
            try sandbox.latchkey("whoami", "--config", file.path).stderr == "latchkey: Não tem sessão iniciada\n")
        #expect(
            try sandbox.latchkey("whoami", "--config", file.path, "--lang", "en").stderr
                == "latchkey: You are not signed in\n")
    }

    @Test func `mail is in the language of the command that sends it, with ASCII headers`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let ending = try sandbox.latchkey(
            "forgot-password", "--email", "ada@example.org", "--lang", "pt",
            environment: ["LATCHKEY_SERVICE_NAME": "Küche", "LATCHKEY_SENDER": "Küche <desk@example.org>"])
        #expect(ending.status == 0)
        let code = try sandbox.code()
        let new = sandbox.data.appending(path: "outbox/new")
        let files = try FileManager.default.contentsOfDirectory(at: new, includingPropertiesForKeys: nil)
        let texts = try files.map { try String(contentsOf: $0, encoding: .utf8) }
        let message = try #require(texts.first { $0.contains(code) })
        #expect(
            message.contains(
                "\nSubject: =?utf-8?b?TyBzZXUgY8OzZGlnbyBkZSByZWN1cGVyYcOnw6NvIGRlIEvDvGNo?=\n =?utf-8?b?ZQ==?=\n"))
        #expect(message.contains("\nFrom: =?utf-8?b?S8O8Y2hl?=\n <desk@example.org>\n"))
        #expect(
            message.contains(
                "\nRecebemos um pedido para recuperar a sua conta de Küche. O seu código é\n\n\(code)\n"))
        let head = message.prefix { $0 != "\n" } + message.split(separator: "\n\n")[0]
        #expect(head.utf8.allSatisfy { $0 < 0x80 })
    }

    @Test func `mail texts can be changed in the configuration`() throws {
        let sandbox = try Sandbox()
        let file = sandbox.folder.appending(path: "config.json")
        try Data(#"{"messages": {"mail.recovery.text": "Hello from {service}:"}}"#.utf8).write(to: file)
        try sandbox.setUp("ada")
        let run = ["forgot-password", "--email", "ada@example.org", "--config", file.path]
        #expect(try sandbox.latchkey(run).status == 0)
        let code = try sandbox.code()
        let ending = try sandbox.run("/usr/bin/grep", "-rh", "-A2", "Hello from", sandbox.data.path + "/outbox/new")
        #expect(ending.stdout == "Hello from Latchkey:\n\n\(code)\n")
        try Data(#"{"messages": {"mail.recovery.text": "{code}"}}"#.utf8).write(to: file)
        #expect(try sandbox.latchkey(run).status == 78)
    }

    @Test func `a custom message that is no longer used causes a warning`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let file = sandbox.folder.appending(path: "config.json")
        try Data(#"{"mailer": ["true"], "messages": {"mail.recovery.end": "It lasts ten minutes, {service}."}}"#.utf8)
            .write(to: file)
        for command in [["accounts", "list"], ["config", "show"]] {
            let ending = try sandbox.latchkey(command + ["--config", file.path])
            #expect(ending.status == 0)
            #expect(
                ending.stderr
                    == "The setting \"messages\" still has \"mail.recovery.end\", which this version no longer uses. "
                    + "Remove it\n")
            #expect(try sandbox.latchkey(command + ["--config", file.path, "--quiet"]).stderr.isEmpty)
        }
    }
}
