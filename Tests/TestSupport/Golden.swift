public import Foundation
public import Testing

/// Files that hold what came out once and was found right: `Tests/Fixtures/<path>`.
public enum Golden {
    /// Whether files are written anew (`RECORD=1`): a run that records fails, so that it is never taken for passing.
    public static var isRecording: Bool { ProcessInfo.processInfo.environment["RECORD"] == "1" }

    /// Expects `text` to be what the file has.
    public static func expect(
        _ text: String, _ path: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try expect(text, in: Fixture.folder.appending(path: path), sourceLocation: sourceLocation)
    }

    /// Expects `text` to be what any file of the project has, such as a picture in a document.
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
