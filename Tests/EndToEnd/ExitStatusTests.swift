import Foundation
import Testing

/// The exit statuses are a contract: each is tested here, except an internal error
/// (70) and a system without memory or randomness (71), which the unit tests cover.
@Suite(.programs, .timeLimit(.minutes(60))) struct ExitStatusTests {
    private static let password = "correct horse battery\n"

    /// An exit status, a command that ends with it, and its `code`.
    struct Case: Sendable, CustomStringConvertible {
        let status: Int32
        let code: String
        let arguments: [String]
        var input = ExitStatusTests.password
        var environment: [String: String] = [:]

        var description: String { "\(status) \(code) \(arguments)" }
    }

    private static let create = ["accounts", "create", "bob", "--email", "bob@example.org", "--password-stdin"]

    private static let cases = [
        Case(status: 1, code: "invalid_credentials", arguments: ["login", "--username", "bob", "--password-stdin"]),
        Case(status: 1, code: "no_session", arguments: ["whoami"]),
        Case(
            status: 1, code: "no_session",
            arguments: ["change-password", "--current-password-stdin", "--password-stdin"],
            input: "correct horse battery\na new long password\n"),
        Case(status: 1, code: "no_such_account", arguments: ["accounts", "show", "bob"]),
        Case(status: 1, code: "no_such_account", arguments: ["accounts", "delete", "bob", "--yes"]),
        Case(
            status: 1, code: "audit_anchor_unknown",
            arguments: ["audit", "verify", "--anchor", String(repeating: "0", count: 64)]),
        Case(status: 64, code: "unknown_event", arguments: ["audit", "list", "--event", "nonsense"]),
        Case(
            status: 64, code: "unknown_event_suggestion",
            arguments: ["audit", "list", "--event", "authn_login_fial"]),
        Case(status: 64, code: "bad_time", arguments: ["audit", "list", "--since", "yesterday"]),
        Case(status: 64, code: "audit_mine_alone", arguments: ["audit", "list", "--mine", "--account", "ada"]),
        Case(
            status: 65, code: "bad_anchor",
            arguments: ["audit", "verify", "--anchor", Sandbox.shippedForm("login").path]),
        Case(status: 66, code: "input_missing", arguments: ["audit", "verify", "--anchor", "/nonexistent"]),
        Case(status: 1, code: "no_such_form", arguments: ["forms", "show", "bob"]),
        Case(status: 64, code: "no_terminal", arguments: []),
        Case(status: 64, code: "unknown_flow", arguments: ["--open", "nonsense"]),
        Case(status: 64, code: "unknown_command", arguments: ["nonsense"]),
        Case(status: 64, code: "command_missing", arguments: ["accounts"]),
        Case(status: 64, code: "unknown_flag", arguments: ["whoami", "--nonsense"]),
        Case(status: 64, code: "flags_missing", arguments: ["setup"]),
        Case(status: 64, code: "operand_missing", arguments: ["accounts", "create"]),
        Case(status: 64, code: "operand_missing", arguments: ["accounts", "show"]),
        Case(status: 64, code: "operand_missing", arguments: ["accounts", "delete", "--yes"]),
        Case(status: 64, code: "operand_missing", arguments: ["forms", "show"]),
        Case(status: 64, code: "operand_missing", arguments: ["forms", "check"]),
        Case(status: 64, code: "operand_too_many", arguments: ["whoami", "ada"]),
        Case(status: 64, code: "yes_needed", arguments: ["accounts", "delete", "ada"]),
        Case(status: 64, code: "bad_path", arguments: ["whoami", "--store"]),
        Case(status: 64, code: "bad_number", arguments: ["whoami"], environment: ["LATCHKEY_HASH_MEMORY": "much"]),
        Case(
            status: 64, code: "bad_number", arguments: ["login", "--username", "ada", "--password-fd", "x"]),
        Case(
            status: 64, code: "secret_unwanted",
            arguments: ["accounts", "create", "bob", "--email", "b@example.org", "--no-password", "--password-stdin"]),
        Case(
            status: 64, code: "secret_environment",
            arguments: ["accounts", "create", "bob", "--email", "b@example.org", "--no-password"],
            environment: ["LATCHKEY_PASSWORD": "canary"]),
        Case(status: 65, code: "validation_failed", arguments: create, input: "short\n"),
        Case(status: 65, code: "secret_missing", arguments: create, input: ""),
        Case(status: 65, code: "input_left_over", arguments: create, input: "correct horse battery\nx"),
        Case(status: 66, code: "store_missing", arguments: ["whoami", "--store", "/nonexistent/accounts.sqlite"]),
        Case(
            status: 66, code: "store_folder_missing", arguments: create + ["--store", "/nonexistent/accounts.sqlite"]),
        Case(status: 66, code: "input_missing", arguments: ["whoami", "--config", "/nonexistent/config.json"]),
        Case(status: 66, code: "input_missing", arguments: ["forms", "list", "--forms", "/nonexistent"]),
        Case(
            status: 66, code: "input_missing",
            arguments: ["login", "--username", "ada", "--password-file", "/nonexistent"]),
        Case(status: 66, code: "input_unreadable", arguments: ["login", "--username", "ada", "--password-file", "/"]),
        Case(
            status: 66, code: "input_unreadable",
            arguments: ["login", "--username", "ada", "--password-file", "/dev/zero"]),
        Case(
            status: 66, code: "input_unreadable",
            arguments: ["login", "--username", "ada", "--password-fd", "2000000000"]),
        Case(status: 77, code: "store_exposed", arguments: ["accounts", "list", "--store", "/dev/null"]),
        Case(
            status: 76, code: "taken",
            arguments: ["accounts", "create", "ADA", "--email", "b@example.org", "--password-stdin"]),
        Case(
            status: 76, code: "taken",
            arguments: ["setup", "--username", "bob", "--email", "ADA@example.org", "--password-stdin"]),
        Case(
            status: 78, code: "hash_cost", arguments: ["accounts", "list"],
            environment: ["LATCHKEY_HASH_MEMORY": "1024"]),
        Case(
            status: 78, code: "hash_cost_high", arguments: ["accounts", "list"],
            environment: ["LATCHKEY_HASH_MEMORY": "262145"]),
        Case(
            status: 78, code: "hash_cost_high", arguments: ["accounts", "list"],
            environment: ["LATCHKEY_HASH_MEMORY": "4294967296"]),
        Case(
            status: 78, code: "hash_cost_high",
            arguments: ["run", "--no-input", "--hash-parallelism", "17", "--", "true"]),
        Case(status: 64, code: "unknown_flag", arguments: ["accounts", "list", "--hash-memory", "65536"]),
        Case(
            status: 64, code: "bad_source",
            arguments: ["login", "--username", "ada", "--password-stdin", "--source", "192.0.2"]),
        Case(status: 64, code: "program_behind_dashes", arguments: ["run", "true"]),
        Case(status: 64, code: "program_behind_dashes", arguments: ["run", "true", "--", "false"]),
        Case(status: 64, code: "operand_missing", arguments: ["run", "--"]),
        Case(status: 1, code: "no_session", arguments: ["run", "--no-input", "--", "true"]),
        Case(status: 78, code: "no_home", arguments: ["accounts", "list"], environment: ["HOME": "relative"]),
    ]

    /// S-128.
    /// The reason is text on standard error, and with `--json` also one object on standard output. Nothing changes.
    @Test func `a failing command exits with the status in the table and prints the reason`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        for row in Self.cases {
            let ending = try sandbox.latchkey(
                row.arguments, input: Data(row.input.utf8), environment: row.environment)
            #expect(ending.status == row.status, "\(row): \(ending.stderr)")
            #expect(ending.stdout.isEmpty, "\(row)")
            #expect(ending.stderr.hasPrefix("latchkey: ") && !ending.stderr.contains("tool."), "\(row)")
            #expect(!ending.stderr.contains("{") && !ending.stderr.contains("canary"), "\(row)")
            let answer = try expectJSON(row, in: sandbox)
            #expect(!answer.stderr.isEmpty, "\(row)")
        }
        #expect(try sandbox.sqlite("SELECT count(*) FROM account") == "1")
    }

    @Test func `a successful command exits with 0 and reports success`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let ending = try expectJSON(Case(status: 0, code: "success", arguments: Self.create), in: sandbox)
        #expect(ending.stderr.isEmpty)
        #expect(try sandbox.sqlite("SELECT count(*) FROM account") == "2")
    }

    private func expectJSON(_ row: Case, in sandbox: Sandbox) throws -> Sandbox.Ending {
        // The flag goes before the arguments of another program.
        let end = row.arguments.firstIndex(of: "--") ?? row.arguments.endIndex
        let ending = try sandbox.latchkey(
            row.arguments[..<end] + ["--json"] + row.arguments[end...], input: Data(row.input.utf8),
            environment: row.environment)
        #expect(ending.status == row.status, "\(row): \(ending.stderr)")
        let answer = try ending.json()
        #expect(answer["code"] as? String == row.code, "\(row)")
        #expect(answer["ok"] as? Bool == (row.status == 0), "\(row)")
        #expect((answer["status"] as? Int).map { (200...599).contains($0) } == true, "\(row)")
        return ending
    }

    @Test func `after quick guesses the error shows the remaining wait`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let login = ["login", "--username", "ada", "--password-stdin", "--json"]
        for _ in 0..<4 { #expect(try sandbox.latchkey(login, input: Data("wrong\n".utf8)).status == 1) }
        // Simulates nine more failures, so that the wait is not over even on a slow machine.
        _ = try sandbox.sqlite("UPDATE throttle_identifier SET failures = 13")
        let ending = try sandbox.latchkey(login, input: Data(Self.password.utf8))
        #expect(ending.status == 75)
        let answer = try ending.json()
        #expect(answer["code"] as? String == "throttled" && answer["status"] as? Int == 429)
        let seconds = try #require(answer["retry_after"] as? Int)
        #expect((1...512).contains(seconds))
        #expect(ending.stderr == "latchkey: Too many attempts. Try again in \(seconds) s\n")
    }

    @Test func `the wait for a locked store is limited`() async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let ending = try await sandbox.waitingShell(
            """
            coproc sqlite3 "$HOME/.local/share/latchkey/accounts.sqlite"
            echo "BEGIN EXCLUSIVE; SELECT 'held';" >&"${COPROC[1]}"
            read -r _ <&"${COPROC[0]}"
            latchkey accounts delete ada --yes --json
            status=$?
            echo "ROLLBACK;" >&"${COPROC[1]}"
            exit $status
            """)
        #expect(ending.status == 69, "\(ending.stderr)")
        #expect(try ending.json()["code"] as? String == "store_busy")
        #expect(try sandbox.latchkey("accounts", "show", "ada").status == 0)
    }

    @Test func `other commands are refused while the password must be changed`() throws {
        let sandbox = try Sandbox()
        try sandbox.latchkey(Self.create + ["--require-change"], input: Data(Self.password.utf8))
        let login = try sandbox.latchkey(
            "login", "--username", "bob", "--password-stdin", "--json", input: Self.password)
        #expect(login.status == 77)
        let whoami = try sandbox.latchkey("whoami", "--json")
        #expect(whoami.status == 77)
        #expect(try whoami.json()["code"] as? String == "change_required")
        #expect(try sandbox.latchkey("logout").status == 0)
    }

    @Test(arguments: ["accounts list", "accounts list --json", "--help", "--version", "forms show login"])
    func `a command that cannot write its result fails`(command: String) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let full = try sandbox.shell("latchkey \(command) >/dev/full")
        #expect(full.status == 74)
        #expect(full.stderr.contains("could not be written"))
    }

    @Test func `a full disk is reported and leaves no partial change`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        // The program's output goes through a pipe, to which the limit does not apply.
        let ending = try sandbox.shell(
            """
            set -o pipefail
            (ulimit -f 0; latchkey accounts create bob --email bob@example.org --no-password --json) 2>/dev/null | cat
            """)
        #expect(ending.status == 74)
        #expect(try ending.json()["code"] as? String == "store_full")
        #expect(try sandbox.latchkey("accounts", "list").stdout.split(separator: "\n").count == 1)
    }

    /// Node and other programs configure their children's pipes this way.
    @Test func `a full non-blocking pipe causes a wait, not an error`() throws {
        let sandbox = try Sandbox()
        let script = """
            import os, subprocess, sys
            reading, writing = os.pipe()
            os.set_blocking(writing, False)
            try:
                while True: os.write(writing, b"x" * 4096)
            except BlockingIOError: pass
            program = subprocess.Popen([sys.argv[1], "--version"], stdout=writing)
            os.close(writing)
            def state(): return open(f"/proc/{program.pid}/stat").read().rsplit(")", 1)[1].split()[0]
            while program.poll() is None and state() != "S": pass
            with os.fdopen(reading, "rb") as pipe: text = pipe.read().lstrip(b"x")
            sys.exit(program.wait() or text != b"latchkey 0.1.0\\n")
            """
        let ending = try sandbox.run("/usr/bin/python3", "-c", script, Sandbox.binary.path)
        #expect(ending.status == 0, "\(ending.stderr)")
    }

    /// Simulates a minimal root folder for one program. Only root can hide /proc, and not on every machine.
    @Test(.enabled(if: Sandbox.canMount, "file systems cannot be mounted here"))
    func `without readable arguments the program refuses to run`() throws {
        let sandbox = try Sandbox()
        let ending = try sandbox.shell(
            """
            unshare --mount sh -c 'mount -t tmpfs none /proc && exec "$0" whoami' "\(Sandbox.binary.path)"
            """)
        #expect(ending.status == 71)
        #expect(ending.stderr == "latchkey: Cannot read the arguments, because /proc is not mounted\n")
    }

    @Test(arguments: [">&-", ">/dev/full"])
    func `a result that cannot be printed is a failure`(redirection: String) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        for command in [
            "accounts list", "accounts set-password ada --generate", "accounts recover ada", "accounts list --json",
            "accounts create bo --email bo@example.org --generate", "config show", "--help",
        ] {
            let ending = try sandbox.shell("latchkey \(command) \(redirection)")
            #expect(ending.status == 74, "\(command): \(ending.status) \(ending.stderr)")
        }
    }

    @Test func `closed standard descriptors are not reused for files`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let before = try Data(contentsOf: sandbox.store)
        for (redirections, status) in [("<&-", 1), ("<&- >&-", 1), ("<&- >&- 2>&-", 1), (">&- 2>&-", 1)] {
            #expect(try sandbox.shell("latchkey whoami \(redirections)").status == status)
        }
        let ending = try sandbox.shell("latchkey login --username ada --password-stdin <&-")
        #expect(ending.status == 65)
        #expect(try Data(contentsOf: sandbox.store) == before)
    }
}
