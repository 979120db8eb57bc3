package import LatchkeyForms
import LatchkeyText

extension RowCells {
    /// Reads a record. An empty cell means that there is no value. The apostrophe of ``CSVFormula`` is removed, except
    /// in passwords and hashes.
    ///
    /// - Parameters:
    ///   - record: the record without its line break. It may contain any bytes, at most ``maximumBytes``.
    ///   - header: the column of each cell, from ``header(csv:mappings:)``; nil for a cell to ignore.
    /// - Returns: the first format error; nil if there is none.
    package mutating func read(csv record: Span<UInt8>, under header: [Int?]) -> FormatError? {
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
                if count < header.count, start < end, let column = header[count] {
                    var isGuarded = withPiece(from: start) { CSVFormula.isGuarded($0) }
                    if columns[column].isSecret { isGuarded = false }
                    _ = put(.text((isGuarded ? start + 1 : start)..<end), in: column, at: offset)
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

    /// Reads the first record, which contains the column names.
    ///
    /// - Parameter mappings: columns with names that differ from their fields. Each of them must occur.
    /// - Returns: the index of the column for each cell of the other records; nil for a cell to ignore.
    /// - Throws: an error for the first name that occurs twice or is unknown.
    package mutating func header(
        csv record: Span<UInt8>, mappings: [ColumnMapping] = []
    ) throws(FormatError) -> [Int?] {
        defer { removeAll() }
        if let offset = record.firstInvalidUTF8 { throw FormatError(.invalidUTF8, at: offset) }
        var header: [Int?] = []
        var missing = mappings
        var scanner = CSVScanner()
        var hasMore = true
        while hasMore {
            let offset = scanner.offset
            let start = end
            hasMore = try scanner.cell(in: record) { append($0) }
            let mapping = withPiece(from: start) { cell in
                missing.firstIndex { Self.isSame($0.name, cell) }
            }
            var column: Int?
            if let mapping {
                column = missing.remove(at: mapping).column
            } else {
                column = withPiece(from: start) { cell in
                    columns.firstIndex { column in column.names.contains { Self.isSame($0, cell) } }
                }
                guard column != nil else { throw FormatError(unknownAt: offset, known: columns) }
            }
            if let column, header.contains(column) { throw FormatError(.columnTwice, at: offset) }
            header.append(column)
        }
        guard let mapping = missing.first else { return header }
        throw FormatError(.columnMissing, ["name": .text(String(decoding: mapping.name, as: UTF8.self))], at: 0)
    }

    private static func isSame(_ name: [UInt8], _ cell: Span<UInt8>) -> Bool {
        name.count == cell.count && name.indices.allSatisfy { name[$0] == cell[$0] }
    }
}

/// A column of a CSV file with another program's name.
package struct ColumnMapping: Sendable {
    /// The name in the header.
    package let name: [UInt8]
    /// The index of the column in ``RowChecker/importColumns(of:)``; nil to ignore the column.
    let column: Int?

    /// Parses `COLUMN=FIELD`, or `COLUMN=` for a column to ignore. Nil if FIELD is not a column of the form.
    package init?(_ text: String, _ form: Form) {
        // The name of a field never contains an equals sign.
        guard let sign = text.lastIndex(of: "="), sign > text.startIndex else { return nil }
        name = Array(text[..<sign].utf8)
        let field = Array(text[text.index(after: sign)...].utf8)
        column = RowChecker.importColumns(of: form).firstIndex { $0.names.contains(field) }
        guard column != nil || field.isEmpty else { return nil }
    }

    /// The names of the fields to which a column can be mapped, for messages.
    package static func known(_ form: Form) -> String { RowColumn.known(RowChecker.importColumns(of: form)) }
}
