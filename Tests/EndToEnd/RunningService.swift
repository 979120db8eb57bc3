import Foundation
import TestSupport
import Testing

/// A service on a free port.
struct RunningService {
    let sandbox: Sandbox
    let running: RunningBinary
    let url: String

    init(_ flags: [String] = [], in sandbox: Sandbox) throws {
        self.sandbox = sandbox
        let running = try RunningBinary(sandbox, ["serve", "--listen", "127.0.0.1:0", "--quiet"] + flags)
        self.running = running
        url = try Self.url(running, sandbox)
    }

    private static func url(_ running: RunningBinary, _ sandbox: Sandbox) throws -> String {
        var line = ""
        try running.wait { () throws in
            line = try running.printed()
            return line.contains("\n")
        }
        return try #require(line.firstMatch(of: #/Serving (\S+)/#).map { String($0.1) }, "\(line)")
    }

    /// Runs a script with the service's address in place of the documented one.
    func run(_ script: String, _ interpreter: String, _ arguments: [String] = []) throws -> Sandbox.Ending {
        let local = script.replacing("http://localhost:8421", with: url)
        return try Program(
            path: interpreter, arguments: arguments, input: Data(local.utf8), environment: sandbox.environment,
            folder: sandbox.folder
        ).run()
    }
}
