import Foundation
import TestSupport
import Testing

/// The program makes the pictures in the README. Run `scripts/record` and `scripts/screenshots` to update them.
@Suite(.programs, .timeLimit(.minutes(60)))
struct PictureTests {
    @Test func `the sign-up picture matches the terminal`() async throws {
        let sandbox = try Sandbox()
        let (columns, rows) = (66, 14)
        let session = try PtySession(
            Sandbox.binary.path, environment: sandbox.environment, columns: columns, rows: rows)
        var picture = TerminalPicture(title: "A sign-up in the terminal", columns: columns, rows: rows)
        for (keys, seen, seconds) in [
            ("", "Esc: cancel", 1.5), ("ada@example", "ada@example", 1.0), ("\r", "Enter a valid e-mail address", 2.0),
            (".org", "ada@example.org", 1.0), ("\r", "✓ E-mail", 0.6), ("ada", "❯ Username        ada", 0.8),
            ("\r", "✓ Username", 0.6), ("hunter2", "*******", 0.8), ("\r", "at least 9 characters", 2.0),
            ("\u{15}correct horse battery", "*********************", 1.5), ("\r", "❯ Password again", 0.6),
            ("correct horse battery", "❯ Password again  *********************", 0.8),
            ("\r", "Check your answers", 2.5),
        ] {
            session.send(keys)
            try await session.settle(showing: seen, columns: columns, rows: rows)
            picture.add(
                session.screen(columns: columns, rows: rows), seconds: seconds, isStill: seen == "Check your answers")
        }
        session.send("\r")
        try await session.expect("Logged in as ada")
        #expect(try await session.waitForExit() == .status(0))
        picture.add(session.screen(columns: columns, rows: rows), seconds: 3)
        try Golden.expect(picture.svg, in: Self.file)
    }

    /// `scripts/screenshots` writes the hash of the page, which covers its style sheet and scripts, into each picture.
    @Test func `the pictures of pages are not older than the pages`() throws {
        let ending = try Program(
            path: "/usr/bin/python3", arguments: [SourceTree.path(of: "scripts/screenshots"), "--check"], input: Data(),
            environment: [
                "PATH": "/usr/bin:/bin", "LATCHKEY": Sandbox.binary.path, "TMPDIR": TemporaryFolder.parent.path(),
            ],
            folder: TemporaryFolder.parent
        ).run()
        #expect(ending.status == 0, "\(ending.stdout)\(ending.stderr)")
    }

    private static let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../docs/sign-up.svg").standardized
}
