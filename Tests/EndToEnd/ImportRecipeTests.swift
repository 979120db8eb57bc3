import Foundation
import TestSupport
import Testing

/// The filters of `scripts/import`, each with a file in the other program's format.
@Suite(.programs, .timeLimit(.minutes(60))) struct ImportRecipeTests {
    struct Recipe: Sendable, CustomTestStringConvertible {
        /// The name of the filter, and of the file with its expected output.
        let name: String
        let file: String
        var arguments: [String] = []
        /// The note about values that the filter omits.
        var note = ""
        var testDescription: String { name }
    }

    private static let recipes = [
        Recipe(
            name: "shadow", file: "shadow", arguments: ["example.org"],
            note: "shadow: accounts without a password left out: 6\n"),
        Recipe(name: "htpasswd", file: "htpasswd", arguments: ["example.org"]),
        Recipe(name: "django", file: "django.json"), Recipe(name: "kratos", file: "kratos.json"),
    ]

    private func run(_ recipe: Recipe, _ sandbox: Sandbox, _ more: [String] = []) throws -> Sandbox.Ending {
        try Program(
            path: SourceTree.path(of: "scripts/import/" + recipe.name), arguments: recipe.arguments + more,
            input: Data(contentsOf: URL(filePath: SourceTree.path(of: "Tests/Fixtures/import/" + recipe.file))),
            environment: sandbox.environment, folder: sandbox.folder
        ).run()
    }

    private func rows(_ text: String) throws -> [NSDictionary] {
        try text.split(separator: "\n").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary, "\(line)")
        }
    }

    /// S-150.
    @Test(arguments: recipes)
    func `an import filter prints the expected rows`(recipe: Recipe) throws {
        let ending = try run(recipe, Sandbox())
        #expect(ending.status == 0 && ending.stderr == recipe.note, "\(ending.stderr)")
        let expected = SourceTree.path(of: "Tests/Fixtures/import/\(recipe.name).jsonl")
        #expect(try rows(ending.stdout) == rows(String(contentsOfFile: expected, encoding: .utf8)))
    }

    /// Logins with their expected exit status, by filter.
    private static let logins: [(recipe: Int, name: String, password: String, status: Int32)] = {
        let (plain, staple) = ("correct horse battery", "correct horse battery staple")
        return [
            (0, "ada", plain, 0), (0, "grace", plain, 77), (0, "alan", plain, 1), (0, "bob", plain, 1),
            (0, "ada", "wrong", 1), (0, "carol", plain, 77), (0, "dan", plain, 1), (0, "erin", plain, 0),
            (1, "ada", plain, 0), (1, "grace@navy.example", plain, 0), (1, "bob", plain, 0),
            (1, "eve", plain, 1), (2, "ada", plain, 0), (2, "grace@navy.example", staple, 0), (2, "alan", plain, 1),
            (2, "bob", plain, 1), (2, "zoë", plain, 0), (3, "ada@example.org", staple, 0),
            (3, "hopper", plain, 0), (3, "alan@example.org", plain, 1), (3, "ada", staple, 1),
        ]
    }()

    @Test(arguments: recipes.indices)
    func `imported accounts can log in`(index: Int) throws {
        let sandbox = try Sandbox()
        let rows = try run(Self.recipes[index], sandbox).stdout
        let forms = try sandbox.formsWithOptionalUsername()
        let refused = try sandbox.latchkey(
            "accounts", "import", "-", "--format", "jsonl", "--forms", forms, input: rows)
        #expect(refused.status == (index == 1 ? 65 : 0), "\(refused.stderr)")
        if index == 1 {
            #expect(refused.stderr.contains(":4:") && refused.stderr.contains(":5:"), "$apr1$ and {SHA}")
            let weak = try sandbox.latchkey(
                "accounts", "import", "-", "--format", "jsonl", "--weak-as-reset", input: rows)
            #expect(weak.status == 0, "\(weak.stderr)")
        }
        for login in Self.logins where login.recipe == index {
            let ending = try sandbox.latchkey(
                "login", "--username", login.name, "--password-stdin", input: login.password + "\n")
            #expect(ending.status == login.status, "\(login.name): \(ending.stderr)")
        }
        let hashes = try sandbox.passwordHash().split(separator: "\n").count { $0.hasPrefix("$argon2id$v=19$m=") }
        let renewed = Self.logins.count { $0.recipe == index && [0, 77].contains($0.status) }
        #expect(hashes == renewed, "the logins rehashed them")
    }

    /// S-150.
    @Test func `a Kratos export without passwords is refused`() throws {
        let sandbox = try Sandbox()
        var identities = try #require(
            JSONSerialization.jsonObject(with: Data(SourceTree.contents(of: "Tests/Fixtures/import/kratos.json")))
                as? [[String: Any]])
        func run(_ pages: [[[String: Any]]], _ flags: String...) throws -> Sandbox.Ending {
            let text = try pages.map { try JSONSerialization.data(withJSONObject: $0) }.joined(
                separator: Data("\n".utf8))
            return try Program(
                path: SourceTree.path(of: "scripts/import/kratos"), arguments: flags, input: Data(text),
                environment: sandbox.environment, folder: sandbox.folder
            ).run()
        }
        let pages = try run([Array(identities[..<2]), Array(identities[2...])])
        #expect(pages.status == 0 && pages.stdout.split(separator: "\n").count == 3, "\(pages.stderr)")
        for index in identities.indices { identities[index]["credentials"] = nil }
        let refused = try run([identities])
        #expect(refused.status == 65 && refused.stdout.isEmpty)
        #expect(refused.stderr.contains("include_credential=password"))
        #expect(try run([identities], "--without-passwords").stdout.split(separator: "\n").count == 3)
    }

    /// S-143: the commands in the filters, with the programs and files that they name.
    @Test(arguments: recipes)
    func `the command in a filter's comment imports accounts`(recipe: Recipe) throws {
        let sandbox = try Sandbox()
        let source = String(decoding: try SourceTree.contents(of: "scripts/import/" + recipe.name), as: UTF8.self)
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("#") ? $0.dropFirst() : $0[...] }
        let command = lines.drop { !$0.hasPrefix("    ") }.prefix { $0.hasPrefix("    ") }.joined(separator: "\n")
        try #require(command.contains("scripts/import/" + recipe.name), "\(command)")
        let fixtures = SourceTree.path(of: "Tests/Fixtures/import")
        _ = try sandbox.formsWithOptionalUsername()
        let ending = try sandbox.shell(
            #"""
            set -euo pipefail
            ln -s "\#(SourceTree.path(of: "scripts"))" scripts
            manage.py() { [ "$*" = "dumpdata auth.user" ]; cat "\#(fixtures)/django.json"; }
            curl() { [[ $* == *include_credential=password* ]]; cat "\#(fixtures)/kratos.json"; }
            grep -vE 'apr1|\{SHA\}' "\#(fixtures)/htpasswd" >.htpasswd
            \#(command.replacing("/etc/shadow", with: fixtures + "/shadow"))
            """#)
        #expect(ending.status == 0 && ending.stdout.contains(" created, "), "\(ending.stdout)\(ending.stderr)")
    }

    @Test func `other fields are converted on request`() throws {
        let sandbox = try Sandbox()
        let django = try rows(run(Self.recipes[2], sandbox, ["--take", "first_name=given_name"]).stdout)
        #expect(django.map { $0["given_name"] as? String } == ["Ada", "Grace", nil, nil, nil])
        let kratos = try rows(run(Self.recipes[3], sandbox, ["--take", "name.last=surname"]).stdout)
        #expect(kratos.map { $0["surname"] as? String } == ["Lovelace", nil, nil])
    }

    @Test(arguments: ["", "[1", "[7]", "7", #"{"model":"auth.user"}"#, #"[{"model":"auth.user","fields":{}}]"#])
    func `a filter refuses input in another format with one line of error`(text: String) throws {
        let sandbox = try Sandbox()
        for recipe in Self.recipes[2...] {
            let ending = try Program(
                path: SourceTree.path(of: "scripts/import/" + recipe.name), arguments: [], input: Data(text.utf8),
                environment: sandbox.environment, folder: sandbox.folder
            ).run()
            // Kratos can export one identity per line, so an empty file is valid.
            let isEmpty = text.isEmpty && recipe.name == "kratos"
            #expect(ending.status == (isEmpty ? 0 : 65) && ending.stdout.isEmpty, "\(recipe) \(ending)")
            #expect(ending.stderr.split(separator: "\n").count == (isEmpty ? 0 : 1), "\(ending.stderr)")
        }
    }

    @Test func `names with special characters stay valid JSON`() throws {
        let sandbox = try Sandbox()
        for name in ["shadow", "htpasswd"] {
            let ending = try Program(
                path: SourceTree.path(of: "scripts/import/" + name), arguments: ["example.org"],
                input: Data(#"a"b\c:$2y$05$x:::::::"#.utf8), environment: sandbox.environment, folder: sandbox.folder
            ).run()
            #expect(try rows(ending.stdout).first?["username"] as? String == #"a"b\c"#)
        }
    }
}
