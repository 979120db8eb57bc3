public import Foundation
public import Testing

/// Files with reviewed outputs. `RECORD=1` rewrites them.
public enum Golden {
    /// Whether to rewrite the files (`RECORD=1`). A recording run fails, so that it cannot be mistaken for a passing
    /// one.
    public static var isRecording: Bool { ProcessInfo.processInfo.environment["RECORD"] == "1" }

    /// Expects `text` to equal a file, whose path is relative to the test's folder.
    public static func expect(
        _ text: String, nextTo test: String = #filePath, at path: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let file = URL(filePath: test).deletingLastPathComponent().appending(path: path).standardized
        try expect(text, in: file, sourceLocation: sourceLocation)
    }

    /// Expects `text` to equal a file.
    public static func expect(
        _ text: String, in file: URL, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let path = file.lastPathComponent
        guard !isRecording else {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            Issue.record("recorded \(path): look at its diff", sourceLocation: sourceLocation)
            return
        }
        let golden = try String(contentsOf: file, encoding: .utf8)
        #expect(text == golden, "\(path), recorded with RECORD=1", sourceLocation: sourceLocation)
    }
}
