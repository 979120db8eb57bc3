/// Cells that a spreadsheet would evaluate: any apostrophes, then `=`, `+`, `@`, a tab, a carriage return or `-`.
///
/// An export puts one apostrophe in front, which makes the cell text, and an import takes one away. Cells that already
/// begin with apostrophes count too, so that every text comes back unchanged.
enum CSVFormula {
    /// Whether a cell with these bytes would be evaluated, now or after an apostrophe is taken away.
    static func begins(_ cell: Span<UInt8>) -> Bool {
        guard let first = cell.indices.first(where: { cell[$0] != apostrophe }) else { return false }
        switch cell[first] {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "-"), 0x09, 0x0D: return true
        default: return false
        }
    }

    /// Whether an export put an apostrophe in front of the cell.
    static func isGuarded(_ cell: Span<UInt8>) -> Bool {
        !cell.isEmpty && cell[0] == apostrophe && begins(cell)
    }

    private static let apostrophe = UInt8(ascii: "'")
}
