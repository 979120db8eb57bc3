import Foundation
import TestSupport
import Testing

/// The commands of an account's owner through a service: `--server`.
@Suite(.programs, .timeLimit(.minutes(60))) struct ServerFlagTests {
    /// A service on a Unix socket, and a client that could be on another machine.
    private struct Pair {
        let service: Sandbox
        let client: Sandbox
        let running: RunningBinary

        init(_ flags: [String] = []) throws {
            service = try Sandbox()
            client = try Sandbox()
            let running = try RunningBinary(
                service, ["serve", "--listen", "unix:" + service.folder.path + "/http"] + flags)
            self.running = running
            try running.wait { try running.printed().contains("Serving") }
        }

        var server: String { "unix:" + service.folder.path + "/http" }

        @discardableResult
        func latchkey(_ arguments: String..., input: String = "") throws -> Sandbox.Ending {
            try client.latchkey(["--server", server] + arguments, input: Data(input.utf8))
        }

        func signIn() throws {
            try service.setUp("ada")
            let login = try latchkey("login", "ada", "--password-stdin", input: Sandbox.password + "\n")
            try #require(login.status == 0, "\(login.stderr)")
        }
    }

    @Test func `an account is created, used and deleted through a service`() throws {
        let pair = try Pair()
        let setup = try pair.latchkey(
            "setup", "--username", "ada", "--email", "ada@example.org", "--password-stdin",
            input: Sandbox.password + "\n")
        #expect(setup.status == 0 && setup.stdout == "Account ada created\n", "\(setup.stderr)")
        let wrong = try pair.latchkey("login", "ada", "--password-stdin", input: "wrong\n")
        #expect(wrong.status == 1 && wrong.stderr.contains("Wrong username or password"))
        #expect(try pair.latchkey("login", "ada", "--password-stdin", input: Sandbox.password + "\n").status == 0)
        #expect(try pair.latchkey("whoami").stdout == "ada\n")
        #expect(try pair.latchkey("profile", "--username", "countess").stdout == "Saved\n")
        let run = try pair.latchkey("run", "--", "sh", "-c", "echo $LATCHKEY_ACCOUNT_NAME")
        #expect(run.stdout == "countess\n", "\(run.stderr)")
        let change = try pair.latchkey(
            "change-password", "--current-password-stdin", "--password-stdin",
            input: Sandbox.password + "\nanother long password\n")
        #expect(change.status == 0, "\(change.stderr)")
        #expect(try pair.latchkey("forgot-password", "--email", "ada@example.org").status == 0)
        let code = try pair.service.code()
        let reset = try pair.latchkey(
            "reset-password", "--code-stdin", "--password-stdin", input: code + "\na third long password\n")
        #expect(reset.status == 0, "\(reset.stderr)")
        #expect(try pair.latchkey("whoami").status == 1)
        let again = try pair.latchkey("login", "countess", "--password-stdin", input: "a third long password\n")
        #expect(again.status == 0)
        let delete = try pair.latchkey("delete-account", "--current-password-stdin", input: "a third long password\n")
        #expect(delete.status == 0, "\(delete.stderr)")
        #expect(try pair.service.latchkey("accounts", "list").stdout.isEmpty)
        // Only the session was ever stored on the client.
        #expect(!FileManager.default.fileExists(atPath: pair.client.data.path))
    }

    @Test func `sessions are listed and ended through a service`() throws {
        let pair = try Pair()
        try pair.signIn()
        let other = try pair.latchkey(
            "login", "ada", "--password-stdin", "--print-token", input: Sandbox.password + "\n")
        let token = other.stdout
        #expect(try pair.latchkey("sessions", "list").stdout.split(separator: "\n").count == 2)
        #expect(try pair.latchkey("sessions", "list").stdout.contains("latchkey"))
        #expect(try pair.latchkey("sessions", "revoke", "00000000").status == 1)
        #expect(try pair.latchkey("sessions", "revoke", "../account").status == 1)
        #expect(try pair.latchkey("sessions", "revoke", "--others").stdout == "1 session ended\n")
        #expect(try pair.service.latchkey("sessions", "verify", input: token).status == 1)
        #expect(try pair.latchkey("sessions", "revoke", "--all").stdout == "1 session ended\n")
        #expect(try pair.latchkey("whoami").status == 1)
        #expect(!FileManager.default.fileExists(atPath: pair.client.session.path))
        #expect(try pair.latchkey("logout").stdout == "You were not logged in\n")
    }

    @Test func `a second factor is added, used and removed through a service`() throws {
        let pair = try Pair()
        try pair.signIn()
        let factor = try pair.service.addFactor { arguments, input in
            try pair.client.latchkey(["--server", pair.server] + arguments, input: Data(input.utf8))
        }
        #expect(try pair.latchkey("factors", "list").stdout.contains("Saved codes: 10 left"))
        try pair.latchkey("logout")
        let missing = try pair.latchkey("login", "ada", "--password-stdin", input: Sandbox.password + "\n")
        #expect(missing.status == 77, "\(missing.stderr)")
        let login = ["--server", pair.server, "login", "ada", "--password-stdin", "--code-stdin"]
        for (code, status) in [("000000", Int32(1)), (try pair.service.code(of: factor.key), 0)] {
            let ending = try pair.client.latchkey(login, input: Data((Sandbox.password + "\n" + code + "\n").utf8))
            #expect(ending.status == status, "\(ending.stderr)")
        }
        let second = try pair.latchkey("factors", "add", "totp", "--no-input", "--json")
        #expect(second.status == 76 && second.stdout.contains("factor_exists"), "\(second.stderr)")
        let codes = try pair.latchkey("factors", "codes").stdout.split(separator: "\n")
        #expect(codes.count == 10 && !codes.contains(factor.savedCodes[0][...]))
        try pair.service.ageSessions()
        #expect(try pair.latchkey("factors", "codes").status == 77)
        let saved = try pair.client.latchkey(login, input: Data((Sandbox.password + "\n\(codes[0])\n").utf8))
        #expect(saved.status == 0, "\(saved.stderr)")
        #expect(try pair.latchkey("factors", "remove", "--yes").stdout == "Authenticator app removed\n")
        #expect(try pair.latchkey("factors", "remove", "--yes").status == 1)
        #expect(try pair.latchkey("factors", "codes").status == 1)
        #expect(try pair.latchkey("login", "ada", "--password-stdin", input: Sandbox.password + "\n").status == 0)
        let store = try pair.latchkey("factors", "list", "--account", "ada")
        #expect(store.status == 64, "an operator works on a store")
    }

    /// S-166.
    @Test func `a token is sent only to the service that issued it`() throws {
        let pair = try Pair()
        try pair.signIn()
        let other = try Pair()
        let ending = try pair.client.latchkey("whoami", "--server", other.server)
        #expect(ending.status == 1 && ending.stderr.contains("not logged in"), "\(ending.stderr)")
        #expect(try pair.client.latchkey("whoami").status != 0, "nor to the store")
        #expect(try pair.latchkey("whoami").stdout == "ada\n")
    }

    @Test func `with --server, forms and verdicts come from the service`() throws {
        let forms = try TemporaryFolder()
        let setup = try String(contentsOf: Sandbox.shippedForm("setup"), encoding: .utf8).replacing(
            "\"fields\": [",
            with: """
                "fields": [{ "apiKey": "team", "label": "Team", "rules": [{ "rule": "minLength", "length": 3 }] },
                """)
        _ = try forms.write(setup.utf8, to: "setup.json")
        let pair = try Pair(["--forms", forms.path])
        let arguments = ["setup", "--username", "ada", "--email", "ada@example.org", "--password-stdin"]
        let ask = { (team: [String]) in
            try pair.client.latchkey(
                ["--server", pair.server] + arguments + team, input: Data((Sandbox.password + "\n").utf8))
        }
        let missing = try ask([])
        #expect(missing.status == 64 && missing.stderr.contains("--team: Team is required"), "\(missing.stderr)")
        let short = try ask(["--team", "ab"])
        #expect(short.status == 65 && short.stderr.contains("at least 3"), "\(short.stderr)")
        #expect(try ask(["--team", "abc"]).status == 0)
        #expect(try pair.latchkey("setup", "--help").status == 0)
        #expect(try pair.service.latchkey("accounts", "show", "ada", "--json").stdout.contains(#""team":"abc""#))
    }

    @Test func `the interactive menu works with a service`() async throws {
        let pair = try Pair()
        try pair.service.setUp("ada")
        let session = try PtySession(
            Sandbox.binary.path, ["--server", pair.server], environment: pair.client.environment)
        try await session.expect("Username")
        session.send("ada\r")
        try await session.expect("Password")
        session.send(Sandbox.password + "\r")
        _ = try await session.waitForExit()
        #expect(try pair.latchkey("whoami").stdout == "ada\n")
    }

    @Test(
        arguments: [
            (["accounts", "list"], "one works on a store"), (["app-passwords", "list"], "one works on a store"),
            (["whoami", "--store", "x.sqlite"], "--store"),
            (["login", "--batch", "x"], "--batch"), (["login", "ada", "--source", "192.0.2.1"], "--source"),
            (["sessions", "list", "--account", "ada"], "--account"),
        ] as [([String], String)])
    func `commands and flags for a store are refused with --server`(arguments: [String], words: String) throws {
        let pair = try Pair()
        let ending = try pair.client.latchkey(["--server", pair.server] + arguments)
        #expect(ending.status == 64 && ending.stderr.contains(words), "\(ending.stderr)")
    }

    /// S-166.
    @Test(
        arguments: [
            ("http://example.org", 64, "http is only allowed for this machine"), ("ftp://x", 64, "https://HOST"),
            ("https://user@example.org", 64, "https://HOST"), ("unix:relative", 64, "absolute"),
            ("unix:/nowhere", 69, "cannot be reached"),
        ] as [(String, Int32, String)])
    func `an unsafe or invalid address is refused`(address: String, status: Int32, words: String) throws {
        let ending = try Sandbox().latchkey("login", "ada", "--server", address)
        #expect(ending.status == status && ending.stderr.contains(words), "\(ending.stderr)")
    }

    @Test func `--store overrides the server variable, with which store commands are otherwise refused`() throws {
        let pair = try Pair()
        let variables = ["LATCHKEY_SERVER": pair.server]
        #expect(try pair.client.latchkey("whoami", environment: variables).stderr.contains("not logged in"))
        let store = try pair.client.latchkey("accounts", "list", environment: variables)
        #expect(store.status == 64 && store.stderr.contains("LATCHKEY_SERVER"), "\(store.stderr)")
        let given = try pair.client.latchkey(
            "accounts", "list", "--store", pair.service.store.path, environment: variables)
        #expect(given.status == 0, "\(given.stderr)")
        #expect(try pair.client.latchkey("config", "show", environment: variables).stdout.contains(pair.server))
    }
}
