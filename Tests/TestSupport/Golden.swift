public import Foundation
public import Testing

/// Files with outputs that were reviewed once: `Tests/Fixtures/<path>`.
public enum Golden {
    /// Whether to rewrite the files (`RECORD=1`). A recording run fails, so that it never counts as passing.
    public static var isRecording: Bool { ProcessInfo.processInfo.environment["RECORD"] == "1" }

    /// A picture in the documents.
    public static func picture(_ name: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../docs/pictures/\(name).svg")
            .standardized
    }

    /// Expects `text` to equal the file.
    public static func expect(
        _ text: String, _ path: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try expect(text, in: Fixture.folder.appending(path: path), sourceLocation: sourceLocation)
    }

    /// Expects `text` to equal any file of the project, such as a picture in a document.
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
