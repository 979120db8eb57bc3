import LatchkeyText
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct CellWidthTests {
    struct Row: Decodable, Sendable {
        let value: String
        let cells: Int
        let why: String
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "text/cell-width.jsonl"))
    func `the width of text in cells matches the table`(row: Row) {
        #expect(CellWidth.of(row.value) == row.cells, "\(row.why)")
        #expect(row.value.reduce(0) { $0 + CellWidth.of($1) } == row.cells, "\(row.why)")
    }
}
