import Foundation
import Testing

/// Secrets are read from a descriptor or a file, never from a place that others can read.
@Suite(.programs, .timeLimit(.minutes(60))) struct SecretFlagTests {
    struct Field: Sendable, CustomTestStringConvertible {
        let command: [String]
        let flag: String

        var testDescription: String { command.joined(separator: " ") + " --" + flag }
    }

    /// Every secret field of every form with a command, read from the forms themselves.
    private static func fields() throws -> [Field] {
        let sandbox = try Sandbox()
        var fields: [Field] = []
        for (form, command) in [
            ("login", ["login"]), ("setup", ["setup"]), ("setup", ["accounts", "create", "ada"]),
            ("forgotPassword", ["forgot-password"]), ("resetPassword", ["reset-password"]),
            ("changePassword", ["change-password"]), ("setup", ["policy", "test"]),
        ] {
            let shown = try sandbox.latchkey("forms", "show", form, "--json").json()
            for field in try #require(shown["fields"] as? [[String: Any]]) where field["secret"] as? Bool == true {
                fields.append(Field(command: command, flag: try #require(field["flag"] as? String)))
            }
        }
        return fields
    }

    @Test func `no form accepts a secret from the command line or the environment`() throws {
        let sandbox = try Sandbox()
        let fields = try Self.fields()
        #expect(fields.count == 8)
        for field in fields {
            let variable = "LATCHKEY_" + field.flag.uppercased().replacing("-", with: "_")
            let refusals = [
                try sandbox.latchkey(field.command + ["--" + field.flag, "canary-4711", "--json"]),
                try sandbox.latchkey(field.command + ["--" + field.flag + "=canary-4711", "--json"]),
                try sandbox.latchkey(field.command + ["--json"], environment: [variable: "canary-4711"]),
            ]
            for ending in refusals {
                #expect(ending.status == 64, "\(field)")
                let code = try ending.json()["code"] as? String
                #expect(["secret_argument", "secret_environment"].contains(code), "\(field)")
                #expect(!(ending.stdout + ending.stderr).contains("4711"))
                for way in ["stdin", "file", "fd"] { #expect(ending.stderr.contains("--\(field.flag)-\(way)")) }
            }
        }
        #expect(!FileManager.default.fileExists(atPath: sandbox.data.path))
    }

    /// The error must not suggest the password flags, because the hash would become the password.
    @Test(arguments: ["accounts create bob", "accounts set-password bob", "setup"])
    func `the error for a hash on the command line suggests the hash flags`(command: String) throws {
        let sandbox = try Sandbox()
        let words = command.split(separator: " ").map(String.init)
        for ending in [
            try sandbox.latchkey(words + ["--password-hash", "$6$canary-4711"]),
            try sandbox.latchkey(words, environment: ["LATCHKEY_PASSWORD_HASH": "$6$canary-4711"]),
        ] {
            #expect(ending.status == 64)
            #expect(ending.stderr.contains("--password-hash-stdin") && !ending.stderr.contains("--password-stdin"))
            #expect(!ending.stderr.contains("4711"))
        }
    }

    @Test func `the error for a mistyped secret flag suggests the correct flag`() throws {
        let ending = try Sandbox().latchkey("setup", "--pasword", "canary-4711")
        #expect(ending.status == 64)
        #expect(ending.stderr.contains("--password-stdin"))
        #expect(!ending.stderr.contains("4711"))
    }

    @Test func `a secret can come from a file, a descriptor or standard input`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let ending = try sandbox.shell(
            """
            set -e
            umask 077
            printf 'correct horse battery' >pw
            ln -s pw link
            latchkey login --username ada --password-file pw
            latchkey login --username ada --password-file link
            latchkey login --username ada --password-file <(printf 'correct horse battery\\r\\n')
            latchkey login --username ada --password-fd 5 5<pw
            latchkey login --username ada --password-fd 5 5< <(sleep 0; cat pw)
            printf 'correct horse battery\\r\\n' | latchkey login --username ada --password-stdin
            printf '%s\\n' 'correct horse battery' 'a new long password' |
                latchkey change-password --current-password-stdin --password-stdin
            printf 'correct horse battery\\n' |
                latchkey change-password --password-stdin --current-password-fd 7 7<<<'a new long password'
            """)
        #expect(ending.status == 0, "\(ending.stderr)")
        #expect(ending.stderr.isEmpty)
    }

    @Test func `a secret file that others can write is refused, and a readable one causes a warning`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let file = sandbox.folder.appending(path: "pw")
        try Data("correct horse battery\n".utf8).write(to: file)
        let login = ["login", "--username", "ada", "--password-file", file.path]
        let manager = FileManager.default
        try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
        let readable = try sandbox.latchkey(login)
        #expect(readable.status == 0 && readable.stderr.contains("can be read by other users"))
        #expect(try sandbox.latchkey(login + ["--quiet"]).stderr.isEmpty)
        try manager.setAttributes([.posixPermissions: 0o622], ofItemAtPath: file.path)
        let writable = try sandbox.latchkey(login)
        #expect(writable.status == 77 && writable.stderr.contains("can be changed by other users"))
    }

    /// A line is read through one small buffer and ends at its newline, at any length.
    @Test(arguments: [4094, 4095, 4096, 4097, 8191, 8192, 8193])
    func `the rest of an overlong line is not read as the next line`(length: Int) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "correct horse battery\n")
        let long = String(repeating: "a", count: length)
        let flags = ["change-password", "--current-password-stdin", "--password-stdin", "--json"]
        for (lines, field) in [
            (long + "\na new long password\n", "current_password"), ("correct horse battery\n" + long, "password"),
        ] {
            let ending = try sandbox.latchkey(flags, input: Data(lines.utf8))
            #expect(ending.status == 65)
            let errors = try #require(try ending.json()["errors"] as? [[String: Any]])
            #expect(errors.map { $0["field"] as? String } == [field])
            #expect(errors.map { $0["code"] as? String } == ["too_long"])
        }
    }

    @Test func `a gibibyte of input for a password uses little memory and time`() throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.shell(
            """
            head -c 1073741824 /dev/zero |
                (ulimit -d 65536; latchkey setup --username ada --email ada@example.org --password-stdin --json)
            """)
        #expect(ending.status == 65, "\(ending.stderr)")
        let errors = try #require(try ending.json()["errors"] as? [[String: Any]])
        #expect(errors.map { $0["code"] as? String } == ["too_long"])
    }
}
