import Foundation
import TestSupport
import Testing

/// `--trace FILE` and the events of a command.
@Suite(.programs, .timeLimit(.minutes(60)))
struct TraceTests {
    private static let password = "correct horse battery\n"

    private func events(_ sandbox: Sandbox, _ name: String = "trace.jsonl") throws -> [[String: Any]] {
        let text = try String(contentsOf: sandbox.folder.appending(path: name), encoding: .utf8)
        #expect(text.isEmpty || text.hasSuffix("\n"))
        return try text.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
        }
    }

    private func names(_ sandbox: Sandbox, _ name: String = "trace.jsonl") throws -> [String?] {
        try events(sandbox, name).map { $0["event"] as? String }
    }

    @Test func `a trace has one line for each event, and the next run appends to it`() throws {
        let sandbox = try Sandbox()
        try sandbox.latchkey(
            "setup", "--username", "ada", "--email", "ada@example.org", "--password-stdin", "--trace", "trace.jsonl",
            input: Self.password)
        let call = ["navigation_opened", "busy", "call_began", "call_ended", "idle"]
        #expect(try names(sandbox) == call + ["navigation_moved"])
        let login = try sandbox.latchkey(
            "login", "--username", "ada", "--password-stdin", input: Self.password,
            environment: ["LATCHKEY_TRACE": "trace.jsonl"])
        #expect(login.status == 0 && login.stderr.isEmpty)
        #expect(try names(sandbox) == call + ["navigation_moved"] + call + ["session_began"])
        let account = try events(sandbox).last?["account"] as? String
        let file = try FileManager.default.attributesOfItem(atPath: sandbox.folder.path + "/trace.jsonl")
        #expect(file[.posixPermissions] as? Int == 0o600)

        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: Self.password)
        try sandbox.latchkey("sessions", "revoke", "--others", "--trace", "others")
        #expect(try names(sandbox, "others") == [], "the login took the place of the session before")
        try sandbox.latchkey("sessions", "revoke", "--all", "--trace", "all")
        #expect(try names(sandbox, "all") == ["session_ended"])
        #expect(try events(sandbox, "all").first?["account"] as? String == account)
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: Self.password)
        try sandbox.latchkey("logout", "--trace", "logout")
        try sandbox.latchkey("logout", "--trace", "logout")
        #expect(try names(sandbox, "logout") == ["session_ended"], "only where there was a session")
        let refused = try sandbox.latchkey(
            "login", "--username", "ada", "--password-stdin", "--trace", "refused", input: "wrong\n")
        #expect(refused.status == 1)
        #expect(try names(sandbox, "refused") == call)
    }

    @Test func `sessions ended elsewhere are reported with their number`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        for _ in 0..<3 {
            try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: Self.password)
            try FileManager.default.moveItem(
                at: sandbox.session, to: sandbox.folder.appending(path: UUID().uuidString))
        }
        try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: Self.password)
        try sandbox.latchkey("sessions", "revoke", "--others", "--trace", "others")
        #expect(try names(sandbox, "others") == ["session_others_ended"])
        #expect(try events(sandbox, "others").first?["count"] as? Int == 3)
    }

    /// Operator commands in order, and whether they change anything.
    private static let administration: [(line: String, action: String?, hasAccount: Bool)] = [
        ("accounts create bob --email bob@example.org --no-password", "accounts create", true),
        ("accounts create bob --email bob@example.org --no-password", nil, false),
        ("accounts show bob", nil, false), ("accounts list", nil, false),
        ("accounts update bob --email bob@new.example", "accounts update", true),
        ("accounts update bob --email bob@new.example", nil, false),
        ("accounts disable bob", "accounts disable", true), ("accounts enable bob", "accounts enable", true),
        ("accounts unlock bob", "accounts unlock", true), ("accounts disable nobody", nil, false),
        ("accounts require-change bob", "accounts require-change", true),
        ("accounts set-password bob --generate", "accounts set-password", true),
        ("accounts recover bob", "accounts recover", true), ("sessions revoke --all --account bob", nil, false),
        ("pepper add", "pepper add", false), ("pepper status", nil, false),
        ("pepper rotate", "pepper rotate", false), ("pepper rotate", nil, false),
        ("accounts import rows.jsonl", "accounts import", false),
        ("accounts import rows.jsonl --on-conflict skip", nil, false),
        ("accounts apply want.json", "accounts apply", false), ("accounts apply want.json", nil, false),
        ("blocklist import list", "blocklist import", false), ("store maintain", nil, false),
        ("store check --accept-clock", "store check", false), ("store check", nil, false),
        ("store backup ./copy", nil, false), ("store migrate", nil, false),
        ("store copy --to ./copied.sqlite", "store copy", false),
        ("store restore ./copy --store ./other.sqlite", "store restore", false), ("metrics", nil, false),
        ("accounts delete bob --yes", "accounts delete", true),
    ]

    @Test func `each operator command that makes a change emits an event, and no other command does`() throws {
        let sandbox = try Sandbox()
        for (name, text) in [
            ("rows.jsonl", #"{"username":"jo","email":"jo@example.org"}"#), ("list", "a very common password"),
            ("want.json", #"{"accounts":[{"username":"jo","email":"jo@new.example"}]}"#),
        ] {
            try Data((text + "\n").utf8).write(to: sandbox.folder.appending(path: name))
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: sandbox.folder.appending(path: name).path)
        }
        for (number, step) in Self.administration.enumerated() {
            let trace = "trace-\(number)"
            let ending = try sandbox.latchkey(step.line.split(separator: " ").map(String.init) + ["--trace", trace])
            let told = try events(sandbox, trace).filter { $0["event"] as? String == "administered" }
            #expect(told.map { $0["action"] as? String } == (step.action.map { [$0] } ?? []), "\(step.line) \(ending)")
            #expect((told.first?["account"] != nil) == step.hasAccount, "\(step.line)")
        }
    }

    enum Obstacle: String, CaseIterable {
        case dash, folder, otherFile, store, device, link, readable, writable, missingFolder, exposedFolder

        var status: Int32 {
            switch self {
            case .dash, .folder: 64
            case .otherFile, .store, .device, .link, .missingFolder: 73
            case .readable, .writable, .exposedFolder: 77
            }
        }
    }

    /// S-91.
    @Test(arguments: Obstacle.allCases)
    func `a file that is not a trace is refused and not changed`(
        obstacle: Obstacle
    ) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let path = sandbox.folder.appending(path: "there").path
        var mode = 0o600
        var given = path
        var text = #"{"event":"idle"}"# + "\n"
        switch obstacle {
        case .dash: given = "-"
        case .folder: given = sandbox.folder.path + "/"
        case .otherFile: text = "A letter to Grace\n"
        case .store: given = sandbox.store.path
        case .device: given = "/dev/full"
        case .link:
            try FileManager.default.createSymbolicLink(atPath: path + "-link", withDestinationPath: path)
            given = path + "-link"
        case .readable: mode = 0o640
        case .writable: mode = 0o602
        case .missingFolder: given = path + "-missing/trace"
        case .exposedFolder:
            try FileManager.default.createDirectory(
                atPath: path + "-open", withIntermediateDirectories: false, attributes: nil)
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path + "-open")
            given = path + "-open/trace"
        }
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let store = try Data(contentsOf: sandbox.store)
        let ending = try sandbox.latchkey("accounts", "disable", "ada", "--trace", given)
        #expect(ending.status == obstacle.status, "\(ending.stderr)")
        #expect(ending.stdout.isEmpty && !ending.stderr.isEmpty)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(text.utf8))
        #expect(try Data(contentsOf: sandbox.store) == store)
        #expect(try sandbox.latchkey("accounts", "show", "ada").stdout.contains("active"))
    }

    @Test func `a trace with an incomplete last line continues on a new line`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let file = sandbox.folder.appending(path: "trace.jsonl")
        try Data(#"{"event":"idle"}"#.utf8 + Array("\n{\"event\":\"id".utf8)).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        try sandbox.latchkey("accounts", "disable", "ada", "--trace", "trace.jsonl")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 3 && lines[1] == #"{"event":"id"# && lines[2].contains("accounts disable"))
    }

    @Test func `a command continues with a warning if the trace cannot be written`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        // The limit is above the size of the store, so that only the trace reaches it.
        try Data((#"{"event":"idle"}"# + "\n").utf8).write(to: sandbox.folder.appending(path: "trace.jsonl"))
        let ending = try sandbox.shell(
            """
            chmod 600 trace.jsonl; truncate -s 16M trace.jsonl; printf '\\n' >> trace.jsonl
            ulimit -f 16384; latchkey accounts disable ada --trace trace.jsonl
            """)
        #expect(ending.status == 0 && ending.stdout.contains("ada"), "\(ending)")
        #expect(ending.stderr.contains("trace.jsonl could not be written"))
        #expect(try sandbox.latchkey("accounts", "show", "ada").stdout.contains("disabled"))
    }

    /// The command waits for a reader of its output, because the pipe is full.
    @Test(arguments: [(SIGTERM, "TERM"), (SIGINT, "INT"), (SIGHUP, "HUP"), (SIGQUIT, "QUIT"), (SIGKILL, "KILL")])
    func `a signal ends the command, and the trace is complete`(signal: Int32, name: String) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let ending = try sandbox.shell(
            """
            mkfifo pipe; exec 3<>pipe
            for size in 4096 1; do dd if=/dev/zero of=pipe oflag=nonblock bs=$size 2>errors; done
            env --default-signal \(Sandbox.binary.path) accounts set-password ada --generate --trace trace.jsonl >&3 3>&- &
            until grep -q administered trace.jsonl 2>errors; do kill -0 $! || exit 9; done
            kill -\(name) $!; wait $!; echo $?
            """)
        #expect(ending.stdout == "\(128 + signal)\n", "\(ending)")
        #expect(try names(sandbox) == ["administered"])
    }

    @Test func `a closed output ends the command, and the trace is complete`() throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        // A pipe whose reader is closed before the command starts. The caller of the tests may ignore SIGPIPE.
        let ending = try sandbox.shell(
            """
            mkfifo pipe; exec 3<>pipe 4>pipe 3<&-
            env --default-signal=PIPE \(Sandbox.binary.path) accounts disable ada --trace trace.jsonl >&4 4>&-; echo $?
            """)
        #expect(ending.stdout == "141\n", "\(ending)")
        #expect(try names(sandbox) == ["administered"])
    }

    @Test(arguments: [SIGTERM, SIGHUP])
    func `a signal at the terminal ends the command as usual, and the trace is complete`(signal: Int32) async throws {
        let sandbox = try Sandbox()
        let session = try PtySession(
            Sandbox.binary.path, ["setup", "--trace", sandbox.folder.path + "/trace.jsonl"],
            environment: sandbox.environment)
        try await session.expect("E-mail")
        kill(session.process, signal)
        #expect(try await session.waitForExit() == .signal(signal))
        #expect(try names(sandbox) == ["navigation_opened"])
    }

    @Test func `a program started by run finds a complete trace`() async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let path = sandbox.folder.path + "/trace.jsonl"
        let session = try PtySession(
            Sandbox.binary.path, ["run", "--trace", path, "--", "grep", "-c", "event", path],
            environment: sandbox.environment)
        try await session.expect("Username")
        session.send("ada\r")
        try await session.expect("Password")
        session.send(Self.password.dropLast() + "\r")
        try await session.expect("6")
        #expect(try await session.waitForExit() == .status(0))
        #expect(
            try names(sandbox) == [
                "navigation_opened", "busy", "call_began", "call_ended", "idle", "session_began",
            ])
    }
}
