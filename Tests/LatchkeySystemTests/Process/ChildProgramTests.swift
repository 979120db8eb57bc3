import Foundation
import LatchkeySystem
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60))) struct ChildProgramTests {
    private func run(_ arguments: [String], _ input: String = "", within limit: Duration = .seconds(600)) throws
        -> ChildProgram.Ending
    {
        try #require(ChildProgram(arguments)).run(reading: input.utf8Span.span, within: limit)
    }

    @Test func `a program reads its input, and its exit status is returned`() throws {
        #expect(try run(["grep", "-q", "needle"], "hay\nneedle\n") == .exited(status: 0))
        #expect(try run(["grep", "-q", "needle"], "hay\n") == .exited(status: 1))
        #expect(try run(["/bin/sh", "-c", "kill -9 $$"]) == .killed(signal: SIGKILL))
    }

    @Test func `a program may ignore its input, even if that is large`() throws {
        #expect(try run(["true"], String(repeating: "x", count: 1_000_000)) == .exited(status: 0))
    }

    @Test func `a missing program is reported`() {
        for name in ["no-such-program-as-this", "/no/such/program", "", "./relative", "/etc/passwd"] {
            #expect(ChildProgram([name]) == nil)
        }
        #expect(ChildProgram([]) == nil)
    }

    /// S-65.
    @Test func `a hanging program is killed with its children`() throws {
        let mark = "31\(getpid())"
        #expect(try run(["/bin/sh", "-c", "sleep \(mark) & wait"], within: .milliseconds(300)) == .timedOut)
        #expect(try run(["pgrep", "-f", "sleep \(mark)"]) == .exited(status: 1))
    }

    /// S-84.
    @Test func `a program inherits no descriptors and no variables except PATH`() throws {
        unsafe setenv("LATCHKEY_CANARY", "canary", 1)
        defer { unsafe unsetenv("LATCHKEY_CANARY") }
        let open = try #require(FileHandle(forReadingAtPath: "/etc/passwd"))
        defer { try? open.close() }
        let folder = try TemporaryFolder()
        // Uses `exec`, because for a redirected command the shell would save its own output as another descriptor.
        let script = "cd '\(folder.path)' && env > env && cat > in && exec > fd && ls /proc/$$/fd; exit $?"
        #expect(try run(["/bin/sh", "-c", script], "hello") == .exited(status: 0))
        func text(_ name: String) throws -> String { String(decoding: try folder.read(name), as: UTF8.self) }
        let variables = try text("env").split(separator: "\n").map { $0.prefix { $0 != "=" } }
        #expect(Set(variables).isSubset(of: ["PATH", "PWD", "OLDPWD", "SHLVL", "_"]))
        #expect(try text("fd") == "0\n1\n2\n")
        #expect(try text("in") == "hello")
    }
}
