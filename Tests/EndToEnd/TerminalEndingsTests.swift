import Foundation
import LatchkeySecrets
import TestSupport
import Testing

/// For every ending and driver: the exit status is correct, the terminal is restored and shows no secret, and no change
/// is half done. Runs in an interactive shell, which reads the status, suspends and continues.
@Suite(.programs, .serialized, .timeLimit(.minutes(60)))
struct TerminalEndingsTests {
    enum Front: String, CaseIterable, Sendable {
        case keys, lines
    }

    enum Ending: String, CaseIterable, Sendable {
        case done, escape, interrupt, endOfText, stopAndContinue, quitKey
        case terminate, hangUpSignal, quitSignal, resize
        case inputAtEnd, outputClosed, storeDamaged

        /// The value of `$?`.
        var status: Int {
            switch self {
            case .done, .stopAndContinue, .resize, .outputClosed: 0
            case .escape, .endOfText, .storeDamaged: 1
            case .interrupt: 130
            case .quitKey, .quitSignal: 131
            case .terminate: 143
            case .hangUpSignal: 129
            case .inputAtEnd: 64
            }
        }

        var makesAccount: Bool {
            switch self {
            case .done, .stopAndContinue, .resize, .outputClosed: true
            default: false
            }
        }
    }

    private static let password = "correct horse battery"

    @Test(arguments: Front.allCases, Ending.allCases)
    func `every ending restores the terminal and leaves no partial change`(front: Front, ending: Ending) async throws {
        let sandbox = try Sandbox()
        let person = try Person(sandbox, front)
        try await person.shell.expect("ready> ")
        let before = try await person.modes()
        try await person.run(ending)
        // Input typed before the end is discarded.
        try await person.shell.expect("ready> ")
        let status = try await person.status()
        let after = try await person.modes()
        person.shell.send("exit\n")
        #expect(try await person.shell.waitForExit() == .status(0))

        #expect(status == ending.status)
        #expect(after == before)
        let output = person.shell.pty.output
        #expect(!Canary(secret: Self.password).isIn(Data(output)))
        #expect(!person.shell.screen().bracketsPaste)
        #expect(person.shell.screen().unknown.isEmpty)
        if front == .lines { #expect(!output.contains(0x1B)) }
        guard ending != .storeDamaged else { return }
        let accounts = try sandbox.latchkey("accounts", "list")
        #expect(accounts.stdout.contains("ada") == ending.makesAccount)
        if ending.makesAccount { #expect(try sandbox.latchkey("store", "check").status == 0) }
    }

    @Test(arguments: Front.allCases)
    func `a background process waits until it is in the foreground`(front: Front) async throws {
        let sandbox = try Sandbox()
        let person = try Person(sandbox, front)
        try await person.shell.expect("ready> ")
        let before = try await person.modes()
        person.shell.send("\(Sandbox.binary.path) setup & wait %1\n")
        try await person.shell.expect("ready> ")
        #expect(try await person.modes() == before)
        #expect(!person.shell.text.contains("E-mail"))
        person.shell.send("fg\n")
        try await person.shell.expect("E-mail")
        person.shell.send("\u{3}")
        try await person.shell.expect("ready> ")
        #expect(try await person.modes() == before)
        person.shell.send("exit\n")
        #expect(try await person.shell.waitForExit() == .status(0))
    }

    @Test(arguments: Front.allCases)
    func `when the terminal hangs up, the program ends`(front: Front) async throws {
        let sandbox = try Sandbox()
        var environment = sandbox.environment
        if front == .lines { environment["TERM"] = "dumb" }
        let session = try PtySession(Sandbox.binary.path, ["setup"], environment: environment)
        try await session.expect("E-mail")
        session.pty.hangUp()
        #expect(try await session.waitForExit() == .signal(SIGHUP))
        #expect(try sandbox.latchkey("accounts", "list").stdout.isEmpty)
    }

    @Test(arguments: Front.allCases, [1, 3])
    func `after random input, the program ends cleanly`(front: Front, seed: UInt64) async throws {
        let sandbox = try Sandbox()
        var environment = sandbox.environment
        if front == .lines { environment["TERM"] = "dumb" }
        let session = try PtySession(Sandbox.binary.path, ["setup"], environment: environment)
        try await session.expect("E-mail")
        var bytes = try RandomSource.seeded(seed).bytes(1024)
        // Random keys often end the program early, so one seed omits those keys.
        if seed > 2 { bytes.removeAll { [0x03, 0x04, 0x1B, 0x1C].contains($0) } }
        // Ctrl-S stops the output of a cooked terminal, which would block the program's end.
        if front == .lines { bytes.removeAll { $0 == 0x13 } }
        for start in stride(from: 0, to: bytes.count, by: 512) where session.exit == nil {
            session.pty.send(Array(bytes[start..<min(start + 512, bytes.count)]))
            _ = session.pty.output
        }
        // The first Ctrl-C may be quoted, or find a full buffer.
        for _ in 0..<30 where session.exit == nil {
            session.send("\u{1B}[201~\u{3}")
            try? await session.pty.wait(for: "its end", within: .seconds(2)) {
                _ = session.pty.output
                return session.exit != nil
            }
        }
        switch try #require(session.exit) {
        case .signal(let signal): #expect([SIGINT, SIGQUIT].contains(signal))
        case .status(let status): #expect(status == 1)
        }
        #expect(session.isRestored)
        // The system may deliver the last output after the program has ended.
        try await session.pty.wait(for: "what is pasted to be as before") { !session.screen().bracketsPaste }
        #expect(try sandbox.latchkey("accounts", "list").stdout.isEmpty)
    }

    /// A user at a shell.
    private struct Person {
        let sandbox: Sandbox
        let shell: PtySession
        let front: Front

        init(_ sandbox: Sandbox, _ front: Front) throws {
            self.sandbox = sandbox
            self.front = front
            let own = ["PS1": "ready> ", "TERM": front == .lines ? "dumb" : "xterm-256color"]
            shell = try PtySession(
                "/bin/bash", ["--norc", "--noprofile", "--noediting", "-i"],
                environment: sandbox.environment.merging(own) { _, new in new })
        }

        private var enter: String { front == .keys ? "\r" : "\n" }

        /// The terminal's modes, printed by `stty`.
        func modes() async throws -> String {
            shell.send("echo modes=$(stty -g)=\n")
            for part in ["modes=", "modes=", "ready> "] { try await shell.expect(part) }
            let text = String(decoding: shell.pty.output, as: UTF8.self)
            let found = text.matches(of: /modes=([0-9a-f:]+)=/).last
            return String(try #require(found).output.1)
        }

        func status() async throws -> Int {
            shell.send("echo status=$?=\n")
            try await shell.pty.wait(for: "a status") { shell.text.contains(/status=[0-9]+=/) }
            for part in ["status=", "status=", "ready> "] { try await shell.expect(part) }
            let found = shell.text.matches(of: /status=([0-9]+)=/).last
            return try #require(found.flatMap { Int($0.output.1) })
        }

        func run(_ ending: Ending) async throws {
            var arguments = "setup"
            if ending == .inputAtEnd { arguments += " </dev/null" }
            if ending == .outputClosed { arguments += " >&-" }
            shell.send("\(Sandbox.binary.path) \(arguments)\n")
            guard ending != .inputAtEnd else { return }
            try await shell.expect("E-mail")
            try await answer("ada@example.org", then: "Username")
            try await answer("ada", then: "Password")
            try await shell.pty.wait(for: "no echo") { !shell.pty.echoes }
            switch ending {
            case .done, .outputClosed: break
            // Esc has no effect in line mode. Uses the commands that go back and quit.
            case .escape where front == .lines:
                shell.send("\n")
                for _ in 0..<3 {
                    try await shell.pty.wait(for: "echo") { shell.pty.echoes }
                    try await shell.expect(": ")
                    shell.send("<\n")
                }
                return
            case .escape: return shell.send("corr\u{1B}")
            case .interrupt: return shell.send("corr\u{3}")
            case .endOfText: return shell.send("\u{4}")
            case .quitKey: return shell.send("corr\u{1C}")
            case .terminate: return try kill(SIGTERM)
            case .hangUpSignal: return try kill(SIGHUP)
            case .quitSignal: return try kill(SIGQUIT)
            case .stopAndContinue:
                shell.send("\u{1A}")
                try await shell.expect("Stopped")
                try await shell.expect("ready> ")
                // In the background the program stops again and does not touch the terminal.
                shell.send("bg\n")
                try await shell.expect("ready> ")
                shell.send("wait %1; jobs\n")
                try await shell.expect("Stopped")
                try await shell.expect("ready> ")
                shell.send("fg\n")
                try await shell.expect("Password")
                try await shell.pty.wait(for: "no echo") { !shell.pty.echoes }
            case .resize:
                shell.pty.resize(columns: 60, rows: 20)
                shell.pty.resize(columns: 80, rows: 24)
            case .storeDamaged:
                let store = sandbox.store.path
                for path in [store, store + "-wal"] where FileManager.default.fileExists(atPath: path) {
                    try Data(repeating: 0x5A, count: 65536).write(to: URL(filePath: path))
                }
            case .inputAtEnd: return
            }
            try await answer(password, then: "again")
            try await answer(password, then: "Create account")
            shell.send(enter)
            if ending == .storeDamaged {
                try await shell.expect("Nothing was changed")
                try await leave()
            } else {
                try await shell.expect("Account ada created")
            }
        }

        private var password: String { TerminalEndingsTests.password }

        private func leave() async throws {
            if front == .keys { return shell.send("\u{1B}") }
            try await shell.expect(": ")
            shell.send("\u{4}")
        }

        private func answer(_ text: String, then next: String) async throws {
            shell.send(text + enter)
            try await shell.expect(next)
        }

        private func kill(_ signal: Int32) throws {
            shell.send("corr")
            let children = try String(
                contentsOfFile: "/proc/\(shell.process)/task/\(shell.process)/children", encoding: .utf8)
            let child = try #require(children.split(separator: " ").first.flatMap { Int32($0) })
            Foundation.kill(child, signal)
        }
    }
}

extension PtySession {
    fileprivate var text: String { String(decoding: pty.output, as: UTF8.self) }
}
