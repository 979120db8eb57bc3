import LatchkeyAccounts
import LatchkeyForms

/// Where a row is, and in it what only one account may have: for what shows when the row has been read over.
struct RowPlace: Sendable {
    /// On which it begins.
    let line: Int
    private let values: [(field: FieldKey, place: TextPlace)]

    /// The columns that are of interest.
    static func columns(of columns: [RowColumn]) -> [Int] {
        let keys: [FieldKey] = [.username, .email, .accountID]
        return columns.indices.filter { keys.contains(columns[$0].key) }
    }

    /// - Parameters:
    ///   - columns: as ``columns(of:)`` gives them.
    ///   - place: of a byte, counted from the row's first.
    init(line: Int, of cells: borrowing RowCells, _ columns: [Int], _ place: (Int) -> TextPlace) {
        self.line = line
        var values: [(field: FieldKey, place: TextPlace)] = []
        for column in columns where cells.has(column) {
            values.append((cells.columns[column].key, place(cells.offsets[column])))
        }
        self.values = values
    }

    /// What is wrong with one of its values, where that stands.
    func problem(_ failure: RuleFailure) -> RowProblem {
        let place = values.first { $0.field == failure.field }?.place
        return RowProblem(line: place?.line ?? line, column: place?.column, failure: failure)
    }
}
