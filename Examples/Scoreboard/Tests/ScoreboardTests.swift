import Glibc
import LatchkeyTesting
import Testing

/// The real binary, on terminals.
@Suite(.serialized, .timeLimit(.minutes(60))) struct ScoreboardTests {
    private let home: ProgramHome

    init() throws { home = try ProgramHome() }

    private func start() throws -> PtySession { try home.start("scoreboard") }

    @Test func `a user signs up and counts a game, which another terminal shows`() async throws {
        let first = try start()
        try await home.signUp(in: first)
        try await first.settle(showing: "There are none.")

        first.send("n")
        try await first.expect("New game")
        first.send("Lions\rAna\rBea\rCleo\rlions\r")
        try await first.expect("Guests must be different from Home team")
        first.send("\u{15}Tigers\rXena\rYara\rZoe\r\r")
        try await first.settle(showing: "Lions 0 : 0 Tigers")

        // Already logged in: the session belongs to the system user, not to the terminal.
        let second = try start()
        try await second.settle(showing: "Lions 0 : 0 Tigers")
        first.send("\r")
        try await first.settle(showing: "1 one point")
        first.send("p2")
        try await second.settle(showing: "Lions 2 : 0 Tigers")
        second.send("\r")
        try await second.settle(showing: "1 one point")
        let interrupted = try start()
        try await interrupted.settle(showing: "Lions 2 : 0 Tigers")
        first.send("2222222")
        try await first.settle(showing: "Lions have won")
        try await second.settle(showing: "Lions have won")
        try await interrupted.settle(showing: "There are none.")

        // The finished game remains until it is deleted, which requires confirmation.
        first.send("q")
        try await first.settle(showing: "There are none.")
        first.send("f")
        try await first.settle(showing: "❯ Lions 16 : 0 Tigers")
        first.send("d")
        try await first.settle(showing: "Delete Lions 16 : 0 Tigers?")
        first.send("\r")
        try await first.settle(showing: "❯ Lions 16 : 0 Tigers")
        first.send("d")
        try await first.settle(showing: "❯ Keep it")
        first.send("j\r")
        try await first.settle(showing: "There are none.")
        interrupted.send("\u{3}")
        #expect(try await interrupted.waitForExit() == .signal(SIGINT))

        // Both terminals share one session. After logging out in one of them, the other ends without a key press.
        first.send("o")
        #expect(try await first.waitForExit() == .status(0))
        try await second.expect("scoreboard: The session has ended")
        #expect(try await second.waitForExit() == .status(77))
        #expect(first.isRestored && second.isRestored && interrupted.isRestored)

        let third = try start()
        try await third.expect("Log in")
        third.send("\u{1B}")
        #expect(try await third.waitForExit() == .status(1))
    }

    @Test func `when the session ends, each screen closes without a key press, and typed names are kept`() async throws
    {
        var session = try start()
        try await home.signUp(in: session)
        try await session.settle(showing: "There are none.")
        session.send("n")
        try await session.settle(showing: "New game")
        session.send("Lions\rAna\rBea\rCleo\rTigers\rXena\rYara\rZoe\r\r")
        try await session.settle(showing: "❯ Lions 0 : 0 Tigers")
        for (key, text) in [("", "Games in progress"), ("\r", "1 one point"), ("d", "Keep it"), ("n", "New game")] {
            session.send(key)
            try await session.settle(showing: text)
            if key == "n" {
                session.send("Bears\r")
                try await session.settle(showing: "✓ Home team            Bears")
            }
            #expect(unsafe unlink(home.folder.path(of: "ada/latchkey/session")) == 0)
            try await session.expect("scoreboard: The session has ended")
            #expect(try await session.waitForExit() == .status(77) && session.isRestored)
            session = try start()
            try await session.settle(showing: "Log in")
            session.send("ada\r\(ProgramHome.password)\r")
            try await session.settle(showing: "❯ Lions 0 : 0 Tigers")
        }
        // Esc keeps the names in the draft, also new ones, until the user discards them.
        session.send("n")
        try await session.settle(showing: "New game, as you left it")
        #expect(session.screen().text.contains("Bears"))
        session.send("\rAna\u{1B}")
        try await session.settle(showing: "Keep these names for later?")
        session.send("\r")
        try await session.settle(showing: "❯ Lions 0 : 0 Tigers")
        session.send("n")
        try await session.settle(showing: "New game, as you left it")
        #expect(session.screen().text.contains("Bears") && session.screen().text.contains("Ana"))
        session.send("\u{1B}")
        try await session.settle(showing: "Keep these names for later?")
        session.send("j\r")
        try await session.settle(showing: "❯ Lions 0 : 0 Tigers")
        session.send("n")
        try await session.settle(showing: "Enter: next")
        #expect(!session.screen().text.contains("Bears") && !session.screen().text.contains("as you left it"))
        // Without a draft, Esc asks nothing.
        session.send("Cats\u{1B}")
        try await session.settle(showing: "❯ Lions 0 : 0 Tigers")
        session.send("n")
        try await session.settle(showing: "Enter: next")
        #expect(!session.screen().text.contains("Cats"))
        session.send("\u{3}")
        #expect(try await session.waitForExit() == .signal(SIGINT))
    }

    @Test func `names that cannot be kept are reported, and a session that cannot be read has not ended`() async throws
    {
        let session = try start()
        try await home.signUp(in: session)
        try await session.settle(showing: "There are none.")
        let token = home.folder.path(of: "ada/latchkey/session")
        // A file that others can read is refused.
        #expect(unsafe chmod(token, 0o644) == 0)
        session.send("nBears\r")
        try await session.settle(showing: "✓ Home team            Bears")
        // Several looks at the session.
        try await Task.sleep(for: .seconds(1))
        #expect(session.screen().text.contains("Bears"))
        let lock = try DatabaseLock(of: home.folder.path(of: home.data("scoreboard.sqlite")))
        #expect(unsafe unlink(token) == 0)
        try await session.expect("Another program is writing")
        try await session.expect("Not kept as a draft: Bears")
        try await session.expect("scoreboard: The session has ended")
        #expect(try await session.waitForExit() == .status(77) && session.isRestored)
        lock.release()
    }

    @Test func `line by line, the program ends when the session ends`() async throws {
        var session = try start()
        try await home.signUp(in: session)
        try await session.settle(showing: "There are none.")
        session.send("q")
        #expect(try await session.waitForExit() == .status(0))
        session = try home.start("scoreboard", term: "dumb")
        try await session.expect("There are none.")
        #expect(unsafe unlink(home.folder.path(of: "ada/latchkey/session")) == 0)
        try await session.expect("scoreboard: The session has ended")
        #expect(try await session.waitForExit() == .status(77))
    }

    @Test func `while another program writes to the file, the screen reports it and accepts keys`() async throws {
        let session = try start()
        try await home.signUp(in: session)
        try await session.settle(showing: "There are none.")
        session.send("n")
        try await session.settle(showing: "New game")
        session.send("Lions\rAna\rBea\rCleo\rTigers\rXena\rYara\rZoe\r\r")
        try await session.settle(showing: "Lions 0 : 0 Tigers")
        session.send("\r")
        try await session.settle(showing: "1 one point")
        let lock = try DatabaseLock(of: home.folder.path(of: home.data("scoreboard.sqlite")))
        session.send("2j")
        try await session.settle(showing: "Waiting for another program")
        try await session.settle(showing: "❯ Bea")
        lock.release()
        try await session.settle(showing: "Lions 2 : 0 Tigers")
        session.send("u")
        try await session.settle(showing: "Lions 0 : 0 Tigers")
        session.send("\u{3}")
        #expect(try await session.waitForExit() == .signal(SIGINT))
    }

    @Test func `help and version are shown, and other arguments are refused`() async throws {
        for (arguments, text, status) in [
            (["--help"], "Count games between two teams", 0), (["--version"], "scoreboard 1.0", 0),
            (["--sing"], "scoreboard: Unknown argument --sing", 64),
        ] as [([String], String, Int32)] {
            let session = try home.start("scoreboard", arguments)
            try await session.expect(text)
            #expect(try await session.waitForExit() == .status(status))
        }
    }
}
