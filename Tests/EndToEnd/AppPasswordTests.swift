import Foundation
import TestSupport
import Testing

/// `app-passwords`, and the programs that accept them, with the real binary.
@Suite(.programs, .timeLimit(.minutes(60))) struct AppPasswordTests {
    private static let password = "correct horse battery"

    private let sandbox: Sandbox

    /// A store with one account, whose owner is logged in.
    init() throws {
        sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try signIn()
    }

    private func signIn() throws {
        let login = try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: Self.password + "\n")
        try #require(login.status == 0, "\(login.stderr)")
    }

    /// Gives the account a confirmed authenticator. No login of these tests enters a code.
    private func addFactor() throws {
        _ = try sandbox.sqlite(
            """
            INSERT INTO authenticator (account, secret, created_at, is_confirmed)
                SELECT number, zeroblob(60), 0, 1 FROM account
            """)
    }

    private func create(_ name: String = "Phone mail") throws -> String {
        let created = try sandbox.latchkey("app-passwords", "create", "--name", name)
        try #require(created.status == 0, "\(created.stderr)")
        #expect(created.stderr.contains("cannot be shown again"))
        return created.stdout.trimmingCharacters(in: .newlines)
    }

    private func check(_ password: String) throws -> Sandbox.Ending {
        try Data("ada\0\(password)\0now\0".utf8).write(to: sandbox.folder.appending(path: "three"))
        return try sandbox.shell("latchkey checkpassword printenv USER 3<\"$HOME/three\"; echo \"status $?\"")
    }

    @Test func `checkpassword accepts app passwords, and requires one if the account has a factor`() throws {
        let text = try create()
        #expect(text.wholeMatch(of: /([0-9A-Z]{4}-){5}[0-9A-Z]{4}/) != nil)
        for password in [text, Self.password] { #expect(try check(password).stdout == "ada\nstatus 0\n") }
        try addFactor()
        #expect(try check(text.lowercased().replacing("-", with: "")).stdout == "ada\nstatus 0\n")
        let refused = try check(Self.password)
        #expect(refused.stdout == "status 1\n" && refused.stderr.isEmpty)
        let id = try sandbox.latchkey("app-passwords", "list", "--account", "ada").stdout.prefix(8)
        #expect(try sandbox.latchkey("app-passwords", "revoke", String(id), "--account", "ada").status == 0)
        #expect(try check(text).stdout == "status 1\n")
        let trail = try sandbox.latchkey("audit", "list", "--limit", "3").stdout
        for part in ["factor_required", "app_password_revoked", "wrong_password"] { #expect(trail.contains(part)) }
    }

    @Test func `login refuses app passwords, and its batch mode reports the missing factor`() throws {
        let text = try create()
        try addFactor()
        let lines = [Self.password, text].map { "{\"username\":\"ada\",\"password\":\"\($0)\"}" }
        let batch = try sandbox.latchkey("login", "--batch", "-", "--json", input: lines.joined(separator: "\n"))
        let verdicts = batch.stdout.split(separator: "\n").map(String.init)
        #expect(batch.status == 0 && verdicts.count == 3)
        #expect(verdicts[0] == #"{"line":1,"ok":false,"status":403,"code":"second_factor_required"}"#)
        #expect(verdicts[1] == #"{"line":2,"ok":false,"status":401,"code":"invalid_credentials"}"#)
        let login = try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: text + "\n")
        #expect(login.status == 1)
    }

    @Test func `the list shows names and times, without revoked app passwords`() throws {
        _ = try create()
        let second = try sandbox.latchkey("app-passwords", "create", "--name", "Käse 🧀", "--json").json()
        let id = try #require(second["id"] as? String)
        #expect(second["name"] as? String == "Käse 🧀" && second["last_used_at"] is NSNull)
        let rows = try sandbox.latchkey("app-passwords", "list").stdout.split(separator: "\n")
        #expect(rows.map { $0.split(separator: "\t")[1] } == ["Phone mail", "Käse 🧀"])
        #expect(rows.allSatisfy { $0.split(separator: "\t")[2] == "never" })
        _ = try check(try #require(second["app_password"] as? String))
        #expect(!(try sandbox.latchkey("app-passwords", "list").stdout.split(separator: "\n")[1].contains("never")))
        #expect(
            try sandbox.latchkey("app-passwords", "revoke", id.uppercased()).stdout == "App password Käse 🧀 revoked\n")
        let again = try sandbox.latchkey("app-passwords", "revoke", id)
        #expect(again.status == 1 && again.stderr == "latchkey: There is no app password with that id\n")
        #expect(try sandbox.latchkey("app-passwords", "list").stdout.split(separator: "\n").count == 1)
    }

    @Test func `names are validated, and changes require a session with a recent password`() throws {
        for name in ["", " ", String(repeating: "x", count: 65), "a\u{1B}[2J"] {
            let refused = try sandbox.latchkey("app-passwords", "create", "--name=\(name)")
            #expect(refused.status == 64 && refused.stderr.contains("--name must be 1 to 64 characters"))
        }
        #expect(try sandbox.latchkey("app-passwords", "create").status == 64)
        _ = try create()
        try sandbox.ageSessions(by: 301, ["authenticated_at"])
        for arguments in [["create", "--name", "Mail"], ["revoke", "00000000"]] {
            let late = try sandbox.latchkey(["app-passwords"] + arguments, input: Data())
            #expect(late.status == 77, "\(late.stderr)")
        }
        #expect(try sandbox.latchkey("app-passwords", "list").status == 0)
        #expect(try sandbox.latchkey("logout").status == 0)
        for arguments in [["create", "--name", "Mail"], ["revoke", "00000000"], ["list"]] {
            #expect(try sandbox.latchkey(["app-passwords"] + arguments, input: Data()).status == 1)
        }
        #expect(try sandbox.latchkey("app-passwords", "list", "--account", "nobody").status == 1)
    }

    @Test func `the owner gets a message, and no file contains the app password`() throws {
        let text = try create()
        let outbox = sandbox.folder.appending(path: ".local/share/latchkey/outbox/new")
        let messages = try FileManager.default.contentsOfDirectory(at: outbox, includingPropertiesForKeys: nil)
        let texts = try messages.map { try String(contentsOf: $0, encoding: .utf8) }
        #expect(texts.contains { $0.contains("has a new app password") })
        let found = try sandbox.shell("grep -rlFe '\(text)' -e '\(text.replacing("-", with: ""))' \"$HOME\" | wc -l")
        #expect(found.stdout.trimmingCharacters(in: .whitespacesAndNewlines) == "0")
    }
}
