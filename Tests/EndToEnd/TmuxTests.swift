import Foundation
import TestSupport
import Testing

/// Sign-up, login and recovery in tmux. The screen of each step is a golden file.
@Suite(.programs, .timeLimit(.minutes(60)))
struct TmuxTests {
    @Test(arguments: [(80, 24), (40, 12), (30, 8)], [false, true])
    func `a user signs up, logs in with a wrong password, and recovers`(
        size: (columns: Int, rows: Int), usesColor: Bool
    ) async throws {
        let (columns, rows) = size
        let sandbox = try Sandbox()
        let command = usesColor ? [] : ["env", "NO_COLOR=1"]
        var story = Story(usesColor: usesColor)
        var session = try TmuxSession(sandbox, command + [Sandbox.binary.path], columns: columns, rows: rows)
        try await story.look(at: session, "a store without accounts", showing: "Create your account")
        try session.type("ada@example")
        try session.press("Enter")
        try await story.look(at: session, "an invalid address", showing: "Enter a valid")
        try session.type(".org")
        try session.press("Enter")
        try session.type("adda")
        try session.press("Enter")
        _ = try await session.capture(showing: "❯ Password")
        try session.press("Up")
        try session.press("C-u")
        try session.type("ada")
        try await story.look(at: session, "back to the name, and another", showing: "ada")
        try session.press("Enter")
        try session.type("correct horse battery")
        try await story.look(at: session, "a password", showing: "***********")
        try session.press("Enter")
        try session.type("correct horse battery")
        try session.press("Enter")
        try await story.look(at: session, "the review", showing: "Check your answers")
        try session.press("Enter")
        try await story.look(at: session, "the account is made", showing: "Logged in as ada")
        #expect(try await session.status() == 0)
        try sandbox.latchkey("logout")

        session = try TmuxSession(sandbox, command + [Sandbox.binary.path], columns: columns, rows: rows)
        try await story.look(at: session, "a store with an account", showing: "Log in")
        try session.type("ada")
        try session.press("Enter")
        try session.type("not the password")
        try session.press("Enter")
        try await story.look(at: session, "a wrong password", showing: "Wrong username or password")
        try session.press("C-c")
        try await story.look(at: session, "Ctrl-C", showing: "Interrupted")

        session = try TmuxSession(
            sandbox, command + [Sandbox.binary.path, "--open", "forgot-password"], columns: columns, rows: rows)
        try await story.look(at: session, "a forgotten password", showing: "Forgot your password?")
        try session.type("ada@example.org")
        try session.press("Enter")
        try await story.look(at: session, "a code is on its way", showing: "Set a password")
        try session.type(sandbox.code())
        try session.press("Enter")
        for _ in 0..<2 {
            try session.type("a new long password")
            try session.press("Enter")
        }
        try await story.look(at: session, "the new password", showing: "Enter: Log in")
        try session.type("a new long password")
        try session.press("Enter")
        try await story.look(at: session, "logged in", showing: "Logged in as ada")
        #expect(try await session.status() == 0)
        try Golden.expect(story.text, "terminal/tmux-\(columns)x\(rows)\(usesColor ? "-color" : "").txt")
    }

    /// The screens, step by step.
    private struct Story {
        let usesColor: Bool
        var text = ""

        mutating func look(at session: TmuxSession, _ step: String, showing wanted: String) async throws {
            var screen = try await session.capture(showing: wanted)
            if usesColor { screen = try session.captureColors().replacing("\u{1B}", with: "\\e") }
            text += "=== \(step)\n" + screen + "\n\n"
        }
    }
}
