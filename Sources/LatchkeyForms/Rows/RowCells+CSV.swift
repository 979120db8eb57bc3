extension RowCells {
    /// Reads a record whose cells belong to the columns that `header` names. An empty cell gives nothing.
    ///
    /// - Parameter record: of any bytes, at most ``maximumBytes``, without its line break.
    package mutating func read(csv record: Span<UInt8>, under header: [Int]) -> Flaw? {
        removeAll()
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: record)
        } catch {
            return Flaw(.invalidUTF8, at: error.byteOffsets.lowerBound)
        }
        do throws(Flaw) {
            var scanner = CSVScanner()
            var count = 0
            var hasMore = true
            while hasMore {
                let offset = scanner.offset
                let start = end
                hasMore = try scanner.cell(in: record) { append($0) }
                if count < header.count, start < end { _ = put(.text(start..<end), in: header[count], at: offset) }
                count += 1
            }
            guard count == header.count else {
                return Flaw(
                    .csvCells, ["count": .integer(count), "expected": .integer(header.count)],
                    at: count < header.count ? record.count : 0)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Reads the first record: which column each cell of the others belongs to.
    ///
    /// - Throws: the first name that is there twice, or is no column's.
    package mutating func header(csv record: Span<UInt8>) throws(Flaw) -> [Int] {
        defer { removeAll() }
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: record)
        } catch {
            throw Flaw(.invalidUTF8, at: error.byteOffsets.lowerBound)
        }
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
            guard let column else { throw Flaw(unknownAt: offset, known: columns) }
            guard !header.contains(column) else { throw Flaw(.columnTwice, at: offset) }
            header.append(column)
        }
        return header
    }
}
