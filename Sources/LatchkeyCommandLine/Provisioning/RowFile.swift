import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import LatchkeyText

/// Cuts a file into rows, in one locked buffer that is wiped, for a row may hold a secret. Of a row that is too long
/// nothing is kept.
struct RowFile: ~Copyable {
    private static let blockBytes = 2 * RowCells.maximumBytes

    /// What was cut out.
    enum Row: Equatable {
        case whole
        /// Longer than ``RowCells/maximumBytes``.
        case overlong
        /// A quotation mark opens a text that does not end; the row's first line was cut out.
        case unclosed
    }

    private let file: RereadableFile
    private let format: RowFormat
    private let name: String
    private var buffer = SecretBytes(capacity: blockBytes)
    /// Of the next byte to be read.
    private var position = 0
    private var hasEnded = false
    private var next = 0
    private var nextLine = 1
    private var range = 0..<0

    /// The line on which the row begins, from 1.
    private(set) var line = 0

    /// - Parameter name: what the file is called where it fails.
    init(_ file: RereadableFile, _ format: RowFormat, named name: String) {
        self.file = file
        self.format = format
        self.name = name
    }

    /// Lends the row that was cut out, without its line break; nothing of one that is too long.
    borrowing func withRow<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try buffer.withBytes { (bytes) throws(Failure) in try body(bytes.extracting(range)) }
    }

    /// The place of a byte of the row.
    borrowing func place(of offset: Int) -> TextPlace {
        withRow { row in
            var line = line
            var column = 1
            for index in 0..<min(offset, row.count) {
                if row[index] == UInt8(ascii: "\n") {
                    line += 1
                    column = 1
                } else if !UTF8.isContinuation(row[index]) {
                    column += 1
                }
            }
            return TextPlace(line: line, column: column)
        }
    }

    /// Cuts out the next row; nil at the end. Empty lines are none.
    mutating func advance() throws(ToolFailure) -> Row? {
        while true {
            guard let row = try cut() else { return nil }
            if row != .whole || !range.isEmpty { return row }
        }
    }

    private mutating func cut() throws(ToolFailure) -> Row? {
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

    /// Takes of a row that was cut out its first line alone: a quotation mark that is missing made it so long. What follows
    /// is looked at anew.
    ///
    /// - Returns: false where it has no other.
    mutating func keepFirstLine() -> Bool {
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

    /// Without the carriage return before a line feed.
    private mutating func take(_ row: Range<Int>) {
        let hasReturn = buffer.withBytes { !row.isEmpty && $0[row.upperBound - 1] == UInt8(ascii: "\r") }
        range = row.lowerBound..<(row.upperBound - (hasReturn ? 1 : 0))
    }

    private var hasLineFeed: Bool {
        buffer.withBytes { $0.firstIndex(of: UInt8(ascii: "\n"), from: next) } != nil
    }

    /// The row goes on for too long, or to the end of the file, for want of a quotation mark: what follows its first line
    /// is looked at anew.
    private mutating func cutFirstLine() -> Row {
        let start = next
        let end = buffer.withBytes { $0.firstIndex(of: UInt8(ascii: "\n"), from: start) ?? $0.count }
        take(start..<end)
        (next, nextLine) = (min(end + 1, buffer.count), line + 1)
        return .unclosed
    }

    private mutating func skip(to end: Int, lines: Int) -> Row {
        range = end..<end
        (next, nextLine) = (end, line + lines)
        return .overlong
    }

    /// Reads over the rest of a line.
    private mutating func skipLine() throws(ToolFailure) -> Row {
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

    /// Wipes what was taken, moves the rest to the start, and reads as much as there is room for behind it.
    private mutating func refill() throws(ToolFailure) {
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
            let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
            if isFirst, buffer.withBytes({ bytes in bytes.count >= 3 && (0..<3).allSatisfy { bytes[$0] == mark[$0] } })
            {
                next = 3
            }
        } catch {
            throw .reading(name, error)
        }
    }
}
