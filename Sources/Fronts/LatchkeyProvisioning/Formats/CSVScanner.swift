import LatchkeyForms
import LatchkeyText

/// Strict CSV (RFC 4180). Quotation marks inside a quoted cell are doubled, and an unquoted cell contains none.
struct CSVScanner {
    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let lineFeed = UInt8(ascii: "\n")

    /// The offset of the next cell in the record.
    private(set) var offset = 0

    /// Reads the next cell and passes its text to the caller in pieces.
    ///
    /// - Parameter record: the record without its line break.
    /// - Returns: whether another cell follows.
    mutating func cell(
        in record: Span<UInt8>, _ put: (Span<UInt8>) -> Void
    ) throws(RowCells.FormatError) -> Bool {
        guard offset < record.count, record[offset] == Self.quote else {
            let end = record.firstIndex(of: Self.comma, from: offset) ?? record.count
            let cell = record.extracting(offset..<end)
            if let mark = cell.firstIndex(of: Self.quote) { throw RowCells.FormatError(.csvQuote, at: offset + mark) }
            put(cell)
            return step(from: end, in: record)
        }
        let start = offset
        offset += 1
        while true {
            guard let mark = record.firstIndex(of: Self.quote, from: offset) else {
                throw RowCells.FormatError(.csvOpen, at: start)
            }
            put(record.extracting(offset..<mark))
            offset = mark + 1
            if offset == record.count || record[offset] == Self.comma { return step(from: offset, in: record) }
            guard record[offset] == Self.quote else { throw RowCells.FormatError(.csvQuote, at: mark) }
            put(record.extracting(offset..<(offset + 1)))
            offset += 1
        }
    }

    private mutating func step(from end: Int, in record: Span<UInt8>) -> Bool {
        offset = min(end + 1, record.count)
        return end < record.count
    }

    /// The end of a record.
    enum End: Equatable, Sendable {
        /// At this line feed. It has `inner` quoted line feeds before it.
        case lineFeed(Int, inner: Int)
        /// After the end of these bytes.
        case beyond(isQuoted: Bool)
    }

    private enum State { case cellStart, plain, quoted, closed }

    /// Finds the end of the record that begins at `start`.
    ///
    /// A misplaced quotation mark does not start a quotation, so that a mistake rarely affects more than its line.
    static func end(ofRecordAt start: Int, in bytes: Span<UInt8>) -> End {
        var state = State.cellStart
        var inner = 0
        for index in start..<bytes.count {
            switch (state, bytes[index]) {
            case (.quoted, quote): state = .closed
            case (.quoted, lineFeed): inner += 1
            case (.quoted, _): break
            case (_, lineFeed): return .lineFeed(index, inner: inner)
            case (_, comma): state = .cellStart
            // After a closing quotation mark, a second mark means that it is a doubled one.
            case (.cellStart, quote), (.closed, quote): state = .quoted
            case (_, _): state = .plain
            }
        }
        return .beyond(isQuoted: state == .quoted)
    }
}

/// Cells that a spreadsheet would evaluate: any number of apostrophes, then `=`, `+`, `@`, `-`, a tab or a carriage
/// return.
///
/// An export adds an apostrophe at the start, which makes the cell text, and an import removes one. Cells that already
/// begin with apostrophes are treated in the same way, so that every text survives an export and an import unchanged.
enum CSVFormula {
    /// Whether a spreadsheet would evaluate a cell with these bytes, now or after one apostrophe is removed.
    static func begins(_ cell: Span<UInt8>) -> Bool {
        guard let first = cell.indices.first(where: { cell[$0] != apostrophe }) else { return false }
        switch cell[first] {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "-"), 0x09, 0x0D: return true
        default: return false
        }
    }

    /// Whether an export has added an apostrophe to the cell.
    static func isGuarded(_ cell: Span<UInt8>) -> Bool {
        !cell.isEmpty && cell[0] == apostrophe && begins(cell)
    }

    private static let apostrophe = UInt8(ascii: "'")
}
