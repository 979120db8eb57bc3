import LatchkeyForms
import LatchkeyText

extension RowCells {
    /// Reads one JSON object with a member for each column. Errors do not quote the text, because a secret may be in
    /// the wrong place.
    ///
    /// - Parameter line: the line, which may contain any bytes, at most ``maximumBytes``.
    /// - Returns: the first format error; nil if there is none.
    package mutating func read(json line: Span<UInt8>) -> FormatError? {
        removeAll()
        if let offset = line.firstInvalidUTF8 { return FormatError(.invalidUTF8, at: offset) }
        do throws(JSONScanner.Failure) {
            var scanner = JSONScanner()
            try scanner.begin(in: line)
            guard scanner.next(in: line) == UInt8(ascii: "{") else {
                let offset = scanner.offset
                try scanner.skip(in: line, depth: 0)
                return FormatError(.jsonObject, at: offset)
            }
            let firstError = try read(objectAt: &scanner, in: line, depth: 0)
            do throws(JSONScanner.Failure) { try scanner.end(in: line) } catch {
                guard error.isLate, let firstError else { throw error }
                return firstError
            }
            return firstError
        } catch {
            return FormatError(error)
        }
    }

    /// Reads an object to its end.
    ///
    /// - Returns: an error for the first member that occurs twice or is unknown.
    mutating func read(
        objectAt scanner: inout JSONScanner, in bytes: Span<UInt8>, depth: Int
    ) throws(JSONScanner.Failure) -> FormatError? {
        var firstError: FormatError?
        var member = 0
        try scanner.members(in: bytes, depth: depth) { (scanner, key) throws(JSONScanner.Failure) in
            let name = key.range.lowerBound - 1
            guard let column = column(key, ofMember: member, in: bytes) else {
                firstError = firstError ?? FormatError(unknownAt: name, known: columns)
                return try scanner.skip(in: bytes, depth: depth + 1)
            }
            member += 1
            let offset = scanner.offset
            let content = try content(at: &scanner, in: bytes, depth: depth + 1)
            if !put(content, in: column, at: offset) { firstError = firstError ?? FormatError(.columnTwice, at: name) }
        }
        return firstError
    }

    /// The column of a member. First tries the column that the member at this position had in the last row.
    ///
    /// - Parameter member: the number of known members before it.
    private mutating func column(_ key: JSONString, ofMember member: Int, in bytes: Span<UInt8>) -> Int? {
        func isNamed(_ column: Int) -> Bool { columns[column].names.contains { key.isWritten($0, in: bytes) } }
        if member < memberColumns.count, isNamed(memberColumns[member]) { return memberColumns[member] }
        guard let column = columns.indices.first(where: isNamed) else { return nil }
        // A row may repeat a key any number of times, so no more members are remembered than there are columns.
        if member < memberColumns.count {
            memberColumns[member] = column
        } else if member < columns.count {
            memberColumns.append(column)
        }
        return column
    }

    private mutating func content(
        at scanner: inout JSONScanner, in bytes: Span<UInt8>, depth: Int
    ) throws(JSONScanner.Failure) -> Content {
        switch scanner.next(in: bytes) {
        case UInt8(ascii: "\""):
            let string = try scanner.string(in: bytes)
            let start = end
            if string.hasEscapes {
                try string.decode(in: bytes) { append($0) }
            } else {
                append(bytes.extracting(string.range))
            }
            return .text(start..<end)
        case UInt8(ascii: "["): return try scanner.list(in: bytes, depth: depth).map { .list($0) } ?? .other
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            return try scanner.truth(in: bytes).map(Content.bool) ?? .null
        default:
            try scanner.skip(in: bytes, depth: depth)
            return .other
        }
    }
}

extension RowCells.FormatError {
    init(unknownAt offset: Int, known columns: [RowColumn]) {
        self.init(.columnUnknown, ["known": .text(RowColumn.known(columns))], at: offset)
    }

    init(_ failure: JSONScanner.Failure) {
        switch failure.problem {
        case .notUTF8: self.init(.invalidUTF8, at: failure.offset)
        case .unexpectedEnd: self.init(.jsonEnd, at: failure.offset)
        case .unexpected, .byteOrderMark: self.init(.jsonUnexpected, at: failure.offset)
        case .comment: self.init(.jsonComment, at: failure.offset)
        case .duplicateKey: self.init(.columnTwice, at: failure.offset)
        case .loneSurrogate: self.init(.jsonSurrogate, at: failure.offset)
        case .tooDeep(let maximum): self.init(.jsonDepth, ["maximum": .integer(maximum)], at: failure.offset)
        case .afterEnd: self.init(.jsonAfterEnd, at: failure.offset)
        }
    }
}
