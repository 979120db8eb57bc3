import Foundation
import TestSupport
import Testing

/// `checkpassword PROGRAM`, by the interface of <http://cr.yp.to/checkpwd/interface.html>, with the real binary.
@Suite(.programs, .timeLimit(.minutes(60))) struct CheckpasswordTests {
    private static let password = "correct horse battery"

    private func sandbox() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.setUp("Ada", password: Self.password)
        return sandbox
    }

    /// Runs the command with `input` on descriptor 3.
    private func check(_ sandbox: Sandbox, _ input: String, _ more: String = "true") throws -> Sandbox.Ending {
        try Data(input.utf8).write(to: sandbox.folder.appending(path: "three"))
        return try sandbox.shell("latchkey checkpassword \(more) 3<\"$HOME/three\"; echo \"status $?\"")
    }

    private static func input(_ name: String, _ password: String = password) -> String { "\(name)\0\(password)\0now\0" }

    @Test func `a correct password starts the program with the user's name and without descriptor 3`() throws {
        let sandbox = try sandbox()
        let id = try sandbox.accountID()
        let look = """
            echo "$USER $LATCHKEY_ACCOUNT_NAME $LATCHKEY_ACCOUNT_ID $HOME $MINE"; umask
            for number in $(seq 3 9); do [ -e /proc/$$/fd/$number ] && echo "open: $number"; done
            echo "$@"; cat; exit 7
            """
        try Data(look.utf8).write(to: sandbox.folder.appending(path: "look"))
        for name in ["ADA", "ada@example.org", id] {
            try Data(Self.input(name).utf8).write(to: sandbox.folder.appending(path: "three"))
            let ending = try sandbox.shell(
                """
                umask 0027; export USER=forged MINE=$'\\xC3\\xA9'
                exec 3<"$HOME/three" 5</dev/null
                echo input | latchkey checkpassword bash "$HOME/look" --json -q -- --store x
                echo $?
                """)
            #expect(ending.stderr.isEmpty)
            #expect(
                ending.stdout == """
                    ada Ada \(id) \(sandbox.folder.path) é
                    0027
                    open: 5
                    --json -q -- --store x
                    input
                    7

                    """)
        }
        #expect(try sandbox.sqlite("SELECT count(*) FROM session") == "0")
        let trail = try sandbox.latchkey("audit", "list", "--event", "authn_login_success").stdout
        #expect(trail.split(separator: "\n").count == 3)
    }

    /// S-136.
    @Test(arguments: ["../../victim", "..", "--help", "$(id)", "a/b"])
    func `an unsafe stored name is not passed to a program`(name: String) throws {
        let sandbox = try sandbox()
        #expect(
            try sandbox.latchkey(
                "accounts", "create", "--email", "eve@example.org", "--no-password", "--", name
            ).status == 65)
        #expect(try sandbox.latchkey("accounts", "update", "ada", "--username=\(name)").status == 65)
        _ = try sandbox.sqlite("UPDATE account SET login_name = '\(name)', username_typed = NULL")
        let ending = try check(sandbox, Self.input("ada@example.org"), "touch started")
        #expect(ending.stdout == "status 1\n")
        #expect(ending.stderr.contains("is not safe for programs"))
        let login = try sandbox.latchkey(
            "login", "--username", "ada@example.org", "--password-stdin", input: Self.password + "\n")
        #expect(login.status == 0)
        let run = try sandbox.latchkey("run", "--", "touch", "started")
        #expect(run.status == 1 && run.stderr.contains("is not safe for programs"))
        #expect(!FileManager.default.fileExists(atPath: sandbox.folder.appending(path: "started").path))
    }

    private static let inputs: [(input: String, status: Int, why: String)] = [
        (input("ada"), 0, "all three"), (input("ada") + "more\0data", 0, "possibly more data"),
        ("ada\0\(password)\0\0", 0, "an empty timestamp, as dovecot sends it"),
        (input("ada", "wrong"), 1, "not the password"), (input("bob"), 1, "nobody"), (input("", ""), 1, "nothing"),
        (input(String(repeating: "a", count: 300)), 1, "more than a name has"),
        ("ada\0\(password)\0now", 2, "no NUL behind the timestamp"), ("ada\0\(password)\0", 2, "no timestamp"),
        ("ada\0", 2, "no password"), ("", 2, "nothing at all"),
        (input("ada", password + String(repeating: "x", count: 482)), 1, "512 bytes"),
        (input("ada", password + String(repeating: "x", count: 483)), 2, "513 bytes"),
    ]

    @Test func `the exit status follows the interface, and nothing is printed to the client`() throws {
        let sandbox = try sandbox()
        for (input, status, why) in Self.inputs {
            let ending = try check(sandbox, input)
            #expect(ending.stdout == "status \(status)\n", "\(why)")
            #expect(ending.stderr.isEmpty == (status < 2), "\(why): \(ending.stderr)")
            #expect(!ending.stderr.contains(Self.password))
            // The failures are for different names, so none is throttled.
            _ = try sandbox.sqlite("DELETE FROM throttle; DELETE FROM throttle_identifier")
        }
    }

    @Test func `wrong usage exits with 2 and a temporary failure with 111`() throws {
        let sandbox = try sandbox()
        let right = Self.input("ada")
        for more in ["", "--nonsense true", "--source 192.0.2 true", "--json --store"] {
            #expect(try check(sandbox, right, more).stdout == "status 2\n", "\(more)")
        }
        #expect(try sandbox.shell("latchkey checkpassword true 3<&-; echo $?").stdout == "2\n")
        for more in [
            "/nonexistent/program", "/etc/passwd", "--store /nonexistent/store true", "--config /nonexistent true",
        ] {
            let ending = try check(sandbox, right, more)
            #expect(ending.stdout == "status 111\n" && ending.stderr.hasPrefix("latchkey: "), "\(more)")
        }
        #expect(try check(sandbox, Self.input("ada", "no")).stdout == "status 1\n")
        _ = try sandbox.sqlite(
            "UPDATE throttle_identifier SET failures = 13, last_at = unixepoch() * 1000")
        let throttled = try check(sandbox, right)
        #expect(throttled.stdout == "status 111\n" && throttled.stderr.contains("Too many attempts. Try again in "))
        #expect(!throttled.stderr.contains("{"))
    }

    @Test func `checkpassword throttles, rehashes and audits like any other login`() throws {
        let sandbox = try sandbox()
        // Made by htpasswd.
        let made = try sandbox.latchkey(
            "accounts", "create", "bob", "--email", "bob@example.org", "--password-hash-stdin",
            input: "$2b$05$CCCCCCCCCCCCCCCCCCCCC.4c/Vz//sBM9XkyFmwsCP9HkrjK1U32S\n")
        #expect(made.status == 0, "\(made.stderr)")
        for _ in 0..<4 { #expect(try check(sandbox, Self.input("bob", "no")).stdout == "status 1\n") }
        // Under load, the delay after four failures may be over before the next attempt.
        _ = try sandbox.sqlite("UPDATE throttle_identifier SET failures = 13, last_at = unixepoch() * 1000")
        #expect(try check(sandbox, Self.input("bob", "no")).stdout == "status 111\n")
        #expect(try sandbox.latchkey("accounts", "unlock", "bob").status == 0)
        #expect(try check(sandbox, Self.input("bob")).stdout == "status 0\n")
        let hash = try sandbox.passwordHash("bob")
        #expect(hash.hasPrefix("$argon2id$"), "renewed")
        for name in ["require-change", "disable"] {
            #expect(try sandbox.latchkey("accounts", name, "bob").status == 0)
            let ending = try check(sandbox, Self.input("bob"), "echo ran")
            #expect(ending.stdout == "status 1\n" && ending.stderr.isEmpty, "\(name)")
        }
        let sourced = try check(sandbox, Self.input("ada"), "--source 192.0.2.7 true")
        #expect(sourced.stdout == "status 0\n")
        #expect(try sandbox.latchkey("audit", "list", "--limit", "1", "--json").stdout.contains("192.0.2.7"))
    }

    /// A typical daemon: it forks, writes to descriptor 3 of its child through a pipe, and reports the child's exit
    /// status to its client.
    @Test func `a daemon authenticates its clients with the store`() throws {
        let sandbox = try sandbox()
        let daemon = """
            import os, socket, sys, threading
            def serve(client):
                reader = client.makefile("rb")
                client.sendall(b"+OK ready\\r\\n")
                name = reader.readline().split()[1]; client.sendall(b"+OK\\r\\n")
                password = reader.readline().rstrip(b"\\r\\n").split(b" ", 1)[1]
                reading, writing = os.pipe()
                child = os.fork()
                if child == 0:
                    os.dup2(client.fileno(), 0); os.dup2(client.fileno(), 1); os.dup2(reading, 3)
                    os.execv(sys.argv[1], [sys.argv[1], "checkpassword", "--source", "198.51.100.9", "sh", "-c",
                        'printf "+OK welcome %s\\\\r\\\\n" "$USER"; read command; printf "+OK %s\\\\r\\\\n" "$command"'])
                os.close(reading)
                os.write(writing, name + b"\\0" + password + b"\\0" + b"Y123456\\0"); os.close(writing)
                status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
                if status != 0: client.sendall(b"-ERR %d\\r\\n" % status)
                client.close()
            def talk(port, name, password):
                with socket.create_connection(("127.0.0.1", port)) as server:
                    replies = server.makefile("rb")
                    for line in (b"", b"USER " + name, b"PASS " + password, b"QUIT"):
                        if line: server.sendall(line + b"\\r\\n")
                        answer = replies.readline().decode().strip()
                        if answer[0] == "-": break
                    return answer
            with socket.create_server(("127.0.0.1", 0)) as listener:
                port = listener.getsockname()[1]
                for name, password in ((b"ada", b"correct horse battery"), (b"ADA@example.org", b"correct horse battery"),
                        (b"ada", b"guess"), (b"nobody", b"guess")):
                    answers = []
                    client = threading.Thread(target=lambda: answers.append(talk(port, name, password)))
                    client.start()
                    serve(listener.accept()[0])
                    client.join()
                    print(*answers)
            """
        let ending = try sandbox.run("/usr/bin/python3", "-c", daemon, Sandbox.binary.path)
        #expect(ending.stdout == "+OK QUIT\n+OK QUIT\n-ERR 1\n-ERR 1\n", "\(ending.stderr)")
        #expect(try sandbox.latchkey("audit", "list", "--json").stdout.contains("198.51.100.9"))
    }

    private static let dovecot = "/usr/sbin/dovecot"

    /// S-142, S-143: dovecot's own client for the interface, its passdb `checkpassword`, set up as in the guide.
    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: dovecot), "dovecot is not installed"))
    func `dovecot authenticates with the store`() throws {
        let sandbox = try sandbox()
        let user = try sandbox.run("/usr/bin/id", "-un").stdout.trimmingCharacters(in: .newlines)
        let group = try sandbox.run("/usr/bin/id", "-gn").stdout.trimmingCharacters(in: .newlines)
        let example = OperatorExampleTests.local(try OperatorExampleTests.block("conf"), sandbox)
            .replacing("user = latchkey\n", with: "user = \(user)\n")
            .replacing(sandbox.folder.path + "/lib/accounts.sqlite", with: sandbox.store.path)
        let configuration = """
            base_dir = \(sandbox.folder.path)/run
            state_dir = \(sandbox.folder.path)/state
            log_path = \(sandbox.folder.path)/log
            protocols =
            ssl = no
            default_internal_user = \(user)
            default_internal_group = \(group)
            default_login_user = \(user)
            service anvil {
              chroot =
            }
            \(example)
            """
        try Data(configuration.utf8).write(to: sandbox.folder.appending(path: "dovecot.conf"))
        let ending = try sandbox.shell(
            """
            mkdir -p "$HOME/run" "$HOME/state"
            # The caller of the tests may block signals, and dovecot is stopped by one.
            python3 -c 'import os, signal, sys
            signal.pthread_sigmask(signal.SIG_SETMASK, [])
            os.execv(sys.argv[1], sys.argv[1:])' \(Self.dovecot) -F -c "$HOME/dovecot.conf" &
            server=$!
            trap 'kill $server 2>/dev/null || kill -9 $server; wait $server 2>/dev/null' EXIT
            until [ -S "$HOME/run/auth-client" ] || ! kill -0 $server; do :; done
            for password in 'correct horse battery' guess; do
                doveadm -c "$HOME/dovecot.conf" auth test ada "$password" >"$HOME/answer" 2>&1
                echo $?; grep -o 'auth [a-z]*' "$HOME/answer" || cat "$HOME/answer"
            done
            cat "$HOME/log" >&2
            """)
        #expect(ending.stdout == "0\nauth succeeded\n77\nauth failed\n", "\(ending.stderr)")
    }
}
