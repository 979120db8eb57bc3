import LatchkeyText

/// The grammar of CSV (RFC 4180), strictly: a cell that begins with a quotation mark ends with one, and has every other one
/// doubled; a cell that does not has none.
package struct CSVScanner {
    private static let quote = UInt8(ascii: "\"")
    private static let comma = UInt8(ascii: ",")
    private static let lineFeed = UInt8(ascii: "\n")

    /// Where the next cell begins, in bytes.
    package private(set) var offset = 0

    package init() {}

    /// Reads the cell that begins here, and hands its text on in pieces.
    ///
    /// - Parameter record: without its line break.
    /// - Returns: whether another follows.
    package mutating func cell(
        in record: Span<UInt8>, _ put: (Span<UInt8>) -> Void
    ) throws(RowCells.Flaw) -> Bool {
        guard offset < record.count, record[offset] == Self.quote else {
            let end = record.firstIndex(of: Self.comma, from: offset) ?? record.count
            let cell = record.extracting(offset..<end)
            if let mark = cell.firstIndex(of: Self.quote) { throw RowCells.Flaw(.csvQuote, at: offset + mark) }
            put(cell)
            return step(from: end, in: record)
        }
        let start = offset
        offset += 1
        while true {
            guard let mark = record.firstIndex(of: Self.quote, from: offset) else {
                throw RowCells.Flaw(.csvOpen, at: start)
            }
            put(record.extracting(offset..<mark))
            offset = mark + 1
            if offset == record.count || record[offset] == Self.comma { return step(from: offset, in: record) }
            guard record[offset] == Self.quote else { throw RowCells.Flaw(.csvQuote, at: mark) }
            put(record.extracting(offset..<(offset + 1)))
            offset += 1
        }
    }

    private mutating func step(from end: Int, in record: Span<UInt8>) -> Bool {
        offset = min(end + 1, record.count)
        return end < record.count
    }

    /// Where a record ends.
    package enum End: Equatable, Sendable {
        /// Before this line feed, after so many others within quotation marks.
        case lineFeed(Int, inner: Int)
        /// Not in these bytes.
        case beyond(isQuoted: Bool)
    }

    private enum State { case cellStart, plain, quoted, closed }

    /// Finds the end of the record that begins at `start`. Marks that stand where none may do not open a quotation, so
    /// that a mistake seldom takes more than its own line along.
    package static func end(ofRecordAt start: Int, in bytes: Span<UInt8>) -> End {
        var state = State.cellStart
        var inner = 0
        for index in start..<bytes.count {
            switch (state, bytes[index]) {
            case (.quoted, quote): state = .closed
            case (.quoted, lineFeed): inner += 1
            case (.quoted, _): break
            case (_, lineFeed): return .lineFeed(index, inner: inner)
            case (_, comma): state = .cellStart
            // Behind a mark that has just closed it is a doubled one.
            case (.cellStart, quote), (.closed, quote): state = .quoted
            case (_, _): state = .plain
            }
        }
        return .beyond(isQuoted: state == .quoted)
    }
}
