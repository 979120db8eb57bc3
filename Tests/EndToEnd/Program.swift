import Foundation
import TestSupport

/// Runs a program to its end without a terminal. Input and output are files, so that nothing can block.
struct Program {
    let path: String
    let arguments: [String]
    let input: Data
    let environment: [String: String]
    let folder: URL

    func run() throws -> Sandbox.Ending {
        let files = TemporaryFolder.parent.appending(path: "latchkey-run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: files) }
        try input.write(to: files.appending(path: "stdin"))
        for name in ["stdout", "stderr"] { try Data().write(to: files.appending(path: name)) }
        let process = SpawnedProcess()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = environment
        process.currentDirectoryURL = folder
        process.standardInput = try FileHandle(forReadingFrom: files.appending(path: "stdin"))
        process.standardOutput = try FileHandle(forWritingTo: files.appending(path: "stdout"))
        process.standardError = try FileHandle(forWritingTo: files.appending(path: "stderr"))
        try process.run()
        process.waitUntilExit()
        let status = process.terminationStatus
        return Sandbox.Ending(
            status: process.terminationReason == .uncaughtSignal ? 128 + status : status,
            stdout: try text(files.appending(path: "stdout")), stderr: try text(files.appending(path: "stderr")))
    }

    private func text(_ file: URL) throws -> String {
        String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
}
