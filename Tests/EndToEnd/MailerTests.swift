import Foundation
import TestSupport
import Testing

/// Delivery of messages from the outbox.
@Suite(.programs, .timeLimit(.minutes(60)))
struct MailerTests {
    /// A sandbox whose configuration passes messages to a script, which runs `body` with the message on its standard
    /// input.
    private func sandbox(_ body: String, arguments: [String] = ["-t"], more: [String: Any] = [:]) throws -> Sandbox {
        let sandbox = try Sandbox()
        let script = sandbox.folder.appending(path: "mailer")
        try ExecutableFile.write(body, to: script)
        try configure(sandbox, more.merging(["mailer": [script.path] + arguments]) { old, _ in old })
        try sandbox.setUp("ada")
        return sandbox
    }

    private func configure(_ sandbox: Sandbox, _ settings: [String: Any]) throws {
        let folder = sandbox.folder.appending(path: ".config/latchkey")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let data = try JSONSerialization.data(withJSONObject: settings)
        try data.write(to: folder.appending(path: "config.json"))
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: folder.appending(path: "config.json").path)
    }

    private func text(_ sandbox: Sandbox, _ name: String) throws -> String {
        try String(contentsOf: sandbox.folder.appending(path: name), encoding: .utf8)
    }

    private func waiting(_ sandbox: Sandbox) throws -> String {
        try sandbox.sqlite("SELECT count(*) || ' ' || coalesce(max(attempts), 0) FROM outbox")
    }

    /// S-65, S-84.
    @Test func `the mailer gets the message unchanged, without a shell, extra variables or descriptors`() throws {
        let sandbox = try sandbox(
            "cat > \"$HOME/got\"; env > \"$HOME/env\"; ls -l /proc/$$/fd > \"$HOME/fds\"; printf '%s|' \"$@\" > \"$HOME/args\"",
            arguments: ["-t", "$(touch pwned)", "a b;*"],
            more: ["service_name": "Analytical Engine", "sender": "Desk <desk@example.org>"])
        let ending = try sandbox.latchkey(
            "forgot-password", "--email", "ada@example.org", environment: ["CANARY": "canary"])
        #expect(ending.status == 0)
        try sandbox.waitForDelivery()
        let message = try text(sandbox, "got")
        #expect(message.contains("To: <ada@example.org>\n"))
        #expect(message.contains("From: Desk <desk@example.org>\n"))
        #expect(message.contains("Subject: Set a new password for Analytical Engine\n"))
        #expect(message.contains(/\n([0-9A-Z]{4}-){5}[0-9A-Z]{4}\n/))
        #expect(try text(sandbox, "args") == "-t|$(touch pwned)|a b;*|")
        #expect(!(try text(sandbox, "env").contains("canary")))
        let descriptors = try text(sandbox, "fds")
        #expect(!descriptors.contains("sqlite") && !descriptors.contains("session"))
        #expect(try waiting(sandbox) == "0 0")
        #expect(!FileManager.default.fileExists(atPath: sandbox.data.appending(path: "outbox").path))
    }

    /// S-65.
    @Test(arguments: ["exit 75", "kill -9 $$"])
    func `a failed delivery is retried when it is due, by the next command that writes`(body: String) throws {
        let sandbox = try sandbox(body)
        #expect(try sandbox.latchkey("forgot-password", "--email", "ada@example.org").status == 0)
        try sandbox.waitForDelivery()
        #expect(try waiting(sandbox) == "1 1")
        // The retry is not due yet.
        try configure(sandbox, ["mailer": ["tee", sandbox.folder.appending(path: "got").path]])
        #expect(try sandbox.latchkey("accounts", "unlock", "ada").status == 0)
        try sandbox.waitForDelivery()
        #expect(try waiting(sandbox) == "1 1")
        _ = try sandbox.sqlite("UPDATE outbox SET next_attempt_at = 0")
        #expect(try sandbox.latchkey("accounts", "unlock", "ada").status == 0)
        try sandbox.waitForDelivery()
        #expect(try waiting(sandbox) == "0 0")
        #expect(try text(sandbox, "got").contains("Set a new password"))
    }

    /// S-65.
    @Test(arguments: [("exit 75", "status 75"), ("kill -9 $$", "signal 9")])
    func `mail that cannot be delivered is reported everywhere`(body: String, reason: String) throws {
        let sandbox = try sandbox(body)
        let first = try sandbox.latchkey("accounts", "recover", "ada", "--send")
        #expect(first.status == 0 && !first.stderr.contains("could not be delivered"), "\(first.stderr)")
        try sandbox.waitForDelivery()
        let second = try sandbox.latchkey("accounts", "recover", "ada", "--send")
        #expect(second.status == 0 && second.stderr.contains(reason), "\(second.stderr)")
        try sandbox.waitForDelivery()
        let check = try sandbox.latchkey("store", "check")
        #expect(check.status == 0 && check.stdout.contains("mail: warning: 2 messages"), "\(check.stdout)")
        #expect(check.stdout.contains(reason))
        let metrics = try PrometheusPage(try sandbox.latchkey("metrics").stdout)
        #expect(try #require(metrics["latchkey_outbox_oldest_seconds"]) >= 0)
        #expect(metrics["latchkey_outbox_messages"] == 2)
        _ = try sandbox.sqlite("UPDATE outbox SET next_attempt_at = 0")
        let maintained = try sandbox.latchkey("store", "maintain", "--json")
        #expect(maintained.status == 69 && maintained.stderr.contains("Next attempt: 20"), "\(maintained.stderr)")
        let json = try maintained.json()
        #expect(json["code"] as? String == "mail_undelivered" && json["messages_failed"] as? Int == 2)
        #expect((json["reason"] as? String)?.contains(reason) == true && json["sessions_ended"] as? Int == 0)
        try configure(sandbox, ["mailer": ["tee", sandbox.folder.appending(path: "got").path]])
        _ = try sandbox.sqlite("UPDATE outbox SET next_attempt_at = 0")
        #expect(try sandbox.latchkey("store", "maintain").status == 0)
        #expect(try sandbox.latchkey("store", "check").stdout.contains("mail: ok"))
    }

    /// S-65.
    @Test func `the service logs and counts each failed delivery, also with --quiet, and stays ready`() async throws {
        let sandbox = try sandbox("exit 75")
        _ = try sandbox.latchkey("accounts", "recover", "ada", "--send")
        try sandbox.waitForDelivery()
        _ = try sandbox.sqlite("UPDATE outbox SET next_attempt_at = 0")
        let health = "unix:" + sandbox.folder.appending(path: "health").path
        let running = try RunningBinary(
            sandbox, ["serve", "--listen", "127.0.0.1:0", "--metrics-listen", health, "--quiet"])
        try running.wait { try running.printed().contains(#""mail":"#) }
        let line = try #require(
            try running.printed().split(separator: "\n").first { $0.hasPrefix("{") && $0.contains(#""mail":"#) })
        let entry = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(entry["level"] as? String == "warning" && entry["attempt"] as? Int == 2)
        #expect(entry["reason"] as? String == "the mailer ended with status 75" && entry["next"] is String)
        #expect(!line.contains("ada@"))
        func page(_ path: String) throws -> String {
            try sandbox.run(
                "/usr/bin/curl", "-sf", "--unix-socket", sandbox.folder.appending(path: "health").path,
                "http://localhost" + path
            ).stdout
        }
        #expect(try PrometheusPage(try page("/metrics"))["latchkey_mail_failures_total"] == 1)
        #expect(try page("/readyz") == "ok\n")
        running.signal(SIGTERM)
        _ = try running.ending()
    }

    /// S-65, S-144.
    @Test func `config check reports a missing mailer and an unusable forms folder`() throws {
        let sandbox = try sandbox("cat >\"$HOME/got\"")
        #expect(try sandbox.latchkey("config", "check").status == 0)
        try configure(sandbox, ["mailer": ["/no/such/mailer"], "forms": "/no/such/forms"])
        let ending = try sandbox.latchkey("config", "check")
        #expect(ending.status == 78, "\(ending.stderr)")
        #expect(ending.stderr.contains("/no/such/mailer") && ending.stderr.contains("/no/such/forms"))
    }

    /// S-146: the mailer waits until the test has seen the end of the command.
    @Test func `a command does not wait for the mailer, and the delivery uses the command's flags`() throws {
        let sandbox = try sandbox("read line < \"$HOME/gate\"; cat > \"$HOME/got\"")
        let made = try sandbox.shell("mkfifo gate; mv .config/latchkey/config.json other.json")
        try #require(made.status == 0)
        let ending = try sandbox.latchkey(
            "forgot-password", "--email", "ada@example.org", "--config", "other.json", "--store", sandbox.store.path)
        #expect(ending.status == 0)
        #expect(try waiting(sandbox).hasPrefix("1 "))
        #expect(!FileManager.default.fileExists(atPath: sandbox.folder.appending(path: "got").path))
        #expect(try sandbox.shell("echo > gate").status == 0)
        try sandbox.waitForDelivery()
        #expect(try text(sandbox, "got").contains("To: <ada@example.org>\n"))
        #expect(try waiting(sandbox) == "0 0")
    }

    /// S-147.
    @Test func `the mailer is not called for an unknown address`() throws {
        let sandbox = try sandbox("touch \"$HOME/called\"")
        let known = try sandbox.latchkey("forgot-password", "--email", "ada@example.org")
        try sandbox.waitForDelivery()
        #expect(FileManager.default.fileExists(atPath: sandbox.folder.appending(path: "called").path))
        try FileManager.default.removeItem(at: sandbox.folder.appending(path: "called"))
        let unknown = try sandbox.latchkey("forgot-password", "--email", "eve@example.org")
        #expect(try waiting(sandbox).hasPrefix("1 ") || waiting(sandbox) == "0 0")
        try sandbox.waitForDelivery()
        #expect(!FileManager.default.fileExists(atPath: sandbox.folder.appending(path: "called").path))
        #expect(try waiting(sandbox) == "0 0")
        #expect(unknown.status == known.status && unknown.stdout == known.stdout.replacing("ada", with: "eve"))
    }

    /// S-146: a process at a terminal sends the message while it continues.
    @Test func `the interactive menu sends a code immediately`() async throws {
        let sandbox = try sandbox("cat > \"$HOME/got\"")
        let session = try PtySession(
            Sandbox.binary.path, ["--open", "forgot-password"], environment: sandbox.environment)
        try await session.expect("E-mail")
        session.send("ada@example.org\r")
        try await session.expect("on its way")
        try sandbox.waitForDelivery()
        #expect(try text(sandbox, "got").contains("To: <ada@example.org>\n"))
        session.send("\u{3}")
        _ = try await session.waitForExit()
    }

    /// S-65.
    @Test func `mailer test reports whether a message was accepted, or the reason for a refusal`() throws {
        let sandbox = try sandbox("cat > \"$HOME/got\"")
        #expect(try sandbox.latchkey("mailer", "test", "eve@example.org").status == 0)
        #expect(try text(sandbox, "got").contains("To: <eve@example.org>"))
        #expect(try sandbox.latchkey("mailer", "test", "no address").status == 65)
        #expect(try sandbox.latchkey("mailer", "test", "a@example.org\nBcc: x@example.org").status == 65)
        try configure(sandbox, ["mailer": ["no-such-program-as-this"]])
        let missing = try sandbox.latchkey("mailer", "test", "eve@example.org")
        #expect(missing.status == 69 && missing.stderr.contains("no-such-program-as-this"))
        try configure(sandbox, ["mailer": ["false"]])
        #expect(try sandbox.latchkey("mailer", "test", "eve@example.org").status == 69)
        for wrong: Any in [
            [String](), ["./relative"], ["a\0b"], "sendmail -t", [1], ["smtp": "mail.example.org"],
            ["smtp": ["url": 1]],
            ["smtp": [:], "more": [:]], [String: String](),
        ] {
            try configure(sandbox, ["mailer": wrong])
            #expect(try sandbox.latchkey("mailer", "test", "eve@example.org").status == 78, "\(wrong)")
        }
        for key in ["service_name", "sender"] {
            try configure(sandbox, [key: "A\nBcc: eve@example.org"])
            #expect(try sandbox.latchkey("mailer", "test", "eve@example.org").status == 78, "\(key)")
        }
    }

    /// A sandbox whose configuration names a mail server, and that server.
    private func sandboxWithServer(
        _ options: [String] = [], settings: [String: String] = [:]
    ) throws -> (Sandbox, FixtureServer) {
        let sandbox = try Sandbox()
        let certificates = try Certificates.shared.get()
        let folder = try TemporaryFolder()
        let password = sandbox.folder.appending(path: "mail-password")
        try Data("s3cret word\n".utf8).write(to: password)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: password.path)
        let login = ["--login", "desk", "s3cret word"]
        let server = try FixtureServer(
            "smtp_server.py", in: folder,
            [try folder.write([], to: "log"), "--tls"] + certificates.local + login + options)
        let smtp = [
            "url": "smtps://localhost:\(server.port)", "user": "desk", "password_file": password.path,
            "from": "Desk <desk@example.org>",
        ]
        try configure(sandbox, ["mailer": ["smtp": smtp.merging(settings) { $1 }]])
        return (sandbox, server)
    }

    private func trusting() throws -> [String: String] { ["SSL_CERT_FILE": try Certificates.shared.get().authority] }

    /// Waits up to a minute until no message is left. `latchkey-service` replaces the delivering process, so that its
    /// name is not always visible.
    private func waitForServer(_ sandbox: Sandbox) throws {
        let deadline = ContinuousClock.now + .seconds(600)
        while try waiting(sandbox) != "0 0" { try #require(ContinuousClock.now < deadline, "nothing was delivered") }
    }

    /// S-165.
    @Test func `a mail server receives messages from every command, and mailer test shows its reply`() throws {
        let (sandbox, server) = try sandboxWithServer()
        try sandbox.setUp("ada")
        let test = try sandbox.latchkey("mailer", "test", "eve@example.org", environment: trusting())
        #expect(
            test.stdout == "The mail server accepted the message for eve@example.org: 250 2.0.0 queued as 12345\n",
            "\(test.stdout)\(test.stderr)")
        let reply = try sandbox.latchkey("mailer", "test", "eve@example.org", "--json", environment: trusting()).json()
        #expect(reply["reply"] as? String == "250 2.0.0 queued as 12345")
        #expect(
            try sandbox.latchkey("forgot-password", "--email", "ada@example.org", environment: trusting()).status == 0)
        try waitForServer(sandbox)
        let messages = try server.messages()
        #expect(messages.count == 3)
        #expect(messages.last?.contains("To: <ada@example.org>\r\n") == true)
        #expect(messages.last?.contains("From: Desk <desk@example.org>\r\n") == true)
        #expect(!FileManager.default.fileExists(atPath: sandbox.data.appending(path: "outbox").path))
    }

    /// S-165.
    @Test func `a mail server without a trusted certificate receives no message`() throws {
        let (sandbox, server) = try sandboxWithServer()
        try sandbox.setUp("ada")
        let ending = try sandbox.latchkey("mailer", "test", "eve@example.org")
        #expect(ending.status == 69 && ending.stderr.contains("certificate"), "\(ending.stderr)")
        #expect(try server.log().isEmpty)
    }

    /// S-165.
    @Test func `a permanently refused message is deleted and audited`() throws {
        let (sandbox, server) = try sandboxWithServer(["--reply", "RCPT=550 5.1.1 no such user"])
        try sandbox.setUp("ada")
        let test = try sandbox.latchkey("mailer", "test", "eve@example.org", environment: trusting())
        #expect(test.status == 69 && test.stderr.contains("550 5.1.1 no such user"), "\(test.stderr)")
        #expect(try sandbox.latchkey("accounts", "recover", "ada", "--send", environment: trusting()).status == 0)
        try waitForServer(sandbox)
        #expect(try server.logged("rcpt").count == 2)
        let audit = try sandbox.latchkey("audit", "list", "--json").stdout
        #expect(audit.contains("mail_refused"), "\(audit)")
    }

    /// S-165.
    @Test(arguments: [
        (["url": "http://localhost"], "\"url\" of \"smtp\" must be"), (["from": "nobody"], "\"from\" of \"smtp\""),
        (["proxy": "no"], "no member \"proxy\""),
        (["tls": "no"], "\"tls\" of \"smtp\" can only be"), (["password_file": "mail"], "absolute path: mail"),
        (["password_file": "/nonexistent"], "/nonexistent does not exist"),
    ])
    func `invalid mail server settings are refused`(wrong: [String: String], words: String) throws {
        let (sandbox, _) = try sandboxWithServer(settings: wrong)
        // Commands that do not deliver messages ignore the setting.
        try sandbox.setUp("ada")
        for command in [["mailer", "test", "eve@example.org"], ["store", "maintain"], ["config", "check"]] {
            let ending = try sandbox.latchkey(command)
            #expect(ending.status == 78 && ending.stderr.contains(words), "\(command): \(ending.stderr)")
        }
    }

    /// S-148.
    @Test func `without a mailer, commands print the outbox folder`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let folder = sandbox.data.appending(path: "outbox/new").path
        for arguments in [["mailer", "test", "ada@example.org"], ["accounts", "recover", "ada", "--send"]] {
            let ending = try sandbox.latchkey(arguments)
            #expect(ending.status == 0 && ending.stdout.contains(" \(folder). No mailer is set"), "\(ending.stdout)")
            #expect(try sandbox.latchkey(arguments + ["--json"]).json()["outbox"] as? String == folder)
        }
        let warning =
            "\"mailer\" is not set: messages stay in \(folder), and nothing sends them."
            + " latchkey config set mailer sendmail -- -t names a program"
        #expect(try sandbox.latchkey("config", "show").stderr == warning + "\n")
        let check = try sandbox.latchkey("store", "check")
        #expect(check.status == 0 && check.stdout.contains("mail: warning: \(warning)\n"), "\(check.stdout)")

        try configure(sandbox, ["mailer": ["true"]])
        for arguments in [["mailer", "test", "ada@example.org"], ["accounts", "recover", "ada", "--send"]] {
            #expect(!(try sandbox.latchkey(arguments).stdout.contains(folder)), "\(arguments)")
            #expect(try sandbox.latchkey(arguments + ["--json"]).json()["outbox"] is NSNull, "\(arguments)")
        }
        #expect(try sandbox.latchkey("config", "show").stderr.isEmpty)
        #expect(try sandbox.latchkey("store", "check").stdout.contains("mail: ok\n"))
    }

    /// S-149.
    @Test func `store maintain deletes old messages`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        #expect(try sandbox.latchkey("mailer", "test", "ada@example.org").status == 0)
        let folder = sandbox.data.appending(path: "outbox/new")
        let old = folder.appending(path: "1700000000.M000000_a.latchkey")
        try Data("old".utf8).write(to: old)
        let report = try sandbox.latchkey("store", "maintain", "--json").json()
        #expect(report["messages_deleted"] as? Int == 1)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
        #expect(!FileManager.default.fileExists(atPath: old.path))
        // An unusable outbox does not stop other work.
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
        #expect(try sandbox.latchkey("store", "maintain").stdout.contains("deleted: 0"))
    }

    /// S-65.
    @Test(arguments: ["a file in its place", "a link in its place", "a folder that may not be written"])
    func `an unusable outbox does not block commands, and messages are delivered later`(fault: String) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let outbox = sandbox.data.appending(path: "outbox")
        let elsewhere = sandbox.folder.appending(path: "elsewhere")
        try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
        switch fault {
        case "a file in its place": try Data().write(to: outbox)
        case "a link in its place":
            // No message may be written to a folder that others can write to.
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: elsewhere.path)
            try FileManager.default.createSymbolicLink(at: outbox, withDestinationURL: elsewhere)
        default:
            try FileManager.default.createDirectory(
                at: outbox, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o777])
        }
        #expect(try sandbox.latchkey("forgot-password", "--email", "ada@example.org").status == 0)
        #expect(try waiting(sandbox) == "1 1")
        let refused = try sandbox.latchkey("mailer", "test", "eve@example.org")
        #expect(refused.status == 77)
        #expect(refused.stderr.contains(outbox.path) || refused.stderr.contains(elsewhere.path), "\(refused.stderr)")
        let there = try FileManager.default.subpathsOfDirectory(atPath: elsewhere.path)
        #expect(!there.contains { $0.hasSuffix(".latchkey") })
        try FileManager.default.removeItem(at: outbox)
        _ = try sandbox.sqlite("UPDATE outbox SET next_attempt_at = 0")
        #expect(try sandbox.latchkey("accounts", "unlock", "ada").status == 0)
        #expect(try waiting(sandbox) == "0 0")
        _ = try sandbox.code()
    }
}
