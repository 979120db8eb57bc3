import Foundation
import LatchkeySQLite
import LatchkeyTesting
import Testing

@testable import chat

/// Two users, each at a terminal, behind the real login.
@Suite(.serialized, .timeLimit(.minutes(60)))
struct ChatProgramTests {
    private let home: ProgramHome

    init() throws { home = try ProgramHome() }

    /// - Parameter seen: the text on the screen after the login.
    private func chat(as person: String, showing seen: String) async throws -> PtySession {
        let session = try home.start("chat", as: person)
        try await session.settle(showing: "Log in")
        session.send("\(person)\r\(ProgramHome.password)\r")
        try await session.settle(showing: seen)
        return session
    }

    private var database: String { home.folder.path(of: home.data("chat.sqlite")) }

    @Test func `without a terminal, the error names the program`() throws {
        let (problems, status) = try home.runWithoutTerminal("chat")
        #expect(problems.hasPrefix("chat: There is no terminal") && status == 64)
    }

    @Test func `help and version are shown, and other arguments are refused`() async throws {
        for (arguments, text, status) in [
            (["--help"], "--bell      Ring the terminal's bell", 0), (["--version"], "chat 1.0", 0),
            (["ada"], "chat: Unknown argument ada", 64),
        ] as [([String], String, Int32)] {
            let session = try home.start("chat", arguments)
            try await session.expect(text)
            #expect(try await session.waitForExit() == .status(status))
        }
    }

    @Test func `two users see each other's messages and read marks`() async throws {
        try await home.signUp("ada")
        try await home.signUp("bob")
        let bob = try await chat(as: "bob", showing: "Chats of bob")
        let ada = try await chat(as: "ada", showing: "Chats of ada")

        // "New chat" is the first action.
        ada.send("\r")
        try await ada.settle(showing: "Whom do you want")
        ada.send("BO")
        try await ada.settle(showing: "1 bob")
        ada.send("\r")
        try await ada.settle(showing: "Chat with bob")
        ada.send("   \r")
        ada.send("Hello Bob\r")
        try await ada.settle(showing: "    sent")

        try await bob.settle(showing: "ada writes: Hello Bob")
        try await bob.settle(showing: "Chats of bob (1 unread)")
        #expect(bob.screen().windowTitle == "Chats of bob (1 unread)")
        bob.send("\u{1B}OQ")
        try await bob.settle(showing: "Chat with ada")
        try await ada.settle(showing: "    read")
        bob.send("Hello Ada\r")
        try await ada.settle(showing: "Hello Ada")
        try await bob.settle(showing: "    read")
        #expect(!ada.screen().text.contains("unread"))

        // After being killed and restarted, it has all messages.
        ada.send(signal: SIGKILL)
        #expect(try await ada.waitForExit() == .signal(SIGKILL))
        let again = try home.start("chat")
        try await again.settle(showing: "Hello Ada")
        bob.send("And?\r")
        try await again.settle(showing: "bob writes: And?")
        bob.send("\u{1B}")
        try await bob.settle(showing: "Log out")
        for session in [bob, again] {
            session.send("\u{1B}")
            #expect(try await session.waitForExit() == .status(0))
            #expect(session.isRestored && session.screen().windowTitle.isEmpty)
        }
    }

    /// Searches for the bot from the list of chats. Enter then opens the chat with it.
    private func findBot(in session: PtySession) async throws {
        session.send("\rchat")
        try await session.settle(showing: "1 Chat bot")
    }

    @Test func `a message that the database refuses can be sent again or is printed at the end`() async throws {
        try await home.signUp("ada")
        let ada = try await chat(as: "ada", showing: "Chats of ada")
        try await findBot(in: ada)
        ada.send("\r")
        try await ada.settle(showing: "Chat with Chat bot")

        let elsewhere = try await SQLiteDatabase.open(database, migrations: SQLiteChats.migrations)
        _ = try await elsewhere.write { (connection) throws(SQLiteError) in
            try connection.run("CREATE TRIGGER no BEFORE INSERT ON message BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        ada.send("Hello\r")
        try await ada.settle(showing: "not sent: the database fails")
        _ = try await elsewhere.write { (connection) throws(SQLiteError) in try connection.run("DROP TRIGGER no") }
        ada.send("\u{1B}OQ")
        try await ada.settle(showing: "Hello! Write")

        _ = try await elsewhere.write { (connection) throws(SQLiteError) in
            try connection.run("ALTER TABLE message RENAME TO elsewhere")
        }
        ada.send("Still there?\r")
        try await ada.settle(showing: "not sent: the database fails")
        ada.send("\u{1B}")
        try await ada.settle(showing: "Log out")
        ada.send("\u{1B}")
        #expect(try await ada.waitForExit() == .status(0))
        #expect(ada.screen().text.contains("Not sent to Chat bot, kept as a draft: Still there?"))
    }

    @Test func `letters typed while a chat opens go into it, and become a draft`() async throws {
        try await home.signUp("ada")
        let ada = try await chat(as: "ada", showing: "Chats of ada")
        try await findBot(in: ada)
        ada.send("\rHello")
        try await ada.settle(showing: "❯ Hello")
        #expect(unsafe unlink(home.folder.path(of: "ada/latchkey/session")) == 0)
        try await ada.expect("chat: The session has ended. What you typed is kept as a draft")
        #expect(try await ada.waitForExit() == .status(77))
    }

    @Test func `a message that is unsent when the session ends becomes a draft`() async throws {
        try await home.signUp("ada")
        var ada = try await chat(as: "ada", showing: "Chats of ada")
        try await findBot(in: ada)
        ada.send("\r")
        try await ada.settle(showing: "Chat with Chat bot")
        ada.send("Hello")
        try await ada.settle(showing: "❯ Hello")
        // A revocation: the file of the session is gone.
        #expect(unsafe unlink(home.folder.path(of: "ada/latchkey/session")) == 0)
        // A change may end the program before these keys arrive. The text is stored in any case.
        ada.send("\r\u{1B}")
        try await ada.expect("chat: The session has ended")
        #expect(try await ada.waitForExit() == .status(77))
        ada = try await chat(as: "ada", showing: "1 Chat bot")
        ada.send("\r")
        try await ada.settle(showing: "❯ Hello")
        ada.send("\r")
        try await ada.settle(showing: "Hello! Write")
        ada.send("\u{1B}")
        try await ada.settle(showing: "Log out")
        ada.send("\u{1B}")
        #expect(try await ada.waitForExit() == .status(0))
        let again = try home.start("chat")
        try await again.settle(showing: "1 Chat bot")
        again.send("\r")
        try await again.settle(showing: "❯ Write a message")
    }

    @Test(arguments: ["xterm-256color", "dumb"])
    func `when the session ends, the program ends without a key press`(term: String) async throws {
        try await home.signUp("ada")
        let ada = try home.start("chat", term: term)
        try await ada.expect("Log in")
        ada.send("ada\r")
        if term == "dumb" { try await ada.expect("Password") }
        ada.send("\(ProgramHome.password)\r")
        try await ada.expect("Log out")
        #expect(unsafe unlink(home.folder.path(of: "ada/latchkey/session")) == 0)
        try await ada.expect("chat: The session has ended")
        #expect(try await ada.waitForExit() == .status(77))
        #expect(ada.isRestored)
    }

    @Test func `after the session has ended no message arrives, and the program ends`() async throws {
        try await home.signUp("ada")
        try await home.signUp("bob")
        let bob = try await chat(as: "bob", showing: "Chats of bob")
        let ada = try await chat(as: "ada", showing: "Chats of ada")
        ada.send("\r")
        try await ada.settle(showing: "Whom do you want")
        ada.send("bo")
        try await ada.settle(showing: "1 bob")
        ada.send("\r")
        try await ada.settle(showing: "Chat with bob")
        #expect(unsafe unlink(home.folder.path(of: "bob/latchkey/session")) == 0)
        ada.send("A secret\r")
        try await bob.expect("chat: The session has ended")
        #expect(try await bob.waitForExit() == .status(77))
        #expect(!bob.screen().text.contains("A secret"))
        ada.send("\u{3}")
        #expect(try await ada.waitForExit() == .signal(SIGINT))
    }

    @Test func `the program works line by line, and rings the bell for a new message`() async throws {
        try await home.signUp("ada")
        let ada = try home.start("chat", ["--bell"], term: "dumb")
        try await ada.expect("Log in")
        ada.send("ada\r")
        try await ada.expect("Password")
        ada.send("\(ProgramHome.password)\r")
        try await ada.expect("1 New chat")
        ada.send("1\r")
        try await ada.expect("1 Chat bot")
        ada.send("1\r")
        try await ada.expect("Chat with Chat bot")
        ada.send("hello\r")
        try await ada.expect("sent")
        ada.send("\u{3}")
        #expect(try await ada.waitForExit() == .signal(SIGINT))
        let again = try home.start("chat", ["--bell"])
        try await again.settle(showing: "❯ 1 Chat bot")
        again.send("\r")
        try await again.settle(showing: "Hello! Write")
        again.send("one\r")
        try await again.expect("\u{7}")
        again.send("\u{3}")
        #expect(try await again.waitForExit() == .signal(SIGINT))
    }

    @Test func `a file that is not a database is reported and not changed`() async throws {
        try await home.signUp("ada")
        try home.folder.write("No database, but a text that is long enough".utf8, to: home.data("chat.sqlite"))
        let ada = try await chat(as: "ada", showing: "chat.sqlite")
        #expect(try await ada.waitForExit() == .status(74))
        #expect(ada.isRestored)
        #expect(try home.folder.read(home.data("chat.sqlite")).starts(with: Data("No database".utf8)))
    }
}
