import Testing

@testable import LatchkeyCommandLine

@Suite(.timeLimit(.minutes(60))) struct ListTableTests {
    @Test func `a column with IDs keeps its width, and the others become narrower`() {
        #expect(ListTable.fitted([22, 9, 10, 20, 20], to: 80, keeping: [0]) == [22, 9, 10, 15, 16])
        #expect(ListTable.fitted([90, 20], to: 80, keeping: [0]) == [90, 4], "the line is longer instead")
        #expect(ListTable.fitted([22, 9], to: 80, keeping: [0]) == [22, 9])
    }
}
