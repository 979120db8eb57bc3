import LatchkeyTerminal

extension FrameBuilder {
    /// Adds a table with one selected row, which has a symbol and the cursor.
    mutating func list(_ table: TextTable, selected: Int?) {
        for (index, line) in table.frame(columns: width - 1).lines.enumerated() {
            let isSelected = index - 1 == selected
            if isSelected { placeCursor(column: 0) }
            self.line([isSelected ? .symbol(.focus, .accent) : .text(" ", .plain), .text(" ", .plain)] + line.runs)
        }
    }

    /// Adds what is wrong, or that the database takes long.
    mutating func status(problem: String?, isSlow: Bool) {
        if let problem { text(problem, .error, indent: 2, mark: .wrong) }
        if isSlow { text("Waiting for another program, which is writing the file", .hint, indent: 2) }
    }

    /// Adds hints for keys, side by side.
    mutating func keys(_ hints: [String]) {
        row(hints.map { [.text($0, .hint)] }, indent: 0, gap: 3)
    }
}
