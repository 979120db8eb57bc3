import LatchkeyText
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ScriptMixtureTests {
    struct Row: Decodable, Sendable {
        let value: String
        let mixed: Bool
        let why: String
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "text/scripts.jsonl"))
    func `text with mixed scripts is detected as in the table`(row: Row) {
        #expect(ScriptMixture.isMixed(row.value) == row.mixed, "\(row.why)")
    }
}
