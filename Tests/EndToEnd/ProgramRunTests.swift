import Foundation
import TestSupport
import Testing

/// `run -- COMMAND`, with the real binary.
@Suite(.programs, .timeLimit(.minutes(60)))
struct ProgramRunTests {
    private static let password = "correct horse battery"

    private func signedIn() throws -> Sandbox {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada", password: Self.password)
        let login = try sandbox.latchkey(
            "login", "--username", "ada", "--password-stdin", input: Self.password + "\n")
        try #require(login.status == 0)
        return sandbox
    }

    /// S-84.
    @Test func `run starts a program in the caller's environment and adds the account's name`() throws {
        let sandbox = try signedIn()
        let id = try sandbox.accountID()
        let look = """
            echo "$LATCHKEY_ACCOUNT_NAME" "$LATCHKEY_ACCOUNT_ID" "$MINE"
            umask; ulimit -c; bash "$HOME/world"
            cat; cat <&7
            env | grep -c ^LATCHKEY_ACCOUNT_NAME=
            exit 7
            """
        // The last eight digits, because glibc reserves the signals 32 and 33.
        let world = """
            sed -nE 's/^Sig(Blk|Ign).*(.{8})$/\\1 \\2/p' /proc/self/status
            for number in $(seq 3 250); do [ -e /proc/$$/fd/$number ] && echo "open: $number"; done
            """
        try Data(world.utf8).write(to: sandbox.folder.appending(path: "world"))
        try Data("seven\n".utf8).write(to: sandbox.folder.appending(path: "seven"))
        try Data(look.utf8).write(to: sandbox.folder.appending(path: "look"))
        let ending = try sandbox.shell(
            """
            umask 0027; ulimit -S -c 100
            export MINE=$'\\xFF' LATCHKEY_ACCOUNT_NAME=forged
            exec 7<"$HOME/seven"
            bash "$HOME/world" >"$HOME/before"
            printf 'standard input\\n' | latchkey run -- bash "$HOME/look" >"$HOME/out"
            echo $?
            """)
        #expect(ending.stderr.isEmpty)
        #expect(ending.stdout == "7\n")
        let output = try Data(contentsOf: sandbox.folder.appending(path: "out"))
        let before = try Data(contentsOf: sandbox.folder.appending(path: "before"))
        var expected = Data("ada \(id) ".utf8) + [0xFF] + Data("\n0027\n100\n".utf8) + before
        expected += Data("standard input\nseven\n1\n".utf8)
        #expect(String(decoding: before, as: UTF8.self).contains("open: 7\n"))
        #expect(output == expected, "\(String(decoding: output, as: UTF8.self))")
    }

    private static let endings: [(command: [String], status: Int32)] = [
        (["sh", "-c", "exit 3"], 3), (["sh", "-c", "kill -KILL $$"], 137), (["nonesuch"], 127),
        (["/etc/passwd/nonesuch"], 127), (["/etc/passwd"], 126), (["/"], 126),
    ]

    @Test(arguments: endings)
    func `run exits with the program's status`(command: [String], status: Int32) throws {
        let sandbox = try signedIn()
        let words = command.map { "'\($0)'" }.joined(separator: " ")
        let ending = try sandbox.shell("latchkey run -- \(words); echo $?")
        #expect(ending.stdout == "\(status)\n")
        #expect(ending.stderr.contains("latchkey: ") == [126, 127].contains(status))
    }

    @Test func `run passes the arguments after the dashes to the program`() throws {
        let sandbox = try signedIn()
        let ending = try sandbox.latchkey("run", "--", "printf", "%s\n", "--json", "--version", "--", "-q")
        #expect(ending.stdout == "--json\n--version\n--\n-q\n")
    }

    @Test func `without a session, run prompts on the terminal even if standard input is redirected`() async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada", password: Self.password)
        let script =
            "echo piped | \(Sandbox.binary.path) run -- sh -c 'read -r line; echo \"$line for $LATCHKEY_ACCOUNT_NAME\"'"
        let session = try PtySession("/bin/sh", ["-c", script], environment: sandbox.environment)
        try await session.expect("Log in")
        session.send("ada\r\(Self.password)\r")
        try await session.expect("piped for ada")
        #expect(try await session.waitForExit() == .status(0))
        #expect(session.isRestored)
        #expect(!session.screen().bracketsPaste)
    }

    @Test func `run asks for a required password change before it starts the program`() async throws {
        let sandbox = try signedIn()
        #expect(try sandbox.latchkey("accounts", "require-change", "ada").status == 0)
        let refused = try sandbox.latchkey("run", "--no-input", "--", "echo", "ran")
        #expect(refused.status == 77)
        #expect(refused.stdout.isEmpty)
        let session = try PtySession(
            Sandbox.binary.path, ["run", "--", "sh", "-c", "echo ran for $LATCHKEY_ACCOUNT_NAME"],
            environment: sandbox.environment)
        try await session.expect("Current password")
        session.send("\(Self.password)\ra new long password\ra new long password\r")
        try await session.expect("ran for ada")
        #expect(try await session.waitForExit() == .status(0))
    }

    @Test func `cancelling the login starts no program`() async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada", password: Self.password)
        let session = try PtySession(
            Sandbox.binary.path, ["run", "--", "echo", "ran"], environment: sandbox.environment)
        try await session.expect("Log in")
        session.send("\u{1B}")
        #expect(try await session.waitForExit() == .status(1))
        #expect(!session.screen().text.contains("ran\n"))
    }
}
