import LatchkeyAccounts
import LatchkeySQL

/// A stored integer outside the valid range of its column.
public struct InvalidValue: Equatable, Sendable {
    /// The name of the table.
    public let table: String
    /// The key of the row as an SQL literal: `'…'`, `X'…'` or a number.
    public let row: String
    /// The name of the column.
    public let column: String
}

extension SQLiteConnection {
    /// The first invalid integers in the store, at most 20. Reads all rows.
    func invalidValues() throws(SQLiteError) -> [InvalidValue] {
        var found: [InvalidValue] = []
        for table in StoredTable.all + [.store] {
            let columns = table.integers
            _ = try rows(joining: table.integerSelection) { (row) throws(SQLiteError) in
                for (index, column) in columns.enumerated() where found.count < 20 {
                    let position = Int32(index + 1)
                    // SQLite's own check covers NULL in columns that do not allow it.
                    if row.isNull(position) || (try? row.integer(position, in: column.range)) != nil { continue }
                    let key = (try? row.text(0)) ?? "?"
                    found.append(InvalidValue(table: "\(table.name)", row: key, column: column.column.description))
                }
            }
        }
        return found
    }
}

extension StoredTable {
    /// The integer columns with their valid values. They include the number of `store`, which is not copied.
    var integers: [(column: StoredColumn, range: StoredRange)] {
        (columns + order).compactMap { column in column.range.map { (column, $0) } }
    }

    /// A query for a literal that identifies the row, and for the row's integers.
    fileprivate var integerSelection: String {
        let name = title.map(\.description) ?? "coalesce(\(Self.list(order)), NULL)"
        return "SELECT "
            + (["substr(quote(\(name)), 1, 100)"] + integers.map(\.column.description)).joined(separator: ", ")
            + " FROM \(self.name)"
    }
}
