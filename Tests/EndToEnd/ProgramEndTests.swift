import Foundation
import TestSupport
import Testing

/// The exit of the programs.
@Suite(.programs, .timeLimit(.minutes(60))) struct ProgramEndTests {
    /// The exit functions of OpenSSL and others free state that a thread may still use at that moment. The crash needs
    /// both at the same microsecond, so the test asks the dynamic linker whether it ran any of them.
    @Test(
        arguments: [
            (["--version"], 0), (["accounts", "list"], 0), (["accounts", "show", "eve"], 1),
            (["whoami", "--server", "unix:/nowhere"], 1), (["login", "ada", "--server", "unix:/nowhere"], 69),
        ] as [([String], Int32)])
    func `a program exits without running the exit handlers of C libraries`(arguments: [String], status: Int32) throws {
        let sandbox = try Sandbox()
        try sandbox.setUp("ada")
        let ending = try sandbox.latchkey(
            arguments, environment: ["LD_DEBUG": "files", "LD_DEBUG_OUTPUT": sandbox.folder.path + "/linker"])
        #expect(ending.status == status, "\(ending.stderr)")
        let logs = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path).filter {
            $0.hasPrefix("linker.")
        }
        let lines = try logs.map { try String(contentsOf: sandbox.folder.appending(path: $0), encoding: .utf8) }
        #expect(lines.contains { $0.contains("calling init: ") }, "the linker must have logged")
        #expect(!lines.contains { $0.contains("calling fini: ") })
    }
}
