import Foundation
import Glibc
import LatchkeySQLite
import LatchkeyTesting
import Testing

@testable import todo

/// The real program after the login, on a terminal.
@Suite(.timeLimit(.minutes(60)))
struct TodoProgramTests {
    private let home: ProgramHome

    init() throws { home = try ProgramHome() }

    private func start(_ arguments: [String] = [], term: String = "xterm-256color") throws -> PtySession {
        try home.start("todo", arguments, term: term)
    }

    private func end(_ session: PtySession, _ exit: PtySession.Exit = .status(0)) async throws {
        #expect(try await session.waitForExit() == exit)
        #expect(session.isRestored)
    }

    private func signUp(_ session: PtySession) async throws {
        try await home.signUp(in: session)
        try await session.settle(showing: "Nothing to do.")
    }

    @Test func `a user signs up, adds, edits and finishes a todo, logs out, and replays the session`() async throws {
        let log = home.folder.path(of: "log")
        var session = try start(["--log", log])
        try await signUp(session)
        session.send("n")
        try await session.settle(showing: "A new todo")
        session.send("Buy milk\r2 l\rsoon\r")
        try await session.settle(showing: "Enter a date")
        // Ctrl-U deletes to the start of the field. Then come the day and the priority.
        session.send("\u{15}2026-01-31\rhigh\r")
        try await session.settle(showing: "1   Buy milk  due 2026-01-31, high")
        // The same title again. The form remains open with its answers.
        session.send("n")
        try await session.settle(showing: "A new todo")
        session.send("Buy milk\r\r\r\r")
        try await session.settle(showing: "There is a todo with this title already")
        session.send("\u{15}Call Bob\r\r\r\r")
        try await session.settle(showing: "2 open, 0 done")
        session.send(" ")
        try await session.settle(showing: "1 open, 1 done")
        session.send("x")
        try await session.expect("Logged: 1 close, 1 list, 1 mark, 3 new, 1 refused")
        try await end(session)

        session = try start(["--replay", log])
        try await session.expect("mark 2 as done: 1 open, 1 done")
        try await session.expect("requests, the same responses")
        try await end(session)

        session = try start()
        try await session.expect("Log in")
        session.send("\u{1B}")
        try await end(session, .status(1))
    }

    @Test func `keys typed while a form opens go into it`() async throws {
        let session = try start()
        try await signUp(session)
        // "d" would delete, and "q" would leave.
        for key in "nabcdq" { session.send(String(key)) }
        try await session.settle(showing: "abcdq")
        session.send("\r\r\r\r")
        try await session.settle(showing: "1 open, 0 done")
        session.send("q")
        try await end(session)
    }

    @Test func `a second signal does not lose the draft`() async throws {
        let session = try start()
        try await signUp(session)
        session.send("nBuy milk")
        try await session.settle(showing: "Buy milk")
        for _ in 0..<3 { session.send(signal: SIGHUP) }
        try await end(session, .signal(SIGHUP))
        let next = try start()
        try await next.settle(showing: "Nothing to do.")
        next.send("n")
        try await next.settle(showing: "A new todo, as you left it")
        #expect(next.screen().text.contains("Buy milk"))
        // A revocation: the file of the session is gone.
        #expect(unsafe unlink(home.folder.path(of: "ada/latchkey/session")) == 0)
        try await next.expect("todo: The session has ended. What you typed is kept as a draft")
        try await end(next, .status(77))
    }

    @Test func `a program that is only in English shows no form in Portuguese`() async throws {
        let session = try home.start("todo", language: "pt_PT.UTF-8")
        try await session.expect("Create your account")
        session.send("\u{1B}")
        try await end(session, .status(1))
    }

    @Test func `the program works line by line until it is interrupted`() async throws {
        var session = try start()
        try await signUp(session)
        session.send("q")
        try await end(session)
        // The session is still valid, so there is no login.
        session = try start(term: "dumb")
        try await session.expect("Nothing to do.")
        session.send("n\r")
        try await session.expect("Title")
        session.send("Buy milk\r\r\r\r")
        try await session.expect("1   Buy milk")
        session.send("t\r")
        try await session.expect("1 ✓ Buy milk")
        session.send("\u{3}")
        try await end(session, .signal(SIGINT))
    }

    @Test func `texts that cannot be saved remain in the form, and the program ends after logging out elsewhere`()
        async throws
    {
        let session = try start()
        try await signUp(session)
        session.send("n")
        try await session.settle(showing: "A new todo")
        let lock = try DatabaseLock(of: home.folder.path(of: home.data("todos.sqlite")))
        session.send("Buy milk\r\r\r\r")
        try await session.settle(showing: "Another program is writing the todos")
        #expect(session.screen().text.contains("❯ Title            Buy milk"))
        lock.release()
        session.send("\r\r\r\r")
        try await session.settle(showing: "1 open, 0 done")
        // No key is pressed.
        #expect(unsafe unlink(home.folder.path(of: "ada/latchkey/session")) == 0)
        try await session.expect("todo: The session has ended")
        try await end(session, .status(77))
    }

    @Test func `two windows show each other's changes, and neither overwrites one without a warning`() async throws {
        let log = home.folder.path(of: "log")
        let first = try start(["--log", log])
        try await signUp(first)
        first.send("n")
        try await first.settle(showing: "A new todo")
        first.send("Buy milk\r\r\r\r")
        try await first.settle(showing: "❯ 1   Buy milk")
        let second = try start()
        try await second.settle(showing: "❯ 1   Buy milk")
        second.send("\r")
        try await second.settle(showing: "A todo")
        first.send("\r")
        try await first.settle(showing: "A todo")
        first.send("\u{15}Buy oats\r\r\r\r")
        try await first.settle(showing: "❯ 1   Buy oats")
        second.send("\u{15}Buy soy\r\r\r\r")
        try await second.settle(showing: "Another window has changed this todo")
        second.send("\r\r\r\r")
        try await second.settle(showing: "❯ 1   Buy soy")
        // The first window shows it without a key press.
        try await first.settle(showing: "❯ 1   Buy soy")
        second.send("d")
        try await first.settle(showing: "Nothing to do.")
        second.send("u")
        try await first.settle(showing: "❯ 1   Buy soy")
        for session in [first, second] {
            session.send("q")
            try await end(session)
        }
        let replay = try start(["--replay", log])
        try await replay.expect("another response")
        try await replay.expect("Another window changed todos during this session (line ")
        try await end(replay, .status(1))
    }

    @Test(arguments: ["xterm-256color", "dumb"])
    func `when the session ends elsewhere, the form closes without a key press, and its text is kept`(
        term: String
    ) async throws {
        var session = try start()
        try await signUp(session)
        session.send("q")
        try await end(session)
        session = try start(term: term)
        try await session.expect("Nothing to do.")
        session.send("n")
        if term == "dumb" { session.send("\r") }
        try await session.expect("Title")
        session.send("Buy milk\r")
        if term == "dumb" {
            try await session.expect("Note")
        } else {
            try await session.settle(showing: "❯ Note")
        }
        #expect(unsafe unlink(home.folder.path(of: "ada/latchkey/session")) == 0)
        try await session.expect("todo: The session has ended")
        try await end(session, .status(77))
        let database = try await SQLiteDatabase.open(
            home.folder.path(of: home.data("todos.sqlite")), migrations: TodoTable.migrations)
        let count = try await database.read { (connection) throws(SQLiteError) in
            try connection.rows("SELECT count(*) FROM todo") { (row) throws(SQLiteError) in try row.integer(0) }
        }
        #expect(count == [0])
        session = try start()
        try await session.settle(showing: "Log in")
        session.send("ada\r\(ProgramHome.password)\r")
        try await session.settle(showing: "Nothing to do.")
        session.send("n")
        try await session.settle(showing: "Buy milk")
        session.send("\u{3}")
        try await end(session, .signal(SIGINT))
    }

    @Test func `typed text is never a command`() async throws {
        let session = try start()
        try await signUp(session)
        session.send("n")
        try await session.settle(showing: "A new todo")
        session.send("Buy milk\r\r\r\r")
        try await session.settle(showing: "1 open, 0 done")
        session.send("/dentist")
        try await session.settle(showing: "No todo matches.")
        session.send("\u{1B}")
        try await session.settle(showing: "❯ 1   Buy milk")
        session.send("/x")
        try await session.settle(showing: "/ x")
        session.send("\u{1B}")
        try await session.settle(showing: "❯ 1   Buy milk")
        // A paste.
        session.send("\u{1B}[200~dx\u{1B}[201~nfd")
        try await session.settle(showing: "A new todo")
        session.send("\u{1B}")
        try await session.settle(showing: "❯ 1   Buy milk")
        #expect(!session.screen().text.contains("restore") && !session.screen().text.contains("only open"))
        session.send("q")
        try await end(session)
    }

    @Test func `without a terminal, the error names the program`() throws {
        let (problems, status) = try home.runWithoutTerminal("todo")
        #expect(problems.hasPrefix("todo: There is no terminal") && status == 64)
    }

    @Test func `an invalid log is refused with its line`() async throws {
        let path = try home.folder.write(#"{"stream":"view","number":1,"request":"refresh"}"#.utf8, to: "cut")
        var session = try start(["--replay", path])
        try await session.expect("cut:1: is cut short")
        try await end(session, .status(65))
        session = try start(["--replay", path + ".none"])
        try await session.expect("cannot be read")
        try await end(session, .status(66))
        session = try start(["--help"])
        try await session.expect("--replay FILE  Repeat the requests")
        try await end(session)
        session = try start(["--version"])
        try await session.expect("todo 1.0")
        try await end(session)
        session = try start(["--log", path, "--replay", path])
        try await session.expect("todo: --log and --replay exclude each other")
        try await end(session, .status(64))
        session = try start(["--sing"])
        try await session.expect("todo: Unknown argument --sing. todo --help shows all flags")
        try await end(session, .status(64))
    }
}
