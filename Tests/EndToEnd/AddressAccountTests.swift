import Foundation
import TestSupport
import Testing

/// Accounts without a username, with the real binary.
@Suite(.programs, .timeLimit(.minutes(60))) struct AddressAccountTests {
    private static let address = "anna@example.org"

    /// A sandbox whose forms have no username.
    private func sandbox() throws -> (sandbox: Sandbox, environment: [String: String]) {
        let sandbox = try Sandbox()
        return (sandbox, ["LATCHKEY_FORMS": try sandbox.formsWithoutUsername()])
    }

    @Test func `an account without a username works from sign-up to deletion`() throws {
        let (sandbox, forms) = try sandbox()
        func latchkey(_ arguments: String..., input: String = "") throws -> Sandbox.Ending {
            try sandbox.latchkey(arguments, input: Data(input.utf8), environment: forms)
        }
        func logIn(_ password: String) throws -> Sandbox.Ending {
            try latchkey("login", "--username", Self.address, "--password-stdin", "--json", input: password + "\n")
        }
        #expect(try latchkey("forms", "check", "forms").status == 0)
        var ending = try sandbox.latchkey(
            ["setup", "--email", "Anna@example.org", "--json"],
            environment: forms.merging(["LATCHKEY_VERIFY_EMAIL": "on"]) { $1 })
        #expect(ending.status == 0 && ending.stdout.contains(#""username":null"#), "\(ending.stderr)")
        let input = try sandbox.code() + "\n" + Sandbox.password + "\n"
        ending = try latchkey("reset-password", "--code-stdin", "--password-stdin", input: input)
        #expect(ending.status == 0, "\(ending.stderr)")
        ending = try logIn(Sandbox.password)
        #expect(ending.status == 0 && ending.stdout.contains(#""username":null"#), "\(ending.stderr)")
        #expect(try latchkey("whoami").stdout == "Anna@example.org\n")
        #expect(try latchkey("sessions", "list").status == 0)
        #expect(try latchkey("profile", "--username", "anna").status == 64, "the form has no such field")

        #expect(try latchkey("forgot-password", "--email", Self.address).status == 0)
        let second = try sandbox.code() + "\na new long password\n"
        #expect(try latchkey("reset-password", "--code-stdin", "--password-stdin", input: second).status == 0)
        #expect(try logIn("a new long password").status == 0)

        #expect(try latchkey("accounts", "create", "bo@example.org", "--no-password").status == 0)
        ending = try latchkey("accounts", "list", "--after", "anna@example.org")
        #expect(ending.stdout.hasPrefix("bo@example.org\tbo@example.org\tactive\t"), "\(ending.stdout)")
        #expect(!(try latchkey("accounts", "show", Self.address).stdout.contains("sername")))

        ending = try latchkey("accounts", "export", "all.jsonl", "--with-hashes")
        #expect(ending.status == 0, "\(ending.stderr)")
        let secondStore = ["--store", "second.sqlite"]
        ending = try sandbox.latchkey(["accounts", "import", "all.jsonl"] + secondStore, environment: forms)
        #expect(ending.status == 0, "\(ending.stderr)")
        ending = try sandbox.latchkey(
            ["login", "--username", Self.address, "--password-stdin"] + secondStore,
            input: Data("a new long password\n".utf8), environment: forms)
        #expect(ending.status == 0, "\(ending.stderr)")
        let state = #"{"accounts":[{"email":"Anna@example.org","disabled":true},{"email":"cy@example.org"}]}"#
        try Data(state.utf8).write(to: sandbox.folder.appending(path: "state.json"))
        ending = try sandbox.latchkey(
            ["accounts", "apply", "state.json", "--prune", "--yes"] + secondStore, environment: forms)
        #expect(
            ending.stdout == "delete bo@example.org\ndisable Anna@example.org\ncreate cy@example.org\n",
            "\(ending.stderr)")
        #expect(try latchkey("accounts", "delete", Self.address, "--yes").stdout.contains("Anna@example.org"))
        #expect(try logIn("a new long password").status == 1)
    }

    @Test func `if usernames are optional, accounts with and without one coexist`() throws {
        let sandbox = try Sandbox()
        let forms = ["LATCHKEY_FORMS": try sandbox.formsWithOptionalUsername()]
        func latchkey(_ arguments: String..., input: String = "") throws -> Sandbox.Ending {
            try sandbox.latchkey(arguments, input: Data(input.utf8), environment: forms)
        }
        #expect(try latchkey("accounts", "create", "anna@example.org", "--no-password").status == 0)
        #expect(try latchkey("accounts", "create", "bo", "--email", "bo@example.org", "--no-password").status == 0)
        #expect(
            try latchkey("accounts", "create", "x@y.example", "--email", "z@example.org", "--no-password").status == 65)
        #expect(try latchkey("accounts", "update", "anna@example.org", "--username", "anna").status == 0)
        #expect(try latchkey("accounts", "update", "bo", "--username", "").status == 0)
        let names = try latchkey("accounts", "list").stdout.split(separator: "\n").map { $0.split(separator: "\t")[0] }
        #expect(names == ["anna", "bo@example.org"])
    }

    @Test func `checkpassword passes an address as the user name only if it is verified`() throws {
        let (sandbox, forms) = try sandbox()
        for (name, command) in [("operator@example.org", "accounts create"), ("Owner@example.org", "setup --email")] {
            let created = try sandbox.latchkey(
                command.split(separator: " ").map(String.init) + [name, "--password-stdin"],
                input: Data((Sandbox.password + "\n").utf8), environment: forms)
            #expect(created.status == 0, "\(created.stderr)")
            try Data("\(name)\0\(Sandbox.password)\0now\0".utf8).write(to: sandbox.folder.appending(path: "three"))
            let ending = try sandbox.shell("latchkey checkpassword printenv USER 3<\"$HOME/three\"; echo $?")
            try FileManager.default.removeItem(at: sandbox.folder.appending(path: "three"))
            let isVerified = command != "setup --email"
            #expect(ending.stdout == (isVerified ? "operator@example.org\n0\n" : "1\n"), "\(ending.stderr)")
            #expect(ending.stderr.contains("is not verified") == !isVerified)
        }
    }
}
