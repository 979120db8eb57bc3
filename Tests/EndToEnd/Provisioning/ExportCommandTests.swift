import Foundation
import TestSupport
import Testing

/// `accounts export`, and importing its output.
@Suite(.programs, .timeLimit(.minutes(60))) struct ExportCommandTests {
    private let sandbox: Sandbox

    init() throws {
        sandbox = try Sandbox()
        let forms = sandbox.folder.appending(path: "forms")
        try FileManager.default.createDirectory(at: forms, withIntermediateDirectories: true)
        let setup = try String(contentsOf: Sandbox.shippedForm("setup"), encoding: .utf8)
        let field =
            #"{ "apiKey": "job_title", "placeholder": "Title", "optional": true, "rules": [{ "rule": "maxLength", "length": 80 }] },"#
        let form = forms.appending(path: "setup.json")
        try Data(setup.replacingOccurrences(of: "\"fields\": [", with: "\"fields\": [\n" + field).utf8).write(to: form)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: form.path)
        try sandbox.write(
            #"""
            {"username":"Ada","email":"Ada@Example.org","job_title":"Countess, \"of\" Lovelace","password_hash":"\#(Sandbox.bcrypt)","created_at":"1815-12-10T01:02:03.456Z"}
            {"username":"бо","email":"bo@example.org","disabled":true,"id":"3b241101-e2bb-4255-8caf-4136c566a962"}
            {"username":"cy","email":"cy@example.org","job_title":"=1+1 \u00e9","require_change":true}

            """#, to: "people.jsonl")
        let ending = try latchkey("accounts", "import", "people.jsonl")
        try #require(ending.status == 0, "\(ending.stderr)")
    }

    /// S-193.
    @Test(arguments: ["jsonl", "csv"])
    func `groups are exported and imported, and a row with an unknown group is refused`(format: String) throws {
        #expect(try latchkey("groups", "create", "admins", "staff").status == 0)
        #expect(try latchkey("groups", "add", "staff", "Ada", "cy").status == 0)
        #expect(try latchkey("groups", "add", "admins", "Ada").status == 0)
        #expect(try latchkey("accounts", "export", "one.\(format)").status == 0)
        let text = try sandbox.contents(of: "one.\(format)")
        #expect(text.contains(format == "csv" ? ",admins staff\r\n" : #""groups":["admins","staff"]"#))
        #expect(text.contains(format == "csv" ? "groups\r\n" : #""groups":[]"#))
        let other = ["--store", "other.sqlite", "--forms", "forms"]
        let refused = try sandbox.latchkey(["accounts", "import", "one.\(format)"] + other)
        #expect(refused.status == 65)
        let line = format == "csv" ? 2 : 1
        #expect(refused.stderr.contains("one.\(format):\(line):") && refused.stderr.contains("does not exist: admins"))
        #expect(try sandbox.latchkey(["groups", "create", "admins", "staff"] + other).status == 0)
        #expect(try sandbox.latchkey(["accounts", "import", "one.\(format)"] + other).status == 0)
        #expect(try sandbox.latchkey(["accounts", "export", "two.\(format)"] + other).status == 0)
        #expect(try sandbox.contents(of: "two.\(format)") == text)
        let again = try sandbox.latchkey(
            ["accounts", "import", "one.\(format)", "--on-conflict", "update"] + other)
        #expect(again.stdout + again.stderr == "0 created, 0 updated, 3 skipped\n", "\(again)")
        try sandbox.write(#"{"username":"Ada","email":"Ada@Example.org","groups":["staff"]}"# + "\n", to: "less.jsonl")
        #expect(
            try sandbox.latchkey(["accounts", "import", "less.jsonl", "--on-conflict", "update"] + other).status == 0)
        let members = try sandbox.latchkey(["accounts", "list", "--group", "admins"] + other)
        #expect(members.status == 0 && members.stdout.isEmpty)
    }

    private func latchkey(_ arguments: String...) throws -> Sandbox.Ending {
        try sandbox.latchkey(arguments + ["--forms", "forms"])
    }

    @Test(arguments: ["jsonl", "csv"], [true, false])
    func `importing an export and exporting it again produces the same bytes`(format: String, hashes: Bool) throws {
        let flags = hashes ? ["--with-hashes"] : []
        let first = try sandbox.latchkey(["accounts", "export", "one.\(format)", "--forms", "forms"] + flags)
        #expect(first.status == 0, "\(first.stderr)")
        let other = ["--store", "other.sqlite"]
        let taken = try sandbox.latchkey(["accounts", "import", "one.\(format)", "--forms", "forms"] + other)
        #expect(taken.status == 0, "\(taken.stderr)")
        let second = try sandbox.latchkey(["accounts", "export", "two.\(format)", "--forms", "forms"] + other + flags)
        #expect(second.status == 0)
        let text = try sandbox.contents(of: "one.\(format)")
        #expect(try sandbox.contents(of: "two.\(format)") == text)
        #expect(text.contains("1815-12-10T01:02:03.456Z") && text.contains("3b241101-e2bb-4255-8caf-4136c566a962"))
        #expect(text.contains("job-title") && text.contains(Sandbox.bcrypt) == hashes)
        for name in ["one", "two"] {
            let file = sandbox.folder.appending(path: "\(name).\(format)").path
            #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        }
    }

    /// S-137.
    @Test func `cells that a spreadsheet would evaluate are imported unchanged`() throws {
        let titles = ["=1+1", "+44 20", "@a", "-1", "'=1", "''-1", "'plain", "a=1", "'"]
        let rows = titles.enumerated().map { index, title in
            #"{"username":"u\#(index)","email":"u\#(index)@example.org","job_title":"\#(title)"}"# + "\n"
        }
        try sandbox.write(rows.joined(), to: "titles.jsonl")
        let store = ["--store", "titles.sqlite", "--forms", "forms"]
        #expect(try sandbox.latchkey(["accounts", "import", "titles.jsonl"] + store).status == 0)
        #expect(try sandbox.latchkey(["accounts", "export", "titles.csv"] + store).status == 0)
        let csv = try sandbox.contents(of: "titles.csv")
        for cell in ["'=1+1", "'+44 20", "'@a", "'-1", "''=1", "'''-1", "'plain", "a=1", "'"] {
            #expect(csv.contains(",\(cell),"), "\(cell)")
        }
        let other = ["--store", "again.sqlite", "--forms", "forms"]
        #expect(try sandbox.latchkey(["accounts", "import", "titles.csv"] + other).status == 0)
        let back = try sandbox.latchkey(["accounts", "export", "-", "--format", "jsonl"] + other).stdout
        for title in titles { #expect(back.contains(#""job-title":"\#(title)""#), "\(title)") }
    }

    /// S-68.
    @Test(arguments: ["jsonl", "csv"])
    func `an export includes authenticator apps with the hashes, but no saved codes`(
        format: String
    ) throws {
        let sandbox = try Sandbox()
        let factor = try sandbox.addFactor()
        for (file, flags) in [("bare.", []), ("whole.", ["--with-hashes"])] {
            #expect(try sandbox.latchkey(["accounts", "export", file + format] + flags).status == 0)
            let text = try sandbox.contents(of: file + format)
            #expect(text.contains(factor.key) == !flags.isEmpty && text.contains("totp_secret") == !flags.isEmpty)
            #expect(!text.contains(factor.savedCodes[0]))
        }
        let other = ["--store", "other.sqlite"]
        #expect(try sandbox.latchkey(["accounts", "import", "whole." + format] + other).status == 0)
        #expect(try sandbox.latchkey(["accounts", "export", "again." + format, "--with-hashes"] + other).status == 0)
        #expect(try sandbox.contents(of: "again." + format) == sandbox.contents(of: "whole." + format))
        let code = try sandbox.code(of: factor.key)
        for (code, status) in [(factor.savedCodes[0], Int32(1)), (code, 0), (code, 1)] {
            let login = try sandbox.latchkey(
                ["login", "ada", "--password-stdin", "--code-stdin"] + other,
                input: Data("\(Sandbox.password)\n\(code)\n".utf8))
            #expect(login.status == status, "\(login.stderr)")
        }
        let update = ["accounts", "import", "whole." + format, "--on-conflict", "update"]
        #expect(try sandbox.latchkey(update + other).stdout.contains("0 updated"))
        #expect(try sandbox.latchkey("factors", "list", "--account", "ada").stdout.contains("10 left"))
    }

    /// S-68, S-80.
    @Test(arguments: [
        "JBSWY3DPEHPK3PX", "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PX1", "otpauth://totp/a?secret=JBSWY3DPEHPK3PXP&digits=8",
    ])
    func `a secret that Latchkey cannot use is refused without being printed`(secret: String) throws {
        try sandbox.write("username,email,totp_secret\ndi,di@example.org,\(secret)\n", to: "odd.csv")
        let ending = try latchkey("accounts", "import", "odd.csv")
        #expect(ending.status == 65 && ending.stderr.contains("bytes in base 32"), "\(ending.stderr)")
        #expect(!ending.stderr.contains(secret) && !ending.stdout.contains(secret))
    }

    /// S-121.
    @Test func `an export to a terminal is escaped`() async throws {
        _ = try sandbox.sqlite("UPDATE account SET username_typed = 'cy' || char(27) || '[31m' WHERE login_name = 'cy'")
        let session = try PtySession(
            Sandbox.binary.path,
            ["accounts", "export", "-", "--format", "csv", "--forms", sandbox.folder.appending(path: "forms").path],
            environment: sandbox.environment)
        #expect(try await session.waitForExit() == .status(0))
        let output = String(decoding: session.pty.output, as: UTF8.self)
        #expect(output.contains(#"cy\u{1B}[31m"#) && !output.contains("\u{1B}[31m"))
        #expect(output.contains("'=1+1 é"))
    }

    @Test func `accounts are exported in the order of their usernames`() throws {
        let name = try sandbox.writeRows(0..<1203)
        #expect(try sandbox.latchkey("accounts", "import", name).status == 0)
        let lines = try latchkey("accounts", "export", "-", "--format", "jsonl").stdout.split(separator: "\n")
        #expect(lines.count == 1206)
        let names = try lines.map { line in
            try #require(
                (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["username"] as? String)
        }
        #expect(Array(names.prefix(3)) == ["Ada", "cy", "n0"] && names.last == "бо")
        #expect(Set(names).count == 1206)
    }

    /// S-80, S-89: an attacker who reads hashes can guess passwords.
    @Test func `hashes are exported only to files and pipes that other users cannot read`() throws {
        try sandbox.write("", to: "open", mode: 0o644)
        try sandbox.write("", to: "closed", mode: 0o600)
        let export = "latchkey accounts export - --format csv --with-hashes --forms forms"
        for (target, status) in [("> open", Int32(77)), ("> /dev/null", 77), ("> closed", 0), ("| cat > piped", 0)] {
            let ending = try sandbox.shell("set -o pipefail; \(export) \(target)")
            #expect(ending.status == status, "\(target): \(ending.stderr)")
        }
        #expect(try sandbox.contents(of: "open").isEmpty)
        #expect(try sandbox.contents(of: "closed") == sandbox.contents(of: "piped"))
        // An existing file that everyone can read is replaced by a private one.
        #expect(try latchkey("accounts", "export", "open", "--format", "csv", "--with-hashes", "--yes").status == 0)
        let modes = try FileManager.default.attributesOfItem(atPath: sandbox.folder.appending(path: "open").path)
        #expect(modes[.posixPermissions] as? Int == 0o600)
        let script = try sandbox.run(
            "/usr/bin/script", "-qec", "\(Sandbox.binary.path) accounts export - --format csv --with-hashes",
            "/dev/null")
        #expect(script.status == 77 && !script.stdout.contains("$2b$"))
    }

    @Test func `a file is replaced only after a confirmation`() async throws {
        let file = sandbox.folder.appending(path: "people.csv")
        try Data("mine".utf8).write(to: file)
        let refused = try latchkey("accounts", "export", "people.csv")
        #expect(refused.status == 73 && refused.stderr.contains("--yes"), "\(refused.stderr)")
        for (key, isReplaced) in [("\r", false), ("\u{1B}[B\r", true)] {
            let session = try PtySession(
                Sandbox.binary.path,
                [
                    "accounts", "export", file.path, "--forms", sandbox.folder.appending(path: "forms").path,
                ], environment: sandbox.environment)
            try await session.expect("Replace it?")
            session.send(key)
            #expect(try await session.waitForExit() == .status(isReplaced ? 0 : 1))
            #expect(try sandbox.contents(of: "people.csv").hasPrefix("id,") == isReplaced)
        }
        #expect(try latchkey("accounts", "export", "people.csv", "--yes").status == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path)
        #expect(left.filter { $0.contains("people.csv") } == ["people.csv"])
    }

    /// S-137: LibreOffice and Excel write these bytes for an export that was opened and saved once.
    @Test func `an export that a spreadsheet saved again is imported unchanged`() throws {
        #expect(try latchkey("accounts", "export", "one.csv", "--with-hashes").status == 0)
        let exported = try sandbox.contents(of: "one.csv")
        let names = try #require(exported.split(whereSeparator: \.isNewline).first)
        let commas = String(repeating: ",", count: names.count { $0 == "," })
        let saved =
            "\u{FEFF}"
            + exported.replacing("true", with: "TRUE").replacing("false", with: "FALSE")
            .replacing("\r\n", with: "\r\n\(commas)\r\n") + "\(commas)\r\n"
        try sandbox.write(saved, to: "saved.csv")
        let ending = try latchkey("accounts", "import", "saved.csv", "--on-conflict", "update", "--store", "new.sqlite")
        #expect(ending.status == 0, "\(ending.stderr)")
        #expect(
            try latchkey("accounts", "export", "two.csv", "--with-hashes", "--store", "new.sqlite").status == 0)
        #expect(try sandbox.contents(of: "two.csv") == exported)
    }

    @Test func `an unwritable export file is reported and leaves nothing behind`() throws {
        let shared = sandbox.folder.appending(path: "shared")
        try FileManager.default.createDirectory(at: shared, withIntermediateDirectories: true)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: shared.path)
        try FileManager.default.createDirectory(
            at: sandbox.folder.appending(path: "folder.csv"), withIntermediateDirectories: true)
        for (path, status) in [
            ("nowhere/out.csv", Int32(73)), ("folder.csv", 73), ("shared/out.csv", 77), ("out", 64), ("out/", 64),
        ] {
            let ending = try latchkey("accounts", "export", path)
            #expect(ending.status == status && !ending.stderr.isEmpty, "\(path): \(ending.status) \(ending.stderr)")
        }
        let full = try sandbox.shell("ulimit -f 0; latchkey accounts export out.csv --forms forms")
        #expect(full.status == 74, "\(full.stderr)")
        let left = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path)
        #expect(left.filter { $0.contains("out") && !$0.hasPrefix("output") } == [])
    }

    @Test func `files that Latchkey needs are not overwritten`() throws {
        let rows = try sandbox.contents(of: "people.jsonl")
        try FileManager.default.createSymbolicLink(
            at: sandbox.folder.appending(path: "link"), withDestinationURL: sandbox.store)
        let key = sandbox.data.appending(path: "keys/store.key").path
        #expect(try latchkey("pepper", "add").status == 0)
        let peppers = sandbox.data.appending(path: "keys/pepper.d").path
        let pepper = peppers + "/" + (try #require(try FileManager.default.contentsOfDirectory(atPath: peppers).first))
        for path in [sandbox.store.path, sandbox.store.path + ".lock", key, pepper, "link"] {
            let export = try latchkey("accounts", "export", path, "--format", "csv")
            #expect(export.status == 73 && export.stderr.contains("is in use by Latchkey"), "\(path): \(export.stderr)")
        }
        for path in ["people.jsonl", sandbox.store.path] {
            let ending = try latchkey("accounts", "import", "people.jsonl", "--on-conflict", "skip", "--report", path)
            #expect(ending.status == 73 && ending.stderr.contains("is in use by Latchkey"), "\(path): \(ending.stderr)")
        }
        #expect(try sandbox.contents(of: "people.jsonl") == rows)
        #expect(try sandbox.accountCount() == 3)
        #expect(try sandbox.latchkey("store", "check").status == 0)
    }

    @Test func `an interrupted export leaves no file`() throws {
        _ = try sandbox.sqlite(
            """
            WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 50000)
            INSERT INTO account (id, login_name, email, state, created_at, must_change_password, password_generation)
            SELECT CAST(printf('%016d', n) AS BLOB), printf('u%d', n), printf('u%d@example.net', n), 0, 0, 0, 0
                FROM number
            """)
        let process = try RunningBinary(sandbox, ["accounts", "export", "out.csv"])
        func names() throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path).filter { $0.contains("out.csv") }
        }
        try process.wait { try !names().isEmpty }
        process.signal(SIGTERM)
        let ending = try process.ending()
        if ending.status == 0 {
            // The export ended before the signal arrived.
            #expect(try names() == ["out.csv"])
            return
        }
        #expect(ending.status == 128 + SIGTERM && ending.stdout.contains("Interrupted. Nothing was written"))
        #expect(try names() == [])
    }

    /// S-151.
    @Test(arguments: ["jsonl", "csv"])
    func `attributes without a form field are exported and listed in a note`(format: String) throws {
        // One account has an attribute with the name of another column.
        _ = try sandbox.sqlite(
            """
            UPDATE account SET attributes = json_patch(coalesce(attributes, '{}'), '{"colour":"=red","disabled":"x"}')
                WHERE login_name = 'cy'
            """)
        let ending = try sandbox.latchkey("accounts", "export", "all.\(format)")
        #expect(ending.status == 0, "\(ending.stderr)")
        let notes = ending.stderr.split(separator: "\n")
        #expect(notes.count == 2 && notes[0].contains(" colour, job_title. ") && notes[1].hasSuffix(": disabled"))
        let text = try sandbox.contents(of: "all.\(format)")
        if format == "csv" {
            #expect(text.hasPrefix("id,email,username,colour,job_title,disabled,"), "\(text)")
            #expect(text.contains(",cy,'=red,'=1+1 \u{E9},false,"))
        } else {
            #expect(
                text.contains(#""username":"cy","colour":"=red","job_title":"=1+1 \#u{E9}","disabled":false"#))
        }
        #expect(text.contains("Countess"))
        // Without the form, an import refuses the fields that it would otherwise lose.
        let refused = try sandbox.latchkey("accounts", "import", "all.\(format)", "--store", "new.sqlite")
        #expect(refused.status == 65 && refused.stderr.contains("column_unknown"))
        #expect(try sandbox.latchkey("accounts", "export", "x.csv", "--store", "none.sqlite").status == 66)
    }
}
