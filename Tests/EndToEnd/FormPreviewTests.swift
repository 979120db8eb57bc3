import Foundation
import TestSupport
import Testing

/// `forms preview` in a terminal.
@Suite(.programs, .timeLimit(.minutes(60)))
struct FormPreviewTests {
    private let sandbox: Sandbox
    private let file: URL

    init() throws {
        sandbox = try Sandbox()
        file = sandbox.folder.appending(path: "trial.json")
        try write(title: "First title")
    }

    private func write(title: String, atomically: Bool = false, suffix: String = "") throws {
        let text = """
            {"form": "trial", "title": "\(title)", "submit": "Go", "fields": [
            {"apiKey": "town", "label": "Town", "placeholder": "Town"}]}\(suffix)
            """
        try Data(text.utf8).write(to: file, options: atomically ? .atomic : [])
    }

    @Test func `the preview reloads a changed file, keeps the answers, and shows errors`() async throws {
        let session = try PtySession(
            Sandbox.binary.path, ["forms", "preview", file.path], environment: sandbox.environment)
        try await session.expect("First title")
        session.send("Lisbon")
        try await session.expect("Lisbon")
        try write(title: "Second title")
        try await session.expect("Second title")
        try await session.expect("Lisbon")
        try write(title: "Third title", atomically: true, suffix: " ?")
        try await session.expect("trial.json:2:62")
        try write(title: "Fourth title", atomically: true)
        try await session.expect("Fourth title")
        session.send("\u{1B}")
        #expect(try await session.waitForExit() == .status(0))
        #expect(session.isRestored)
        #expect(!FileManager.default.fileExists(atPath: sandbox.store.path))
    }

    @Test func `a file that is initially invalid or missing is refused`() throws {
        try write(title: "T", suffix: "?")
        #expect(try sandbox.latchkey("forms", "preview", file.path).status == 78)
        #expect(try sandbox.latchkey("forms", "preview", file.path + "x").status == 66)
        try write(title: "T")
        #expect(try sandbox.latchkey("forms", "preview", file.path).status == 64, "there is no terminal")
    }
}
