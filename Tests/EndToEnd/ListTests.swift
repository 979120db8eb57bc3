import Foundation
import TestSupport
import Testing

/// The output of `accounts list`, `sessions list` and `audit list` for people and for scripts.
@Suite(.programs, .timeLimit(.minutes(60))) struct ListTests {
    /// Runs a command on a terminal to its end and returns its output.
    private func shown(
        _ arguments: [String], in sandbox: Sandbox, columns: Int = 80, environment: [String: String] = [:]
    ) async throws -> (lines: [String], output: String) {
        let session = try PtySession(
            Sandbox.binary.path, arguments,
            environment: sandbox.environment.merging(environment) { _, new in new }, columns: columns)
        #expect(try await session.waitForExit() == .status(0))
        let output = String(decoding: session.pty.output, as: UTF8.self).replacing("\r\n", with: "\n")
        let plain = output.replacing(/\u{1B}\[\d*m/, with: "")
        return (plain.split(separator: "\n").map(String.init), output)
    }

    /// Accounts that were created just now, 2 hours and 3 days ago. A time less than a minute in the future is shown as
    /// "just now", so that a slow test does not see "1 min ago".
    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        for name in ["ada", "bo", "cy"] { try sandbox.setUp(name) }
        try setTimes(in: sandbox)
        return sandbox
    }

    private func setTimes(in sandbox: Sandbox) throws {
        let now = Int(Date().timeIntervalSince1970 * 1000)
        for (name, seconds) in [("ada", -50), ("bo", 7300), ("cy", 260_000)] {
            _ = try sandbox.sqlite(
                "UPDATE account SET created_at = \(now - seconds * 1000) WHERE login_name = '\(name)'")
        }
    }

    @Test func `accounts on a terminal have a header, aligned columns, relative times and a count`() async throws {
        let sandbox = try sandbox()
        try sandbox.latchkey("accounts", "disable", "bo")
        let (lines, output) = try await shown(["accounts", "list"], in: sandbox)
        #expect(
            lines == [
                "NAME  EMAIL            STATE     CREATED      LAST LOGIN",
                "ada   ada@example.org  active    just now     never",
                "bo    bo@example.org   disabled  2 hours ago  never",
                "cy    cy@example.org   active    3 days ago   never", "3 accounts",
            ])
        #expect(output.contains("\u{1B}[1mNAME") && !output.contains("\t"))
        for plain in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
            try setTimes(in: sandbox)
            let again = try await shown(["accounts", "list"], in: sandbox, environment: plain)
            #expect(again.lines == lines && !again.output.contains("\u{1B}"))
        }
        let full = try await shown(["accounts", "list", "--utc"], in: sandbox).lines
        #expect(full[1].contains(/active    \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ  never$/))
    }

    @Test func `a partial list on a terminal shows how to continue, and an empty list is reported`() async throws {
        let sandbox = try sandbox()
        var lines = try await shown(["accounts", "list", "--limit", "2"], in: sandbox).lines
        #expect(lines.count == 4 && lines[3] == "2 accounts. For more, add --after bo")
        lines = try await shown(["accounts", "list", "--limit", "2", "--after", "bo"], in: sandbox).lines
        #expect(lines.count == 3 && lines[2] == "1 account")
        lines = try await shown(["accounts", "list", "--match", "c", "--limit", "1"], in: sandbox).lines
        #expect(lines.count == 3 && lines[2] == "1 account")
        lines = try await shown(["accounts", "list", "--match", "zed"], in: sandbox).lines
        #expect(lines == ["No accounts match"])
        lines = try await shown(["accounts", "list", "--match", "zed", "--json"], in: sandbox).lines
        #expect(lines == [])
        _ = try sandbox.sqlite("DELETE FROM account")
        lines = try await shown(["accounts", "list"], in: sandbox, environment: ["LATCHKEY_LANG": "pt"]).lines
        #expect(lines == ["No accounts"])
    }

    @Test func `columns are cut to the width of the terminal`() async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.latchkey(
            "accounts", "create", "bo", "--email", "a-very-long-name@mail.department.example.org", "--no-password")
        // A minute later, the list would show "1 min ago".
        func createNow() throws {
            let now = Int(Date().timeIntervalSince1970 * 1000)
            _ = try sandbox.sqlite("UPDATE account SET created_at = \(now + 50_000)")
        }
        try createNow()
        let lines = try await shown(["accounts", "list"], in: sandbox, columns: 52).lines
        #expect(
            lines == [
                "NAME  EMAIL             STATE   CREATED   LAST LOGIN",
                "ada   ada@example.org   active  just now  never",
                "bo    a-very-long-nam…  active  just now  never", "2 accounts",
            ])
        try createNow()
        let ascii = try await shown(["accounts", "list"], in: sandbox, columns: 52, environment: ["LANG": "C"]).lines
        #expect(ascii[2] == "bo    a-very-long-n...  active  just now  never")
    }

    @Test func `on a narrow terminal each account is a record, and an error breaks between words`() async throws {
        let sandbox = try sandbox()
        let lines = try await shown(["accounts", "list", "--limit", "1"], in: sandbox, columns: 40).lines
        #expect(
            lines.prefix(5) == [
                "NAME        ada", "EMAIL       ada@example.org", "STATE       active", "CREATED     just now",
                "LAST LOGIN  never",
            ])
        let session = try PtySession(
            Sandbox.binary.path, ["accounts", "frobnicate"], environment: sandbox.environment, columns: 40)
        #expect(try await session.waitForExit() == .status(64))
        let error = String(decoding: session.pty.output, as: UTF8.self).split(separator: "\r\n")
        #expect(error.count > 1 && error.allSatisfy { $0.count <= 40 })
        #expect(
            error.joined(separator: " ")
                == "latchkey: Unknown command \"accounts frobnicate\". latchkey --help lists all commands")
    }

    @Test(arguments: [["policy", "show"], ["forms", "list"], ["store", "check"]])
    func `on a narrow terminal sentences break between words`(arguments: [String]) async throws {
        let sandbox = try sandbox()
        let whole = try sandbox.latchkey(arguments).stdout.split(whereSeparator: \.isWhitespace)
        let lines = try await shown(arguments, in: sandbox, columns: 40).lines
        #expect(lines.flatMap { $0.split(separator: " ") } == whole)
        #expect(lines.allSatisfy { $0.count <= 40 || !$0.contains(" ") }, "\(lines)")
    }

    @Test func `a line that people copy stays whole on a narrow terminal`() async throws {
        let sandbox = try sandbox()
        try #expect(await shown(["audit", "head"], in: sandbox, columns: 40).lines.count == 1)
    }

    @Test func `in a pipe, accounts are tab-separated lines with full times and no header or count`() throws {
        let sandbox = try sandbox()
        let ending = try sandbox.latchkey("accounts", "list")
        #expect(ending.stderr.isEmpty)
        let rows = ending.stdout.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(rows.map { $0.prefix(3) } == ["ada", "bo", "cy"].map { [$0, "\($0)@example.org", "active"] })
        for row in rows {
            #expect(row.count == 5 && row[3].wholeMatch(of: /[0-9T:-]{19}Z/) != nil && row[4] == "never")
        }
        let none = try sandbox.latchkey("accounts", "list", "--match", "zed")
        #expect(none.stdout.isEmpty && none.stderr.isEmpty && none.status == 0)
    }

    @Test func `operators see last logins, the accounts without a factor, and the sessions of everyone`() throws {
        let sandbox = try sandbox()
        for name in ["ada", "bo"] { #expect(try sandbox.latchkey("sessions", "create", name).status == 0) }
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: Sandbox.password + "\n")
        let accounts = try sandbox.latchkey("accounts", "list").stdout.split(separator: "\n")
        #expect(accounts.map { $0.hasSuffix("never") } == [false, true, true], "an operator's session is no login")
        let everyone = try sandbox.latchkey("sessions", "list", "--everyone").stdout.split(separator: "\n")
        #expect(everyone.map { $0.prefix { $0 != "\t" } } == ["ada", "bo", "ada"])
        let json = try sandbox.latchkey("sessions", "list", "--everyone", "--json").stdout
        #expect(json.split(separator: "\n").allSatisfy { $0.contains(#""name":""#) && $0.contains(#""account":""#) })
        #expect(try sandbox.latchkey("sessions", "list", "--everyone", "--account", "ada").status == 64)
        _ = try sandbox.sqlite(
            """
            INSERT INTO passkey (credential, account, name, public_key, sign_count, is_backed_up, is_backup_eligible,
                    transports, created_at) SELECT x'01', number, 'Phone', x'02', 0, 0, 0, '', 1 FROM account
                WHERE login_name = 'bo'
            """)
        let without = try sandbox.latchkey("accounts", "list", "--factor", "none").stdout.split(separator: "\n")
        #expect(without.map { $0.prefix { $0 != "\t" } } == ["ada", "cy"])
        #expect(try sandbox.latchkey("accounts", "list", "--factor", "some").status == 64)
    }

    @Test func `sessions on a terminal have a header, and the current one is marked`() async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: Sandbox.password + "\n")
        var lines = try await shown(["sessions", "list"], in: sandbox).lines
        #expect(lines.count == 3 && lines[0] == "ID        LAST USED  CREATED   FROM")
        #expect(lines[1].contains(/^[0-9a-f]{8}  just now   just now  this machine  \(this one\)$/), "\(lines)")
        #expect(lines[2] == "1 session")
        lines = try await shown(["sessions", "list", "--account", "ada", "--utc"], in: sandbox).lines
        #expect(lines[1].contains(/^[0-9a-f]{8}  \d{4}-/))
        let piped = try sandbox.latchkey("sessions", "list").stdout
        #expect(piped.contains(/^[0-9a-f]{8}\t[0-9T:-]{19}Z\t[0-9T:-]{19}Z\tthis machine\t\(this one\)\n$/), "\(piped)")
        try sandbox.latchkey("sessions", "revoke", "--all", "--account", "ada")
        lines = try await shown(["sessions", "list", "--account", "ada"], in: sandbox).lines
        #expect(lines == ["No active sessions"])
    }

    @Test func `audit list shows usernames, and the id of a deleted account`() async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("Ada")
        try sandbox.setUp("bo")
        let id = try sandbox.accountID("bo")
        try sandbox.latchkey("accounts", "delete", "bo", "--yes")
        let piped = try sandbox.latchkey("audit", "list").stdout.split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false)
        }
        #expect(piped.map { $0[3] } == ["Ada", Substring(id), Substring(id)])
        #expect(piped.allSatisfy { $0.count == 7 && $0[1].wholeMatch(of: /[0-9T:.-]{23}Z/) != nil })
        let lines = try await shown(["audit", "list", "--since", "1h"], in: sandbox, columns: 120).lines
        #expect(lines[0].contains(/^NUMBER  TIME      EVENT         ACCOUNT +ACTOR/), "\(lines[0])")
        #expect(lines[1].hasPrefix("1       just now  user_created  Ada "), "\(lines[1])")
        #expect(lines.last == "3 records")
        let none = try await shown(["audit", "list", "--event", "pepper_added"], in: sandbox).lines
        #expect(none == ["No records match"])
        #expect(try sandbox.latchkey("audit", "list", "--limit", "1", "--json").stdout.contains(id))
    }
}
