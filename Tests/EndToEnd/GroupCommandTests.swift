import Foundation
import TestSupport
import Testing

/// Groups in a real store: commands, backups, copies and services.
@Suite(.programs, .timeLimit(.minutes(60))) struct GroupCommandTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.setUp("ada")
        #expect(try sandbox.latchkey("groups", "create", "staff", "admins").status == 0)
    }

    @Test func `members are added and removed by name, address or id, and listed`() throws {
        let account = ["accounts", "create", "bob", "--email", "bob@example.org", "--no-password", "--group", "staff"]
        #expect(try sandbox.latchkey(account).status == 0)
        let added = try sandbox.latchkey("groups", "add", "staff", "ADA", "bob@example.org", "nobody")
        #expect(added.status == 1)
        #expect(added.stdout == "ada added to staff\nbob is in staff already\n", "\(added.stdout)")
        #expect(added.stderr.contains("nobody"))
        #expect(try sandbox.latchkey("accounts", "list", "--group", "staff").stdout.split(separator: "\n").count == 2)
        #expect(try sandbox.latchkey("accounts", "show", "ada").stdout.contains("groups: staff\n"))
        let list = try sandbox.latchkey("groups", "list").stdout.split(separator: "\n")
        #expect(list.map { $0.split(separator: "\t").prefix(2).joined(separator: " ") } == ["admins 0", "staff 2"])
        #expect(try sandbox.latchkey("groups", "remove", "staff", "bob").stdout == "bob removed from staff\n")
        #expect(try sandbox.latchkey("groups", "rename", "staff", "team").status == 0)
        #expect(try sandbox.latchkey("groups", "show", "team").stdout.contains("members: 1\n"))
        #expect(try sandbox.latchkey("groups", "show", "staff").status == 1)
        #expect(try sandbox.latchkey("accounts", "list", "--group", "staff").status == 1)
    }

    @Test func `the last administrator needs a confirmation to go`() throws {
        #expect(try sandbox.latchkey("groups", "add", "admins", "ada").status == 0)
        for words in [
            ["accounts", "disable", "ada"], ["accounts", "delete", "ada", "--yes"],
            ["groups", "remove", "admins", "ada"],
        ] {
            let ending = try sandbox.latchkey(words)
            #expect(ending.status == 1 && ending.stderr.contains("--last-admin"), "\(words) \(ending.stderr)")
        }
        #expect(try sandbox.latchkey("groups", "remove", "admins", "ada", "--last-admin").status == 0)
        #expect(try sandbox.latchkey("accounts", "disable", "ada").status == 0)
    }

    @Test func `wrong names and combinations are refused before anything changes`() throws {
        for arguments in [
            ["groups", "create", "Staff"], ["groups", "create", "a b"], ["groups", "create"],
            ["groups", "add", "staff"],
            ["groups", "rename", "staff"], ["groups", "rename", "staff", "a", "b"], ["groups", "delete", "*"],
            ["groups", "create", "x", "--title", ""], ["accounts", "list", "--group", "*"],
            ["tokens", "create", "--name", "x", "--group", "staff"],
            ["tokens", "create", "--name", "x", "--scope", "sign-up,accounts:read", "--group", "staff"],
        ] {
            let ending = try sandbox.latchkey(arguments)
            #expect(ending.status == 64, "\(arguments) \(ending.stderr)")
        }
        let token = ["tokens", "create", "--name", "x", "--scope", "sign-up", "--group", "none"]
        #expect(try sandbox.latchkey(token).status == 1)
        #expect(try sandbox.latchkey("groups", "delete", "admins").status == 1, "service.admins names it")
        #expect(try sandbox.latchkey("groups", "list").stdout.split(separator: "\n").count == 2)
    }

    /// S-193.
    @Test func `a restored backup and a copied store keep groups`() throws {
        #expect(try sandbox.latchkey("groups", "add", "staff", "ada").status == 0)
        let members = try sandbox.latchkey("accounts", "list", "--group", "staff").stdout
        #expect(members.hasPrefix("ada\t"))
        #expect(try sandbox.latchkey("store", "backup", "./copy").status == 0)
        #expect(try sandbox.latchkey("store", "restore", "./copy", "--store", "./restored.sqlite").status == 0)
        let copied = try sandbox.shell("mkdir -m 700 moved; latchkey store copy --to moved/accounts.sqlite")
        #expect(copied.status == 0, "\(copied.stderr)")
        for store in ["./restored.sqlite", "moved/accounts.sqlite"] {
            let listed = try sandbox.latchkey("accounts", "list", "--group", "staff", "--store", store)
            #expect(listed.stdout == members, "\(store): \(listed.stderr)")
        }
    }

    /// S-190.
    @Test func `whoami shows the groups of the account, in a store and over a service`() throws {
        let login = try sandbox.shell(
            "printf '%s\\n' 'correct horse battery' | latchkey login --username ada --password-stdin")
        #expect(login.status == 0, "\(login.stderr)")
        #expect(try sandbox.latchkey("whoami", "--json").stdout.contains(#""groups":[]"#))
        #expect(try sandbox.latchkey("groups", "add", "staff", "ada").status == 0)
        #expect(try sandbox.latchkey("whoami", "--json").stdout.contains(#""groups":["staff"]"#))
        let service = try RunningService(in: sandbox)
        let server = ["--server", service.url]
        let remote = try sandbox.shell(
            "printf '%s\\n' 'correct horse battery' | latchkey login --username ada --password-stdin "
                + server.joined(separator: " "))
        #expect(remote.status == 0, "\(remote.stderr)")
        #expect(try sandbox.latchkey(["whoami", "--json"] + server).stdout.contains(#""groups":["staff"]"#))
    }
}
