import Foundation
import TestSupport
import Testing

/// `applications explain` with a real store.
@Suite(.programs, .timeLimit(.minutes(60))) struct ApplicationExplainTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        try sandbox.setUp("ada")
        #expect(try sandbox.latchkey("groups", "create", "staff").status == 0)
    }

    private func add(_ id: String, _ flags: String...) throws {
        let added = try sandbox.latchkey(
            ["applications", "add", id, "--redirect", "https://\(id).example.org/cb"] + flags)
        #expect(added.status == 0, "\(added.stderr)")
    }

    @Test func `the claims are those of a login`() throws {
        #expect(try sandbox.latchkey("groups", "add", "staff", "ada").status == 0)
        let file = ##"""
            { "applications": [{
                "client_id": "wiki", "public": true, "redirect_uris": ["https://wiki.example.org/cb"],
                "scopes": ["openid", "profile", "email", "groups"], "id_token_claims": ["groups", "mail"],
                "claims": { "mail": "email" }
            }] }
            """##
        let applied = try sandbox.latchkey("applications", "apply", "-", input: file)
        #expect(applied.status == 0, "\(applied.stderr)")
        let explained = try sandbox.latchkey("applications", "explain", "wiki", "ada")
        #expect(explained.status == 0, "\(explained.stderr)")
        let lines = explained.stdout.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        for line in ["preferred_username ada", "email ada@example.org", "email_verified false", "groups [\"staff\"]"] {
            #expect(lines.contains(line), "\(lines)")
        }
        let json = try sandbox.latchkey("applications", "explain", "wiki", "ada@example.org", "--json").stdout
        // An address is never without the claim that tells whether it is verified.
        #expect(
            json.contains(
                ##""id_token":{"groups":["staff"],"mail":"ada@example.org","email_verified":false}"##), "\(json)")
        #expect(json.contains(#""asks_for_consent":true"#))
    }

    @Test func `a refusal names its reason`() throws {
        try add("staffwiki", "--group", "staff")
        try add("bank", "--require", "aal2")
        try add("old")
        #expect(try sandbox.latchkey("applications", "disable", "old").status == 0)
        for (id, code) in [("staffwiki", "group"), ("bank", "level"), ("old", "disabled")] {
            let explained = try sandbox.latchkey("applications", "explain", id, "ada", "--json")
            #expect(explained.status == 1)
            #expect(explained.stdout.contains(#""code":"no_access_\#(code)""#), "\(explained.stdout)")
        }
        #expect(try sandbox.latchkey("groups", "add", "staff", "ada").status == 0)
        #expect(try sandbox.latchkey("applications", "explain", "staffwiki", "ada").status == 0)
        #expect(try sandbox.latchkey("accounts", "disable", "ada").status == 0)
        let disabled = try sandbox.latchkey("applications", "explain", "staffwiki", "ada")
        #expect(disabled.status == 1)
        #expect(disabled.stderr.contains("the account is disabled"), "\(disabled.stderr)")
    }

    @Test func `unknown names and missing operands are refused`() throws {
        try add("wiki")
        for (operands, status) in [
            ([], 64), (["wiki"], 64), (["wiki", "ada", "x"], 64), (["wiki", "bob"], 1),
            (["none", "ada"], 1),
        ] as [([String], Int32)] {
            let ending = try sandbox.latchkey(["applications", "explain"] + operands)
            #expect(ending.status == status, "\(operands) \(ending.stderr)")
        }
    }
}
