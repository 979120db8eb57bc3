import Foundation
import LatchkeyTesting
public import Testing

extension Golden {
    /// Expects `text` to equal `Tests/Fixtures/<path>`.
    public static func expect(
        _ text: String, _ path: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try expect(text, in: Fixture.folder.appending(path: path), sourceLocation: sourceLocation)
    }
}
