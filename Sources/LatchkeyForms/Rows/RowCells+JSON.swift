extension RowCells {
    /// Reads a line that is one object, a member for each column. Nothing of what stands in it is in a flaw, for a value
    /// may stand where a name should.
    ///
    /// - Parameter line: of any bytes, at most ``maximumBytes``.
    package mutating func read(json line: Span<UInt8>) -> Flaw? {
        removeAll()
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: line)
        } catch {
            return Flaw(.invalidUTF8, at: error.byteOffsets.lowerBound)
        }
        do throws(JSONScanner.Failure) {
            var scanner = JSONScanner()
            try scanner.begin(in: line)
            guard scanner.next(in: line) == UInt8(ascii: "{") else {
                let offset = scanner.offset
                try scanner.skip(in: line, depth: 0)
                return Flaw(.jsonObject, at: offset)
            }
            let flaw = try read(objectAt: &scanner, in: line, depth: 0)
            try scanner.end(in: line)
            return flaw
        } catch {
            return Flaw(error)
        }
    }

    /// Reads the object that begins here to its end.
    ///
    /// - Returns: the first member that is there twice, or is no column.
    mutating func read(
        objectAt scanner: inout JSONScanner, in bytes: Span<UInt8>, depth: Int
    ) throws(JSONScanner.Failure) -> Flaw? {
        var flaw: Flaw?
        var expected = 0
        try scanner.members(in: bytes, depth: depth) { (scanner, key) throws(JSONScanner.Failure) in
            let name = key.range.lowerBound - 1
            guard let column = column(key, expected: expected, in: bytes) else {
                flaw = flaw ?? Flaw(unknownAt: name, known: columns)
                return try scanner.skip(in: bytes, depth: depth + 1)
            }
            expected = column + 1
            let offset = scanner.offset
            let content = try content(at: &scanner, in: bytes, depth: depth + 1)
            if !put(content, in: column, at: offset) { flaw = flaw ?? Flaw(.columnTwice, at: name) }
        }
        return flaw
    }

    /// Most lines have their members in the same order.
    private borrowing func column(_ key: JSONString, expected: Int, in bytes: Span<UInt8>) -> Int? {
        func isNamed(_ column: Int) -> Bool { columns[column].names.contains { key.isWritten($0, in: bytes) } }
        if expected < columns.count, isNamed(expected) { return expected }
        return columns.indices.first(where: isNamed)
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
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            return try scanner.truth(in: bytes).map(Content.bool) ?? .null
        default:
            try scanner.skip(in: bytes, depth: depth)
            return .other
        }
    }
}

extension RowCells.Flaw {
    init(unknownAt offset: Int, known columns: [RowColumn]) {
        let known = columns.map(\.key.rawValue).joined(separator: ", ")
        self.init(.columnUnknown, ["known": .text(known)], at: offset)
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
