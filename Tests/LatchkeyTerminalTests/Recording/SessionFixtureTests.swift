import Foundation
import TestSupport
import Testing

@testable import LatchkeyTerminal

/// Real sessions, recorded by `SessionRecordingTests` with the binary (`RECORD=1`) or sent by users. Each
/// replays the same.
@Suite(.timeLimit(.minutes(60)))
struct SessionFixtureTests {
    private static let folder = Fixture.folder.appending(path: "sessions")

    private static var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".jsonl") }.sorted()
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: try names)
    func `a recorded session replays the same`(name: String) async throws {
        let bytes = try Data(contentsOf: Self.folder.appending(path: name))
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        let outcome = try await Recording(lines: lines).replayed()
        #expect(outcome.isSame, "\(name): \(outcome)")
    }
}
