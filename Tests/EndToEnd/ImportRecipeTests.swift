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
        Recipe(
            name: "django", file: "django.json",
            note: "django: left out entries of the model contenttypes.contenttype: 1\n"),
        Recipe(
            name: "kratos", file: "kratos.json",
            note: "kratos: left out the trait name.first: 1\nkratos: left out the trait name.last: 1\n"),
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

    /// The output of a filter for an input.
    private func filter(_ name: String, _ input: String, _ arguments: [String] = []) throws -> Sandbox.Ending {
        let sandbox = try Sandbox()
        return try Program(
            path: SourceTree.path(of: "scripts/import/" + name), arguments: arguments, input: Data(input.utf8),
            environment: sandbox.environment, folder: sandbox.folder
        ).run()
    }

    private static func identity(_ more: String) -> String {
        #"{"id":"3b241101-e2bb-4255-8caf-4136c566a962","traits":{"email":"a@b.example"},\#(more)}"#
    }

    private static let uri =
        "otpauth://totp/Site:ada?secret=GEZDGNBVGY3TQOJQ&issuer=Site&algorithm=SHA1&digits=6&period=30"

    /// S-150.
    @Test func `authenticator apps of other programs are converted, and work after the import`() throws {
        let kratos = try filter(
            "kratos", Self.identity(#""credentials":{"totp":{"config":{"totp_url":"\#(Self.uri)"}}}"#),
            ["--without-passwords"])
        #expect(kratos.status == 0, "\(kratos.stderr)")
        #expect(try rows(kratos.stdout).first?["totp_secret"] as? String == Self.uri)
        let key = Array("1234567890".utf8).map { String($0, radix: 16) }.joined()
        let user = #"{"model":"auth.user","pk":7,"fields":{"username":"ada","email":"a@b.example","password":"!"}}"#
        func app(_ more: String) -> String {
            #"{"model":"otp_totp.totpdevice","pk":1,"fields":{"user":7,"key":"\#(key)","step":30,"t0":0,\#(more)}}"#
        }
        let django = try filter("django", "[\(app(#""digits":6,"confirmed":true"#)),\(user)]")
        #expect(try rows(django.stdout).first?["totp_secret"] as? String == "GEZDGNBVGY3TQOJQ", "\(django.stderr)")
        for more in [#""digits":8,"confirmed":true"#, #""digits":6,"confirmed":false"#] {
            let refused = try filter("django", "[\(user),\(app(more))]")
            #expect(refused.status == 65 && refused.stdout.isEmpty && refused.stderr.contains("--without totp"))
            #expect(try filter("django", "[\(user),\(app(more))]", ["--without", "totp"]).status == 0)
        }
        for output in [kratos.stdout, django.stdout] {
            let sandbox = try Sandbox()
            let forms = try sandbox.formsWithOptionalUsername()
            let ending = try sandbox.latchkey(
                "accounts", "import", "-", "--format", "jsonl", "--forms", forms, input: output)
            #expect(ending.status == 0, "\(ending.stderr)")
            let exported = try sandbox.latchkey("accounts", "export", "all.jsonl", "--with-hashes", "--forms", forms)
            #expect(exported.status == 0, "\(exported.stderr)")
            #expect(try sandbox.contents(of: "all.jsonl").contains(#""totp_secret":"GEZDGNBVGY3TQOJQ""#))
        }
    }

    /// S-150.
    @Test(arguments: [
        (#""credentials":{"totp":{"identifiers":["x"]}}"#, "include_credential=totp", "totp"),
        (#""credentials":{"webauthn":{}}"#, "webauthn", "webauthn"),
        (#""credentials":{"lookup_secret":{"config":{}}}"#, "lookup_secret", "lookup_secret"),
        (#""credentials":{"oidc":{}}"#, "oidc", "oidc"),
        (#""credentials":{"password":{"config":{"use_password_migration_hook":true}}}"#, "hook", nil),
        (#""created_at":"2023-04-05T06:07:08.1""#, "time zone", nil), (#""state":"frozen""#, "frozen", nil),
    ])
    func `what the Kratos filter cannot convert is refused, or left out by name`(
        more: String, words: String, flag: String?
    ) throws {
        let refused = try filter("kratos", Self.identity(more), ["--without-passwords"])
        #expect(refused.status == 65 && refused.stdout.isEmpty && refused.stderr.contains(words), "\(refused)")
        guard let flag else { return }
        let accepted = try filter("kratos", Self.identity(more), ["--without-passwords", "--without", flag])
        #expect(accepted.status == 0 && accepted.stderr.contains("left out credentials of type \(flag): 1"))
        #expect(try rows(accepted.stdout).first?["totp_secret"] == nil)
    }

    /// S-150.
    @Test func `what the other filters cannot convert is refused, and nothing is printed`() throws {
        let good = ["htpasswd": "ada:$5$x$y", "shadow": "ada:$6$x$y:19600:0:99999:7:::"]
        for (name, lines) in [
            "htpasswd": ["ada", "ada:", ":$5$x$y"],
            "shadow": ["ada:$6$x$y", "+@admins::::::::", "ada:$6$x$y:later:0:99999:7:::"],
        ] {
            #expect(try filter(name, good[name] ?? "", ["example.org"]).status == 0)
            for line in lines {
                let ending = try filter(name, "\(good[name] ?? "")\n\(line)\n", ["example.org"])
                #expect(ending.status == 65 && ending.stdout.isEmpty && ending.stderr.contains("line 2"), "\(line)")
            }
        }
        func user(_ time: String, _ hash: String = "!") -> String {
            #"[{"model":"auth.user","fields":{"username":"ada","password":"\#(hash)","date_joined":"\#(time)"}}]"#
        }
        let local = user("2023-11-12T13:14:15.5")
        #expect(try filter("django", local).stderr.contains("--time-zone"))
        #expect(try filter("django", local).status == 65)
        let zoned = try rows(filter("django", local, ["--time-zone", "Europe/Lisbon"]).stdout)
        #expect(zoned.first?["created_at"] as? String == "2023-11-12T13:14:15.500+00:00")
        #expect(try filter("django", user("2023-11-12T13:14:15Z", "scrypt$1000$c2FsdA$8$1$dGFn")).status == 65)
        let codes = #"[{"model":"otp_static.staticdevice","pk":1,"fields":{"user":7}}]"#
        #expect(try filter("django", codes).status == 65)
        #expect(try filter("django", codes, ["--without", "otp_static.staticdevice"]).status == 0)
        for (file, words) in [
            (
                #"[{"model":"auth.user","pk":1,"fields":{"username":"a","password":"!"}},"#
                    + #"{"model":"auth.user","pk":1,"fields":{"username":"b","password":"!"}}]"#,
                "pk 1 of an earlier user"
            ),
            (#"[{"model":"otp_totp.totpdevice","pk":1,"fields":{"user":["ada"],"key":"00"}}]"#, "--natural-foreign"),
        ] {
            let refused = try filter("django", file)
            #expect(refused.status == 65 && refused.stdout.isEmpty && refused.stderr.contains(words), "\(refused)")
        }
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
