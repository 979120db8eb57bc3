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

    @Test func `the translations of the package are complete`() throws {
        let sandbox = try Sandbox()
        let english = try sentences(of: sandbox.latchkey("messages", "export", "en").stdout)
        #expect(english.count > 800)
        // Names of keys and standards, and words that are the same in German.
        let same: Set<String> = [
            "factor.uri", "keys.submit", "form.addFactor.code.label", "form.profile.code.label",
            "form.resetPassword.code.label", "form.secondFactor.code.label", "form.optional", "web.optional",
            "list.id", "list.name", "page.passkey_name", "web.passkeys", "time.in_minutes",
            "form.setup.email_field.label", "form.profile.email_field.label", "form.forgotPassword.email_field.label",
        ]
        for name in ["de", "pt"] {
            let file = SourceTree.path(of: "Languages/\(name).json")
            let checked = try sandbox.latchkey("messages", "check", file)
            #expect(checked.status == 0 && checked.stdout.hasSuffix("complete, \(english.count) sentences\n"))
            #expect(checked.stderr == "")
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let translated = try sentences(of: text)
            let equal = translated.filter { code, sentence in
                // Placeholders and strings without words: "{check}: ok".
                let hasWords = sentence.replacing(/\{\w+\}/, with: "").contains(/[A-Za-z]{2,}/)
                let label = code.replacing(".placeholder", with: ".label")
                return hasWords && english[code] == sentence && !same.contains(label)
            }
            #expect(equal == [:])
            let exported = try sandbox.latchkey(
                "messages", "export", name, "--languages", SourceTree.path(of: "Languages"))
            #expect(exported.stdout == text, "the file has the order and the form of an export")
        }
    }

    private func sentences(of text: String) throws -> [String: String] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: String])
    }

    @Test func `the check of a translation reports every problem`() throws {
        let sandbox = try Sandbox()
        let file = sandbox.folder.appending(path: "fr.json")
        var translation = try sentences(of: sandbox.latchkey("messages", "export", "en").stdout)
        translation["link.login"] = ""
        translation["link.setup"] = nil
        translation["rule.min_length"] = "{minimum}"
        translation["rule.of_another_version"] = "x"
        try JSONSerialization.data(withJSONObject: translation).write(to: file)
        let checked = try sandbox.latchkey("messages", "check", file.path)
        #expect(checked.status == 78)
        let lines = checked.stderr.split(separator: "\n").map(String.init)
        #expect(lines.first == "latchkey: Problems in translations: 4" && lines.count == 5)
        for line in [
            #"\#(file.path): "link.login" is missing"#, #"\#(file.path): "link.setup" is missing"#,
            #"\#(file.path): "rule.of_another_version" does not exist in this version"#,
        ] { #expect(lines.contains("  " + line), "\(checked.stderr)") }
        #expect(checked.stderr.contains(#""rule.min_length" must contain {field}, {minimum} and no other names"#))
        let json = try sandbox.latchkey("messages", "check", file.path, "--json").json()
        #expect((json["errors"] as? [Any])?.count == 4)
        let broken = try sandbox.latchkey("messages", "check", "/nonexistent/de.json")
        #expect(broken.status == 66)
        #expect(try sandbox.latchkey("messages", "export", "xx").status == 64)
    }

    /// S-246.
    @Test func `a file adds a language to forms, errors, commands and mail`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let german = ["LC_ALL": "de_AT.UTF-8", "LATCHKEY_LANGUAGES": SourceTree.path(of: "Languages")]
        #expect(try sandbox.latchkey("whoami", environment: german).stderr == "latchkey: Sie sind nicht angemeldet\n")
        #expect(try sandbox.latchkey("lgoin", environment: german).stderr.contains("Meinten Sie"), "an early error")
        #expect(try sandbox.latchkey("lgoin", "--lang", "pt", environment: german).stderr.contains("Queria dizer"))
        let form = try sandbox.latchkey("forms", "show", "setup", environment: german).stdout
        #expect(form.contains("Benutzername") && !form.contains("Username"))
        #expect(try sandbox.latchkey("accounts", "show", "eve", environment: german).stderr.contains("No such account"))
        try sandbox.latchkey("forgot-password", "--email", "ada@example.org", environment: german)
        let mail = try sandbox.run("/usr/bin/grep", "-rh", "Ihr Code lautet", sandbox.data.path + "/outbox/new")
        #expect(mail.status == 0)
        let shown = try sandbox.latchkey("config", "show", environment: german).stdout
        #expect(shown.contains("lang = de  (LC_ALL)"))
        let folder = sandbox.folder.appending(path: "languages")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try Data("{\"link.login\": \"{x}\"}".utf8).write(to: folder.appending(path: "de.json"))
        for words in [["whoami", "--lang", "de"], ["config", "check"]] {
            let refused = try sandbox.latchkey(words + ["--languages", folder.path])
            #expect(refused.status == 78 && refused.stderr.contains("de.json:1:16: "), "\(refused.stderr)")
        }
        #expect(try sandbox.latchkey("whoami", "--languages", "/nonexistent").status == 66)
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
                == "latchkey: You are not logged in\n")
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
                "\nSubject: =?utf-8?b?Tm92YSBwYWxhdnJhLXBhc3NlIHBhcmEgS8O8Y2hl?=\n"))
        #expect(message.contains("\nFrom: =?utf-8?b?S8O8Y2hl?=\n <desk@example.org>\n"))
        #expect(
            message.contains(
                "\nRecebemos um pedido para definir uma nova palavra-passe da sua conta de Küche.\n\nO seu código é\n\n\(code)\n"
            ))
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
        let ending = try sandbox.run("/usr/bin/grep", "-rh", "-A4", "Hello from", sandbox.data.path + "/outbox/new")
        #expect(ending.stdout == "Hello from Latchkey:\n\nYour code is\n\n\(code)\n")
        try Data(#"{"messages": {"mail.recovery.text": "{code}"}}"#.utf8).write(to: file)
        #expect(try sandbox.latchkey(run).status == 78)
    }

    @Test func `an unused custom message causes a warning`() throws {
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
