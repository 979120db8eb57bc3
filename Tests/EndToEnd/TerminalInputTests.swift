import Foundation
import TestSupport
import Testing

/// Typed and pasted input reaches its field completely and unchanged.
@Suite(.programs, .serialized, .timeLimit(.minutes(60))) struct TerminalInputTests {
    /// S-10.
    @Test func `a long password with spaces and letters of any script can be pasted`() async throws {
        let sandbox = try Sandbox()
        let password = String(repeating: "pass Wört 密码 \u{1F511}! ", count: 16).prefix(199) + "."
        #expect(password.unicodeScalars.count == 200)
        let session = try PtySession(
            Sandbox.binary.path, ["setup", "--email", "ada@example.org", "--username", "ada"],
            environment: sandbox.environment)
        try await session.expect("Password")
        for _ in 1...2 { session.send("\u{1B}[200~\(password)\u{1B}[201~\r") }
        session.send("\r")
        try await session.expect("Account ada created")
        #expect(try await session.waitForExit() == .status(0))
        #expect(!String(decoding: session.pty.output, as: UTF8.self).contains("Wört"))
        let given = try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "\(password)\n")
        #expect(given.status == 0, "\(given.stderr)")
        // The paste markers are not part of the password, and its end is not cut off.
        for other in [password.dropLast(), "\u{1B}[200~\(password)\u{1B}[201~"] {
            let refused = try sandbox.latchkey("login", "--username", "ada", "--password-stdin", input: "\(other)\n")
            #expect(refused.status == 1)
        }
    }

    /// S-82: when the program ends, the waiting shell must not run the rest of a line.
    @Test(arguments: ["dumb", "xterm-256color"], ["\n", "\u{3}"])
    func `the rest of an overlong line is not run as a command`(terminal: String, end: String) async throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        var environment = sandbox.environment
        environment["TERM"] = terminal
        environment["PS1"] = "prompt> "
        let session = try PtySession("/bin/bash", ["--norc", "--noprofile", "--noediting"], environment: environment)
        try await session.expect("prompt> ")
        let modes = session.pty.modes
        session.send("\(Sandbox.binary.path) login --username ada\n")
        try await session.expect("Password")
        session.send(String(repeating: "x", count: 5_000) + end + ";touch \"$HOME/tail\"\n")
        if end == "\n" {
            try await session.expect(terminal == "dumb" ? "That line was too long" : "Wrong username or password")
            session.send("\u{3}")
        }
        try await session.expect("prompt> ")
        session.send("echo \"the tail: $(ls \"$HOME\")\"\n")
        try await session.expect("the tail: ")
        #expect(session.pty.modes == modes)
        #expect(!FileManager.default.fileExists(atPath: sandbox.folder.appending(path: "tail").path))
        session.send("exit\n")
        _ = try await session.waitForExit()
    }
}
