import LatchkeyForms
import LatchkeyText

extension RowCells {
    /// Reads a record. An empty cell means that no value was given. Takes the apostrophe of ``CSVFormula`` away, except
    /// from passwords and hashes.
    ///
    /// - Parameters:
    ///   - record: any bytes, at most ``maximumBytes`` of them, without the line break.
    ///   - header: the column of each cell, from ``header(csv:)``.
    /// - Returns: the first format error; nil if there is none.
    package mutating func read(csv record: Span<UInt8>, under header: [Int]) -> FormatError? {
        removeAll()
        if let offset = record.firstInvalidUTF8 { return FormatError(.invalidUTF8, at: offset) }
        do throws(FormatError) {
            var scanner = CSVScanner()
            var count = 0
            var hasMore = true
            while hasMore {
                let offset = scanner.offset
                let start = end
                hasMore = try scanner.cell(in: record) { append($0) }
                if count < header.count, start < end {
                    var isGuarded = withPiece(from: start) { CSVFormula.isGuarded($0) }
                    if columns[header[count]].isSecret { isGuarded = false }
                    _ = put(.text((isGuarded ? start + 1 : start)..<end), in: header[count], at: offset)
                }
                count += 1
            }
            guard count == header.count else {
                return FormatError(
                    .csvCells, ["count": .integer(count), "expected": .integer(header.count)],
                    at: count < header.count ? record.count : 0)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Reads the first record, which names the columns.
    ///
    /// - Returns: the index of the column for each cell of the other records.
    /// - Throws: an error for the first name that occurs twice or names no column.
    package mutating func header(csv record: Span<UInt8>) throws(FormatError) -> [Int] {
        defer { removeAll() }
        if let offset = record.firstInvalidUTF8 { throw FormatError(.invalidUTF8, at: offset) }
        var header: [Int] = []
        var scanner = CSVScanner()
        var hasMore = true
        while hasMore {
            let offset = scanner.offset
            let start = end
            hasMore = try scanner.cell(in: record) { append($0) }
            let column = withPiece(from: start) { name in
                columns.firstIndex { column in
                    column.names.contains { known in
                        known.count == name.count && known.indices.allSatisfy { known[$0] == name[$0] }
                    }
                }
            }
            guard let column else { throw FormatError(unknownAt: offset, known: columns) }
            guard !header.contains(column) else { throw FormatError(.columnTwice, at: offset) }
            header.append(column)
        }
        return header
    }
}
