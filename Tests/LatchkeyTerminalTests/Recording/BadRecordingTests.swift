import LatchkeyForms
import TestSupport
import Testing

@testable import LatchkeyTerminal

/// Files that are not recordings.
@Suite(.timeLimit(.minutes(60)))
struct BadRecordingTests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let lines: [String]
        let line: Int
        let reason: String
        let why: String
        var testDescription: String { why }
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "recordings/bad.jsonl"))
    func `each bad recording is refused with its line and a reason`(row: Row) {
        let start =
            #"{"recording":1,"latchkey":"0.1.0","language":"en","columns":80,"rows":24,"plain":false,"color":true,"#
            + #""utf8":true,"symbols":true,"opens":"login","goal":"signed_in"}"#
        let problem = #expect(throws: RecordingProblem.self) {
            try Recording(lines: row.lines.map { $0 == "START" ? start : $0 })
        }
        #expect(problem?.line == row.line)
        #expect(problem?.reason.name == row.reason)
    }

    @Test func `bytes that are not UTF-8, and an empty file, are refused`() {
        var reader = Recording.Reader()
        #expect(throws: RecordingProblem(line: 1, .noRecording)) { try reader.read([0xFF, 0x7B].span) }
        #expect(throws: RecordingProblem(line: 1, .noRecording)) { try Recording.Reader().finish() }
    }
}
