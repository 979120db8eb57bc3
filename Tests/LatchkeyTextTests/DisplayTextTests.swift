import LatchkeyText
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct DisplayTextTests {
    struct Row: Decodable, Sendable {
        let value: String
        let violation: String?
        let why: String
    }

    /// S-119.
    @Test(arguments: try Fixture.rows(of: Row.self, in: "text/display-text.jsonl"))
    func `text that cannot be displayed safely is detected as in the table`(row: Row) {
        let found = DisplayText.violation(in: row.value.utf8Span).map { violation in
            switch violation {
            case .disallowed(let scalar): "disallowed \(scalar.notation)"
            case .tooManyMarks(let maximum): "tooManyMarks \(maximum)"
            }
        }
        #expect(found == row.violation, "\(row.why)")
    }
}
