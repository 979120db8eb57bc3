import Foundation
import TestSupport

/// A program in a pane of tmux, which provides the screen.
final class TmuxSession {
    private let sandbox: Sandbox
    private let client: PtySession
    private let socket: String

    init(_ sandbox: Sandbox, _ command: [String], columns: Int, rows: Int) throws {
        self.sandbox = sandbox
        socket = sandbox.folder.appending(path: "tmux-\(UUID().uuidString.prefix(8))").path
        let settings = """
            set -g status off
            set -g escape-time 0
            set -g default-terminal screen
            set -g remain-on-exit on
            set -g remain-on-exit-format ""
            """
        let file = sandbox.folder.appending(path: "tmux.conf")
        try Data(settings.utf8).write(to: file)
        client = try PtySession(
            "/usr/bin/tmux",
            ["-S", socket, "-f", file.path, "new-session"] + command,
            environment: sandbox.environment, columns: columns, rows: rows)
    }

    deinit { _ = try? tmux("kill-server") }

    /// Types literal text.
    func type(_ text: String) throws { try tmux("send-keys", "-l", text) }

    /// Presses a key by its tmux name: `Enter`, `Up`, `F3`, `C-u`.
    func press(_ key: String) throws { try tmux("send-keys", key) }

    /// The pane, once it shows `text` and the program waits for input.
    func capture(showing text: String) async throws -> String {
        let end = ContinuousClock.now + .seconds(600)
        while true {
            // tmux writes to its client, so the client's output must be read.
            _ = client.pty.output
            let shown = try tmux("capture-pane", "-p")
            let waits = try hasEnded() || processID().map(PtySession.isWaiting) ?? true
            if waits, shown.contains(text), try tmux("capture-pane", "-p") == shown {
                return shown.trimmingCharacters(in: .newlines)
            }
            // Checks before the deadline, even if this task runs late.
            guard ContinuousClock.now < end else { throw NeverShown(wanted: text, shown: shown) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// The current pane, with the escape sequences of its colours.
    func captureColors() throws -> String { try tmux("capture-pane", "-p", "-e").trimmingCharacters(in: .newlines) }

    /// The program's exit status; nil if it does not end within a minute.
    func status() async throws -> Int32? {
        let end = ContinuousClock.now + .seconds(600)
        while true {
            // tmux reports a dead pane before it knows the status.
            if let status = Int32(try display("#{pane_dead_status}")) { return status }
            guard ContinuousClock.now < end else { return nil }
            // If two signals arrive at once, tmux may miss SIGCHLD. Another one is harmless.
            if let server = pid_t(try display("#{pid}")) { kill(server, SIGCHLD) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    struct NeverShown: Error {
        let wanted: String
        let shown: String
    }

    private func hasEnded() throws -> Bool { try display("#{pane_dead}") == "1" }

    private func processID() throws -> Int32? { Int32(try display("#{pane_pid}")) }

    private func display(_ format: String) throws -> String {
        try tmux("display-message", "-p", format).trimmingCharacters(in: .newlines)
    }

    @discardableResult
    private func tmux(_ words: String...) throws -> String {
        let ending = try Program(
            path: "/usr/bin/tmux", arguments: ["-S", socket] + words, input: Data(), environment: sandbox.environment,
            folder: sandbox.folder
        ).run()
        return ending.stdout
    }
}
