import Foundation
import TestSupport
import Testing

/// A running binary, which waits until its standard input is closed.
final class RunningBinary {
    private let process = SpawnedProcess()
    private let input = Pipe()
    private let output: FileHandle
    private let outputFile: URL

    init(
        _ sandbox: Sandbox, _ arguments: [String], environment: [String: String] = [:],
        through launcher: [String] = [], program: URL = Sandbox.binary
    ) throws {
        outputFile = sandbox.folder.appending(path: "output-\(UUID().uuidString)")
        try Data().write(to: outputFile)
        output = try FileHandle(forWritingTo: outputFile)
        let words = launcher + [program.path] + arguments
        process.executableURL = URL(filePath: words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = sandbox.environment.merging(environment) { _, new in new }
        process.currentDirectoryURL = sandbox.folder
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

    var id: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// Writes to its standard input, which stays open.
    func send(_ text: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    func closeInput() throws { try input.fileHandleForWriting.close() }

    func signal(_ number: Int32) { kill(id, number) }

    /// The output of both streams so far.
    func printed() throws -> String { String(decoding: try Data(contentsOf: outputFile), as: UTF8.self) }

    /// A file of `/proc/PID`.
    func proc(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: "/proc/\(id)/\(name)")) }

    /// The value of a line of `/proc/PID/status`.
    func status(_ key: String) throws -> String? {
        let lines = String(decoding: try proc("status"), as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix(key + ":") }.map {
            $0.dropFirst(key.count + 1).trimmingCharacters(in: .whitespaces)
        }
    }

    /// Waits until `condition` holds, at most ten minutes.
    func wait(until condition: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(600)
        while try !condition() {
            let output = try printed()
            try #require(
                ContinuousClock.now < deadline && process.isRunning, "it never came to that: \(output)")
            sched_yield()
        }
    }

    /// Waits for its end.
    func ending() throws -> Sandbox.Ending {
        process.waitUntilExit()
        let status = process.terminationStatus
        return Sandbox.Ending(
            status: process.terminationReason == .uncaughtSignal ? 128 + status : status,
            stdout: String(decoding: try Data(contentsOf: outputFile), as: UTF8.self), stderr: "")
    }

    /// Kills the process and waits for its end.
    func murder() {
        kill(id, SIGKILL)
        process.waitUntilExit()
    }
}
