import Foundation
import Testing

/// Hostile text in the store, in arguments and in descriptions is escaped in output.
@Suite(.programs, .timeLimit(.minutes(60))) struct HostileTextTests {
    /// Sequences that set the clipboard or the title, a link, an 8-bit CSI, a bidi override, a zero-width space and
    /// others.
    private static let hostileTexts = [
        "\u{1B}]52;c;ZXZpbA==\u{7}", "\u{1B}]0;title\u{7}", "\u{1B}]8;;http://evil.example\u{1B}\\x", "\u{9B}31m",
        "\u{202E}evil", "\u{2066}evil", "\u{200B}", "\u{E0041}", "\u{7F}", "\u{2028}", "\u{FEFF}", "\u{61C}",
        "\u{E000}", "\r", "\u{8}", "\u{90}evil\u{9C}",
    ]

    /// All strings in one, because each test case costs a run of the program.
    private static let hostile = stride(from: 0, to: hostileTexts.count, by: 4).map {
        hostileTexts[$0..<min($0 + 4, hostileTexts.count)].joined(separator: "x")
    }

    /// The set of S-119 without the joiners, from the standard library's properties.
    private func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0A: return false
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060, 0x2066...0x2069,
            0xFEFF, 0xE0000...0xE007F:
            return true
        default: return [.privateUse, .unassigned, .control].contains(scalar.properties.generalCategory)
        }
    }

    private func expectInert(_ ending: Sandbox.Ending, at place: SourceLocation = #_sourceLocation) {
        for scalar in (ending.stdout + ending.stderr).unicodeScalars where isForbidden(scalar) {
            Issue.record("U+\(String(scalar.value, radix: 16))", sourceLocation: place)
        }
        #expect(!(ending.stdout + ending.stderr).isEmpty, sourceLocation: place)
    }

    /// S-121: the values are written by another program, because Latchkey refuses them.
    @Test func `hostile text in the store is escaped in output and unchanged in JSON`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        for text in Self.hostile {
            let bytes = Data(text.utf8).map { String(format: "%02x", $0) }.joined()
            _ = try sandbox.sqlite(
                """
                UPDATE account SET username_typed = 'a' || CAST(x'\(bytes)' AS TEXT) || 'b';
                UPDATE account SET attributes = json_object('company', 'a' || CAST(x'\(bytes)' AS TEXT) || 'b')
                """)
            for command in [["accounts", "list"], ["accounts", "show", "ada"]] {
                let lines = try sandbox.latchkey(command)
                // Only Latchkey's own tabs separate the cells of a list.
                let cells = lines.stdout.split(separator: "\t", omittingEmptySubsequences: false)
                #expect(cells.count == (command[1] == "list" ? 5 : 1))
                expectInert(
                    Sandbox.Ending(
                        status: lines.status, stdout: cells.joined(separator: " "), stderr: lines.stderr))
                let json = try sandbox.latchkey(command + ["--json"])
                expectInert(json)
                let account = try json.json()
                let inner = account["account"] as? [String: Any] ?? account
                #expect(
                    (inner["username"] as? String)?.unicodeScalars.elementsEqual(("a" + text + "b").unicodeScalars)
                        == true)
            }
        }
    }

    /// S-121.
    @Test func `hostile arguments, names and descriptions are escaped in output`() throws {
        let sandbox = try Sandbox()
        let forms = sandbox.folder.appending(path: "forms")
        try FileManager.default.createDirectory(at: forms, withIntermediateDirectories: true)
        for text in Self.hostile.map({ $0.replacing("/", with: "") }) {
            for arguments in [
                ["x" + text], ["login", "--" + text], ["accounts", "show", text], ["forms", "check", "/x" + text],
                ["login", "--username", "a", "--password-file", "/x" + text],
                ["whoami", "--store", "/x" + text + "/y"],
                ["setup", "--username", text, "--email", text, "--password-file", "/dev/null"],
                ["forms", "show", text],
            ] {
                expectInert(try sandbox.latchkey(arguments))
                expectInert(try sandbox.latchkey(arguments + ["--json"]))
            }
            // A file name, a key of a form and a value in it.
            let file = forms.appending(path: "setup" + text + ".json")
            let quoted = String(decoding: try JSONEncoder().encode([text]), as: UTF8.self).dropFirst().dropLast()
            try Data("{ \"form\": \(quoted), \(quoted): 1 }".utf8).write(to: file)
            expectInert(try sandbox.latchkey("forms", "check", forms.path))
            expectInert(try sandbox.latchkey("forms", "check", forms.path, "--json"))
            try FileManager.default.removeItem(at: file)
        }
    }

    /// S-36: all kinds of failure. Each uses a different name, so that none throttles another.
    @Test(arguments: [[], ["--json"]])
    func `every failed login prints the same message, byte for byte`(flags: [String]) throws {
        let sandbox = try Sandbox()
        let password = "correct horse battery\n"
        let accounts = [
            "wrong", "address", "disabled", "disabled-wrong", "none", "unknown-hash", "costly", "utf8", "long", "empty",
        ]
        for name in accounts { try sandbox.setUp(name) }
        _ = try sandbox.sqlite(
            """
            UPDATE account SET state = 1 WHERE login_name LIKE 'disabled%';
            UPDATE account SET hash_kind = NULL, password_hash = NULL WHERE login_name = 'none';
            UPDATE account SET hash_kind = NULL, password_hash = '$y$j9T$x$y' WHERE login_name = 'unknown-hash';
            UPDATE account SET hash_kind = NULL,
                password_hash = '$argon2id$v=19$m=4294967295,t=1,p=1$c2FsdHNhbHQ$dGFndGFndGFndGFn'
                WHERE login_name = 'costly'
            """)
        let attempts: [(name: String, password: Data)] = [
            ("wrong", Data("not the password\n".utf8)), ("ADDRESS@example.org", Data("not the password\n".utf8)),
            ("nobody", Data(password.utf8)), ("nobody@example.org", Data(password.utf8)),
            ("00000000-0000-4000-8000-000000000000", Data(password.utf8)), ("'no name at all'", Data(password.utf8)),
            ("$'a\\xFF'", Data(password.utf8)), (String(repeating: "x", count: 60_000), Data(password.utf8)),
            ("disabled", Data(password.utf8)), ("disabled-wrong", Data("not the password\n".utf8)),
            ("none", Data(password.utf8)), ("unknown-hash", Data(password.utf8)), ("costly", Data(password.utf8)),
            ("utf8", Data([0xFF, 0x0A])), ("long", Data(repeating: 0x61, count: 5000)),
            ("empty", Data("not the password\0x\n".utf8)),
        ]
        let before = try sandbox.sqlite("SELECT count(*) FROM outbox")
        let endings = try attempts.map { attempt in
            try sandbox.shell(
                "latchkey login --password-stdin --username \(attempt.name) " + flags.joined(), input: attempt.password)
        }
        for (attempt, ending) in zip(attempts, endings) {
            #expect(ending.status == 1, "\(attempt.name.prefix(40))")
            #expect(ending.stdout.utf8.elementsEqual(endings[0].stdout.utf8), "\(attempt.name.prefix(40))")
            #expect(ending.stderr.utf8.elementsEqual(endings[0].stderr.utf8), "\(attempt.name.prefix(40))")
        }
        #expect(endings[0].stdout.isEmpty == flags.isEmpty)
        #expect(try sandbox.sqlite("SELECT count(*) FROM outbox") == before)
        #expect(!FileManager.default.fileExists(atPath: sandbox.session.path))
        // The audit record of each failure has the reason that the response hides.
        #expect(
            try sandbox.sqlite(
                "SELECT count(*) FROM audit WHERE event IN ('authn_login_fail', 'authn_hash_refused')")
                == "\(attempts.count)")
    }
}
