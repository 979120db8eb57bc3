package import LatchkeyForms
import LatchkeySecrets
package import LatchkeySystem
import LatchkeyText

/// The format of an accounts file.
package enum RowFormat: String, Sendable, CaseIterable {
    /// JSON Lines: one object per line.
    case jsonl
    /// CSV (RFC 4180). The first record contains the column names.
    case csv
}

/// Splits a file into rows.
///
/// A row may contain secrets, so its bytes are in one locked buffer that is wiped. A row that is too long is not
/// stored.
package struct RowFile: ~Copyable {
    private static let blockBytes = 2 * RowCells.maximumBytes

    /// The outcome of reading a row.
    package enum Cut: Equatable {
        /// The whole row was read.
        case whole
        /// The row exceeds ``RowCells/maximumBytes`` and was skipped.
        case tooLong
        /// A quotation mark is never closed. Only the first line was read, and the next row begins after it.
        case unclosed
    }

    private let file: RereadableFile
    private let format: RowFormat
    private var buffer = SecretBytes(capacity: blockBytes)
    /// The file offset of the next read operation.
    private var position = 0
    private var hasEnded = false
    private var next = 0
    private var nextLine = 1
    private var range = 0..<0

    /// The line on which the current row begins, counted from 1.
    package private(set) var line = 0

    /// The length of the current row in bytes, without its line break.
    var byteCount: Int { range.count }

    /// Starts before the first row.
    package init(_ file: RereadableFile, _ format: RowFormat) {
        self.file = file
        self.format = format
    }

    /// Lends the current row without its line break; empty if it is too long.
    package borrowing func withRow<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try buffer.withBytes { (bytes) throws(Failure) in try body(bytes.extracting(range)) }
    }

    /// The line and column of a byte in the current row.
    ///
    /// - Parameter offset: the offset from the row's first byte.
    package borrowing func place(of offset: Int) -> TextPlace {
        withRow { row in
            var cursor = PlaceCursor(at: 0, TextPlace(line: line, column: 1))
            return cursor.place(of: min(offset, row.count), in: row)
        }
    }

    /// Moves to the next row; nil at the end. Skips empty lines, and in CSV rows without a value: a spreadsheet writes
    /// only their commas.
    package mutating func advance() throws(ProvisioningError) -> Cut? {
        while true {
            guard let cut = try cut() else { return nil }
            if cut != .whole || !isEmpty { return cut }
        }
    }

    private var isEmpty: Bool {
        format == .csv
            ? withRow { row in row.indices.allSatisfy { row[$0] == UInt8(ascii: ",") } } : range.isEmpty
    }

    private mutating func cut() throws(ProvisioningError) -> Cut? {
        line = nextLine
        while true {
            let start = next
            switch buffer.withBytes({ Self.end(of: start, in: $0, format) }) {
            case .lineFeed(let end, let inner):
                guard end - start <= RowCells.maximumBytes + 1 else {
                    return inner > 0 ? cutFirstLine() : skip(to: end + 1, lines: 1)
                }
                take(start..<end)
                (next, nextLine) = (end + 1, line + inner + 1)
                return range.count <= RowCells.maximumBytes ? .whole : skip(to: next, lines: inner + 1)
            case .beyond(let isQuoted):
                let count = buffer.count - start
                if count > RowCells.maximumBytes + 1 {
                    return isQuoted && hasLineFeed ? cutFirstLine() : try skipLine()
                }
                if hasEnded {
                    guard count > 0 else { return nil }
                    if isQuoted { return cutFirstLine() }
                    take(start..<buffer.count)
                    next = buffer.count
                    return range.count <= RowCells.maximumBytes ? .whole : skip(to: next, lines: 1)
                }
                try refill()
            }
        }
    }

    /// Shortens the current row to its first line, because a missing quotation mark has joined it with the next lines.
    /// The next row begins after that line.
    ///
    /// - Returns: false if the row has only one line.
    package mutating func keepFirstLine() -> Bool {
        let row = range
        let end = buffer.withBytes { $0.extracting(row).firstIndex(of: UInt8(ascii: "\n")) }
        guard let end else { return false }
        take(row.lowerBound..<(row.lowerBound + end))
        (next, nextLine) = (row.lowerBound + end + 1, line + 1)
        return true
    }

    private static func end(of start: Int, in bytes: Span<UInt8>, _ format: RowFormat) -> CSVScanner.End {
        if format == .csv { return CSVScanner.end(ofRecordAt: start, in: bytes) }
        return bytes.firstIndex(of: UInt8(ascii: "\n"), from: start).map { .lineFeed($0, inner: 0) }
            ?? .beyond(isQuoted: false)
    }

    /// Sets the current row, without a trailing carriage return.
    private mutating func take(_ row: Range<Int>) {
        let hasReturn = buffer.withBytes { !row.isEmpty && $0[row.upperBound - 1] == UInt8(ascii: "\r") }
        range = row.lowerBound..<(row.upperBound - (hasReturn ? 1 : 0))
    }

    private var hasLineFeed: Bool {
        buffer.withBytes { $0.firstIndex(of: UInt8(ascii: "\n"), from: next) } != nil
    }

    /// Shortens a row to its first line, because a missing quotation mark makes it too long or extends it to the end of
    /// the file.
    private mutating func cutFirstLine() -> Cut {
        let start = next
        let end = buffer.withBytes { $0.firstIndex(of: UInt8(ascii: "\n"), from: start) ?? $0.count }
        take(start..<end)
        (next, nextLine) = (min(end + 1, buffer.count), line + 1)
        return .unclosed
    }

    private mutating func skip(to end: Int, lines: Int) -> Cut {
        range = end..<end
        (next, nextLine) = (end, line + lines)
        return .tooLong
    }

    /// Skips the rest of a line that is too long.
    private mutating func skipLine() throws(ProvisioningError) -> Cut {
        while true {
            let start = next
            if let end = buffer.withBytes({ $0.firstIndex(of: UInt8(ascii: "\n"), from: start) }) {
                return skip(to: end + 1, lines: 1)
            }
            next = buffer.count
            guard !hasEnded else { return skip(to: next, lines: 1) }
            try refill()
        }
    }

    /// Wipes the rows before the current one, moves the rest to the start of the buffer and fills the space after it.
    private mutating func refill() throws(ProvisioningError) {
        _ = buffer.replaceSubrange(0..<next, with: Span())
        next = 0
        range = 0..<0
        let (file, position) = (file, position)
        do throws(FileError) {
            let count = try unsafe buffer.extend { (room) throws(FileError) in
                var room = unsafe room.mutableSpan
                return try file.read(into: &room, at: position)
            }
            hasEnded = count == 0
            let isFirst = position == 0
            self.position = position + count
            // Some editors put a byte order mark at the start of a file.
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            if isFirst, buffer.withBytes({ bytes in bytes.count >= 3 && (0..<3).allSatisfy { bytes[$0] == mark[$0] } })
            {
                next = 3
            }
        } catch {
            throw .unreadable(error)
        }
    }
}
