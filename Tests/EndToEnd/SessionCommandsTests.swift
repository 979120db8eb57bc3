import Foundation
import TestSupport
import Testing

/// `sessions`, and an operator's commands for an account.
@Suite(.programs, .timeLimit(.minutes(60)))
struct SessionCommandsTests {
    private func signIn(_ sandbox: Sandbox) throws {
        let ending = try sandbox.latchkey(
            "login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        try #require(ending.status == 0, "\(ending.stderr)")
    }

    private func lines(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func token(in sandbox: Sandbox) throws -> String {
        let file = try String(contentsOf: sandbox.session, encoding: .utf8)
        return try #require(file.split(separator: "\n").last.map { String($0) })
    }

    /// S-74.
    @Test func `sessions are listed, and an ended session is refused immediately`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try signIn(sandbox)
        let first = try token(in: sandbox)
        try FileManager.default.removeItem(at: sandbox.session)
        try signIn(sandbox)
        let list = try sandbox.latchkey("sessions", "list", "--json")
        let rows = try lines(list.stdout)
        #expect(rows.count == 2)
        #expect(rows.map { $0["current"] as? Bool } == [true, false])
        #expect(!list.stdout.contains("lks_") && !list.stdout.contains(first.dropFirst(4)))
        let other = try #require(rows[1]["id"] as? String)
        #expect(other.wholeMatch(of: /[0-9a-f]{8}/) != nil)
        #expect(try sandbox.latchkey("sessions", "list").stdout.contains("(this one)"))
        #expect(try sandbox.latchkey("sessions", "verify", input: first + "\n").stdout == "ada\n")
        #expect(try sandbox.latchkey("sessions", "revoke", other).stdout == "1 session ended\n")
        #expect(try sandbox.latchkey("sessions", "verify", input: first + "\n").status == 1)
        #expect(try sandbox.latchkey("sessions", "revoke", other).status == 1)
        #expect(try sandbox.latchkey("whoami").status == 0)
        let all = try sandbox.latchkey("sessions", "revoke", "--all", "--json")
        #expect(try all.json()["ended"] as? Int == 1)
        #expect(try sandbox.latchkey("whoami").status == 1)
        let signedOut = try sandbox.latchkey("sessions", "revoke", "ada")
        #expect(signedOut.status == 1 && signedOut.stderr.contains("--account ada with --all"), "\(signedOut)")
        #expect(!FileManager.default.fileExists(atPath: sandbox.session.path))
    }

    /// S-74, S-119.
    @Test func `a session from a terminal shows the terminal's name`() async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try signIn(sandbox)
        let word = sandbox.folder.appending(path: "word")
        try Data("correct horse battery\n".utf8).write(to: word)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: word.path)
        try FileManager.default.removeItem(at: sandbox.session)
        let session = try PtySession(
            Sandbox.binary.path, ["login", "--username", "ada", "--password-file", word.path],
            environment: sandbox.environment)
        #expect(try await session.waitForExit() == .status(0))
        let sources = try lines(try sandbox.latchkey("sessions", "list", "--json").stdout).map {
            $0["source"] as? String
        }
        #expect(sources.count == 2 && sources.contains(""))
        #expect(sources.contains { $0?.wholeMatch(of: /\/dev\/[!-~]+/) != nil }, "\(sources)")
        #expect(try sandbox.latchkey("sessions", "list").stdout.contains("this machine"))
    }

    /// S-74.
    @Test func `an operator sees and ends the sessions of any account`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try signIn(sandbox)
        let token = try token(in: sandbox)
        try FileManager.default.removeItem(at: sandbox.session)
        let ending = try sandbox.latchkey("sessions", "list")
        #expect(ending.status == 1 && ending.stderr.contains("--everyone or --account NAME"), "\(ending)")
        let rows = try lines(try sandbox.latchkey("sessions", "list", "--account", "ada", "--json").stdout)
        #expect(rows.count == 1 && rows[0]["current"] as? Bool == false)
        #expect(try sandbox.latchkey("sessions", "revoke", "--others", "--account", "ada").status == 64)
        #expect(try sandbox.latchkey("sessions", "revoke", "--all", "--account", "nobody").status == 1)
        #expect(try sandbox.latchkey("sessions", "revoke", "--all", "--account", "ada").status == 0)
        #expect(try sandbox.latchkey("sessions", "verify", input: token + "\n").status == 1)
    }

    /// S-78.
    @Test func `ending sessions without a recent login fails and suggests a login`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try signIn(sandbox)
        try sandbox.ageSessions(by: 290)
        #expect(try sandbox.latchkey("sessions", "revoke", "--others").status == 0)
        try sandbox.ageSessions(by: 20)
        for arguments in [["--others"], ["--all"], ["00000000"]] {
            let ending = try sandbox.latchkey(["sessions", "revoke", "--json"] + arguments)
            #expect(ending.status == 77)
            #expect(try ending.json()["code"] as? String == "reauthentication_required")
            #expect(ending.stderr.contains("Log in again"))
        }
        let old = try token(in: sandbox)
        try signIn(sandbox)
        #expect(try token(in: sandbox) != old)
        #expect(try sandbox.latchkey("sessions", "verify", input: old + "\n").status == 1, "S-72")
        #expect(try sandbox.latchkey("sessions", "revoke", "--all").status == 0)
    }

    @Test func `an invalid selection of sessions and an invalid token are refused`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try signIn(sandbox)
        for arguments in [[], ["--all", "--others"], ["00000000", "--all"]] {
            #expect(try sandbox.latchkey(["sessions", "revoke"] + arguments).status == 64)
        }
        let unknown = try sandbox.latchkey("sessions", "verify", "--json", input: "lks_\n")
        #expect(try unknown.json()["code"] as? String == "token_refused")
        for (input, status) in [("", 65), ("lks_\n", 1), ("a\nb\n", 65), (String(repeating: "x", count: 9999), 1)] {
            let ending = try sandbox.latchkey("sessions", "verify", input: input)
            #expect(ending.status == Int32(status))
            #expect(!ending.stderr.contains("xxx"))
        }
    }

    /// S-77.
    @Test(arguments: ["mode", "group", "symlink", "hard link", "folder"])
    func `a session file that others can access is not read`(fault: String) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try signIn(sandbox)
        let elsewhere = sandbox.folder.appending(path: "elsewhere").path
        let file = sandbox.session.path
        switch fault {
        case "mode": #expect(unsafe chmod(file, 0o644) == 0)
        case "group": #expect(unsafe chmod(file, 0o640) == 0)
        case "symlink":
            #expect(unsafe rename(file, elsewhere) == 0)
            #expect(unsafe symlink(elsewhere, file) == 0)
        case "hard link": #expect(unsafe link(file, elsewhere) == 0)
        default: #expect(unsafe chmod(sandbox.session.deletingLastPathComponent().path, 0o777) == 0)
        }
        for command in [["whoami"], ["sessions", "list"], ["sessions", "revoke", "--all"]] {
            #expect(try sandbox.latchkey(command).status == 77, "\(command)")
        }
        #expect(try sandbox.sqlite("SELECT count(*) FROM session") == "1")
    }

    /// S-77.
    @Test func `a session file is private under any umask and valid only for its store`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let ending = try sandbox.shell(
            "umask 000; printf '%s\\n' 'correct horse battery' | latchkey login --username ada --password-stdin")
        #expect(ending.status == 0)
        func mode(_ file: URL) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        }
        #expect(try mode(sandbox.session) == 0o600)
        #expect(try mode(sandbox.session.deletingLastPathComponent()) == 0o700)
        let other = sandbox.folder.appending(path: "other.sqlite").path
        #expect(
            try sandbox.latchkey(
                "accounts", "create", "ada", "--email", "ada@example.org", "--no-password", "--store", other
            ).status == 0)
        #expect(try sandbox.latchkey("whoami", "--store", other).status == 1)
        #expect(try sandbox.latchkey("whoami").status == 0)
    }

    // MARK: Operators

    /// S-53, S-42.
    @Test func `a throttle can be shown and cleared, and the owner sees a notice after login`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        for _ in 0..<4 {
            let ending = try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "no\n")
            #expect(ending.status == 1)
            #expect(!ending.stderr.contains("failed login"))
        }
        let shown = try sandbox.latchkey("accounts", "show", "ada", "--json").json()
        #expect((shown["throttle"] as? [String: Any])?["failures"] as? Int == 4)
        #expect(
            try sandbox.latchkey("accounts", "show", "ada").stdout.contains("failed logins: 4 since the last login"))
        #expect(try sandbox.latchkey("accounts", "unlock", "ada").status == 0)
        #expect(try sandbox.latchkey("accounts", "unlock", "nobody").status == 1)
        let login = try sandbox.latchkey(
            "login", "--username", "ada", "--password-stdin", "--json", input: "correct horse battery\n")
        #expect(login.status == 0)
        #expect((try login.json()["failed_logins"] as? [String: Any])?["count"] as? Int == 4)
        #expect(try sandbox.sqlite("SELECT count(*) FROM audit WHERE reason = 'unlocked'") == "1")
        _ = try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "no\n")
        let again = try sandbox.latchkey(
            "login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        #expect(again.stdout == "Logged in as ada\n")
        #expect(again.stderr.contains("1 failed login since your last visit (20"))
    }

    /// S-75.
    @Test func `a disabled account stays disabled if it is unlocked`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        #expect(try sandbox.latchkey("lock", "ada").stdout.contains("latchkey accounts enable ada"))
        let ending = try sandbox.latchkey("unlock", "ada")
        #expect(ending.status == 0 && ending.stdout.contains("stays disabled"), "\(ending)")
        #expect(try sandbox.latchkey("unlock", "ada", "--json").stdout.contains(#""state":"disabled""#))
        #expect(try sandbox.latchkey("user", "show", "ada").stdout.contains("disabled"))
        #expect(try sandbox.latchkey("user", "enable", "ada").status == 0)
        try signIn(sandbox)
        let hint = try sandbox.latchkey("sessions", "revoke", "ada")
        #expect(hint.status == 1 && hint.stderr.contains("--account ada"), "\(hint)")
        #expect(try sandbox.latchkey("who").stdout.hasPrefix("ada\t"))
    }

    @Test func `a disabled account is signed out and refused, and enabled again without its sessions`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try signIn(sandbox)
        #expect(try sandbox.latchkey("accounts", "disable", "ada").stdout.hasPrefix("Account ada disabled. "))
        #expect(try sandbox.latchkey("whoami").status == 1)
        let login = ["login", "--username", "ada", "--password-stdin"]
        let refused = try sandbox.latchkey(login, input: Data("correct horse battery\n".utf8))
        let wrong = try sandbox.latchkey(
            ["login", "--username", "nobody", "--password-stdin"], input: Data("no\n".utf8))
        #expect(refused.status == 1 && refused.stderr == wrong.stderr)
        #expect(try sandbox.latchkey("accounts", "enable", "ada@example.org").status == 0)
        #expect(try sandbox.latchkey("whoami").status == 1)
        try signIn(sandbox)
    }

    /// S-7.
    @Test func `a compromised password ends all sessions, and a required change blocks other commands`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try signIn(sandbox)
        #expect(try sandbox.latchkey("accounts", "require-change", "ada").status == 0)
        #expect(try sandbox.latchkey("whoami").status == 77)
        #expect(try sandbox.latchkey("sessions", "list").status == 77)
        #expect(try sandbox.latchkey("accounts", "require-change", "ada", "--compromised").status == 0)
        #expect(try sandbox.latchkey("whoami").status == 1)
    }
}
