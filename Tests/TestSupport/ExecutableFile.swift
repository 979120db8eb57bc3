package import Foundation

/// Creates programs that a test then runs.
///
/// Linux refuses to run a file that any process has open for writing (`ETXTBSY`, "Text file busy"). If this process
/// wrote the file, a child that another test starts at that moment would inherit the descriptor and hold it until it
/// runs its own program. So another process, which starts no children, writes the file.
package enum ExecutableFile {
    /// Copies a program; every user may run the copy.
    package static func copy(_ program: URL, to target: URL) throws {
        let process = SpawnedProcess()
        process.executableURL = URL(filePath: "/usr/bin/install")
        process.arguments = ["--mode=755", program.path, target.path]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Writes a shell script; every user may run it.
    package static func write(_ script: String, to target: URL) throws {
        let draft = target.appendingPathExtension("draft")
        try Data("#!/bin/sh\n\(script)\n".utf8).write(to: draft)
        try copy(draft, to: target)
        try FileManager.default.removeItem(at: draft)
    }
}
