import Glibc
import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import LatchkeyTerminal
import TestSupport
import Testing

/// The device on a real pseudoterminal in this process. Serialized, because signals belong to the process.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct TerminalDeviceTests {
    private func run(
        _ pty: Pty, _ environment: TerminalEnvironment, opening first: AccountType = .login,
        answer: @escaping ScriptedNetworking.Rule = { _, _ in .success(Stage.ada) }
    ) throws -> Task<TerminalEnding<CompletedFlow>, Never> {
        let device = try #require(TerminalDevice(descriptor: pty.slave))
        let dependency = AppDependency(
            networking: ScriptedNetworking(answering: answer), forms: try FormCatalogue.shipped, opensWith: { first })
        let front = TerminalFront(
            coordinator: AccountCoordinator(dependency: dependency, opening: first), port: device,
            environment: environment)
        return Task { await front.run() }
    }

    enum Ending: String, CaseIterable, Sendable {
        case done, escape, interrupt, terminate, hangUpSignal, quit
    }

    @Test(arguments: Ending.allCases)
    func `the terminal's modes are restored`(ending: Ending) async throws {
        let pty = try Pty()
        let before = pty.modes
        let running = try run(pty, Stage.rich)
        try await pty.expect("Enter: next")
        #expect(pty.modes != before)
        #expect(!pty.echoes)
        let result: TerminalEnding<CompletedFlow>
        switch ending {
        case .done:
            pty.send("ada\r")
            try await pty.expect("Enter: Log in")
            pty.send("correct horse\r")
            result = .finished(CompletedFlow(.login, .success(Stage.ada)))
        case .escape:
            pty.send("\u{1B}")
            result = .left
        case .interrupt:
            pty.send("\u{3}")
            result = .killed(by: SIGINT)
        case .terminate:
            kill(getpid(), SIGTERM)
            result = .killed(by: SIGTERM)
        case .hangUpSignal:
            kill(getpid(), SIGHUP)
            result = .killed(by: SIGHUP)
        case .quit:
            kill(getpid(), SIGQUIT)
            result = .killed(by: SIGQUIT)
        }
        #expect(await running.value == result)
        #expect(pty.modes == before)
        var screen = VTScreen(columns: 80, rows: 24)
        screen.feed(pty.output)
        #expect(screen.unknown.isEmpty)
        #expect(!screen.bracketsPaste)
        #expect(screen.text.split(separator: "\n").count == 1)
        #expect(!String(decoding: pty.output, as: UTF8.self).contains("correct horse"))
    }

    @Test func `keys that were put back come before those that are typed later`() async throws {
        let pty = try Pty()
        let device = try #require(TerminalDevice(descriptor: pty.slave))
        device.putBack([.action(.insert(Secret("a"))), .action(.key(.submit))])
        #expect(device.begin(.keys))
        var inputs = device.inputs().makeAsyncIterator()
        pty.send("b")
        var heard: [String] = []
        for _ in 0..<3 {
            switch await inputs.next() {
            case .action(.insert(let text)): heard.append(text.shownText)
            case .action(.key(let key)): heard.append(key.rawValue)
            default: break
            }
        }
        device.end()
        #expect(heard == ["a", "submit", "b"])
        #expect(device.begin(.keys))
        for await _ in device.inputs().prefix(0) {}
        device.end()
    }

    @Test func `Esc typed right after the key that ends a screen reaches the next screen`() async throws {
        let pty = try Pty()
        let device = try #require(TerminalDevice(descriptor: pty.slave))
        func listen() async -> TerminalEnding<Never> {
            await ScreenLoop(port: device, environment: Stage.rich).run(
                frame: { columns in
                    var builder = FrameBuilder(columns: columns)
                    builder.text("listening", .title)
                    return builder.frame
                }, handling: { _ in .leave })
        }
        async let first = listen()
        try await pty.expect("listening")
        pty.send("x\u{1B}")
        #expect(await first == .left)
        #expect(await listen() == .left, "it would wait for a key otherwise")
    }

    @Test func `lines are read with echo for text and without echo for a secret`() async throws {
        let pty = try Pty()
        let before = pty.modes
        let running = try run(pty, Stage.plain)
        try await pty.expect("Username or e-mail: ")
        try await pty.wait(for: "echo") { pty.echoes }
        pty.send("ada\n")
        try await pty.expect("Password: ")
        try await pty.wait(for: "no echo") { !pty.echoes }
        pty.send("correct horse\n")
        try await pty.expect("Logged in as ada")
        #expect(await running.value == .finished(CompletedFlow(.login, .success(Stage.ada))))
        #expect(pty.modes == before)
        let text = String(decoding: pty.output, as: UTF8.self)
        #expect(text.contains("ada\r\n"))
        #expect(!text.contains("correct horse"))
        #expect(!text.contains("\u{1B}"))
    }

    /// S-82.
    @Test func `a line longer than the system accepts is refused, and its rest is discarded`() async throws {
        let pty = try Pty()
        let running = try run(pty, Stage.plain)
        try await pty.expect("Username or e-mail: ")
        pty.send("ada\n")
        try await pty.expect("Password: ")
        try await pty.wait(for: "no echo") { !pty.echoes }
        pty.send(String(repeating: "x", count: 5000))
        pty.send(";id\n")
        try await pty.expect("That line was too long and was ignored")
        try await pty.expect("Password: ")
        pty.send("\u{4}")
        #expect(await running.value == .left)
        var left: Int32 = -1
        _ = unsafe ioctl(pty.slave, UInt(FIONREAD), &left)
        #expect(left == 0)
    }

    @Test func `Ctrl-D returns to the previous form, or quits from the first one`() async throws {
        let pty = try Pty()
        let before = pty.modes
        let running = try run(pty, Stage.plain)
        try await pty.expect("Username or e-mail: ")
        pty.send(":setup\n")
        try await pty.expect("E-mail: ")
        pty.send("\u{4}")
        try await pty.expect("Username or e-mail: ")
        pty.send("\u{4}")
        #expect(await running.value == .left)
        #expect(pty.modes == before)
    }

    /// S-10.
    @Test func `a paste of 200 characters arrives completely`() async throws {
        let pty = try Pty()
        let password = String(repeating: "pässwörd mit Leerzeichen ", count: 8)
        let running = try run(pty, Stage.rich) { _, credentials in
            credentials.secret(.password)?.text == password ? .success(Stage.ada) : .refused(.invalidCredentials)
        }
        try await pty.expect("Enter: next")
        pty.send("ada\r")
        try await pty.expect("Enter: Log in")
        pty.send("\u{1B}[200~\(password)\u{1B}[201~\r")
        #expect(await running.value == .finished(CompletedFlow(.login, .success(Stage.ada))))
    }

    /// S-82.
    @Test(arguments: [true, false])
    func `a paste of ten megabytes is refused with a message, and later input works`(isBracketed: Bool) async throws {
        let pty = try Pty()
        let running = try run(pty, Stage.rich)
        try await pty.expect("Enter: next")
        let paste = String(repeating: "0123456789abcdef", count: (isBracketed ? 10 : 1) << 16)
        try await pty.sendAll(isBracketed ? "\u{1B}[200~\(paste)\u{1B}[201~" : paste)
        // Every key of the paste goes through the form, which is slow on a busy machine.
        try await pty.expect("Username or e-mail must be at most 255 bytes long")
        // The rest of the paste may still fill the terminal's buffer.
        try await pty.sendAll("\u{15}ada\r")
        try await pty.expect("Enter: Log in")
        pty.send("correct horse\r")
        #expect(await running.value == .finished(CompletedFlow(.login, .success(Stage.ada))))
    }

    @Test func `a resize is drawn immediately`() async throws {
        let pty = try Pty()
        let running = try run(pty, Stage.rich)
        try await pty.expect("Enter: next")
        pty.resize(columns: 30, rows: 10)
        // The pseudoterminal is not this process's controlling terminal, so the test sends the signal.
        kill(getpid(), SIGWINCH)
        try await pty.expect("Username")
        pty.send("\u{1B}")
        #expect(await running.value == .left)
    }

    @Test func `only one terminal can be in use`() async throws {
        let pty = try Pty()
        let first = try #require(TerminalDevice(descriptor: pty.slave))
        let second = try #require(TerminalDevice(descriptor: pty.slave))
        #expect(first.begin(.keys))
        #expect(!second.begin(.keys))
        first.end()
        #expect(second.begin(.lines))
        second.end()
        second.end()
    }

    @Test func `a descriptor that is not a terminal is refused`() throws {
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        #expect(TerminalDevice(descriptor: ends[0]) == nil)
    }
}

@Suite(.timeLimit(.minutes(60)))
struct PtySessionTests {
    @Test func `a child program gets its own terminal`() async throws {
        let session = try PtySession(
            "/bin/sh", ["-c", "stty size </dev/tty; read line </dev/tty; echo got $line; exit 3"],
            environment: ["PATH": "/usr/bin:/bin"], columns: 50, rows: 10)
        try await session.expect("10 50")
        session.send("hello\n")
        try await session.expect("got hello")
        #expect(try await session.waitForExit() == .status(3))
        #expect(session.isRestored)
    }

    @Test func `terminal modes that a program did not restore are detected`() async throws {
        let session = try PtySession("/bin/sh", ["-c", "stty raw </dev/tty"], environment: ["PATH": "/usr/bin:/bin"])
        #expect(try await session.waitForExit() == .status(0))
        #expect(!session.isRestored)
    }

    @Test func `the end of a program by a signal is detected`() async throws {
        let session = try PtySession(
            "/bin/sh", ["-c", "echo ready; sleep 3600"], environment: ["PATH": "/usr/bin:/bin"])
        try await session.expect("ready")
        session.send(signal: SIGTERM)
        #expect(try await session.waitForExit() == .signal(SIGTERM))
    }

    @Test func `Ctrl-C interrupts the program`() async throws {
        let session = try PtySession("/bin/cat")
        session.send("hi\n")
        try await session.expect("hi\r\nhi")
        session.send("\u{3}")
        #expect(try await session.waitForExit() == .signal(SIGINT))
    }

    @Test func `the emulated screen shows the text that a user sees`() async throws {
        let session = try PtySession("/bin/sh", ["-c", "printf 'one\\r\\033[Ktwo\\n'"], environment: ["PATH": "/bin"])
        #expect(try await session.waitForExit() == .status(0))
        #expect(session.screen().text == "two")
    }
}

extension Pty {
    /// Types the whole text as fast as it is read.
    fileprivate func sendAll(_ text: String) async throws {
        let bytes = Array(text.utf8)
        var sent = 0
        while sent < bytes.count {
            let piece = Array(bytes[sent..<min(sent + 4096, bytes.count)])
            let count = unsafe write(master, piece, piece.count)
            sent += max(count, 0)
            // Reads its output in the meantime, because it would block otherwise.
            if count <= 0 {
                _ = output
                await Task.yield()
            }
        }
    }
}
