import LatchkeyText

/// Parses JSON into a tree with positions, for descriptions and settings. It refuses duplicate keys and lone
/// surrogates, and reports the position of each error.
package struct JSONReader {
    /// An error in the JSON.
    package struct Failure: Error, Equatable, Sendable {
        /// The problem.
        package let problem: JSONProblem
        /// The line and column of the error.
        package let place: TextPlace
    }

    private var cursor = PlaceCursor()

    /// Reads one value, with optional white space around it.
    package static func read(_ bytes: [UInt8]) throws(Failure) -> JSONNode { try read(bytes.span) }

    /// Reads one value, with optional white space around it.
    package static func read(_ bytes: Span<UInt8>) throws(Failure) -> JSONNode {
        if let offset = bytes.firstInvalidUTF8 {
            throw Failure(problem: .notUTF8, place: PlaceCursor.place(of: offset, in: bytes))
        }
        do throws(JSONScanner.Failure) {
            var reader = JSONReader()
            var scanner = JSONScanner()
            try scanner.begin(in: bytes)
            let node = try reader.node(at: &scanner, in: bytes, depth: 0)
            try scanner.end(in: bytes)
            return node
        } catch {
            throw Failure(problem: error.problem, place: PlaceCursor.place(of: error.offset, in: bytes))
        }
    }

    private init() {}

    private mutating func node(
        at scanner: inout JSONScanner, in bytes: Span<UInt8>, depth: Int
    ) throws(JSONScanner.Failure) -> JSONNode {
        let place = cursor.place(of: scanner.offset, in: bytes)
        return JSONNode(content: try content(at: &scanner, in: bytes, depth: depth), place: place)
    }

    private mutating func content(
        at scanner: inout JSONScanner, in bytes: Span<UInt8>, depth: Int
    ) throws(JSONScanner.Failure) -> JSONNode.Content {
        switch scanner.next(in: bytes) {
        case UInt8(ascii: "{"): return .object(try members(at: &scanner, in: bytes, depth: depth))
        case UInt8(ascii: "["): return .array(try elements(at: &scanner, in: bytes, depth: depth))
        case UInt8(ascii: "\""): return .string(try scanner.string(in: bytes).text(in: bytes))
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
            return try scanner.truth(in: bytes).map(JSONNode.Content.bool) ?? .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let digits = try scanner.number(in: bytes)
            return .number(String(decoding: digits.map { bytes[$0] }, as: UTF8.self))
        default: throw scanner.unexpected(in: bytes)
        }
    }

    private mutating func members(
        at scanner: inout JSONScanner, in bytes: Span<UInt8>, depth: Int
    ) throws(JSONScanner.Failure) -> [JSONNode.Member] {
        var members: [JSONNode.Member] = []
        // Compares bytes, because `String` would treat two encodings of an accented letter as the same key.
        var keys: Set<[UInt8]> = []
        try scanner.members(in: bytes, depth: depth) { (scanner, written) throws(JSONScanner.Failure) in
            let offset = written.range.lowerBound - 1
            let key = try written.text(in: bytes)
            guard keys.insert(Array(key.utf8)).inserted else {
                throw JSONScanner.Failure(problem: .duplicateKey(key), offset: offset)
            }
            let place = cursor.place(of: offset, in: bytes)
            let value = try node(at: &scanner, in: bytes, depth: depth + 1)
            members.append(JSONNode.Member(key: key, keyPlace: place, value: value))
        }
        return members
    }

    private mutating func elements(
        at scanner: inout JSONScanner, in bytes: Span<UInt8>, depth: Int
    ) throws(JSONScanner.Failure) -> [JSONNode] {
        var elements: [JSONNode] = []
        try scanner.elements(in: bytes, depth: depth) { (scanner) throws(JSONScanner.Failure) in
            elements.append(try node(at: &scanner, in: bytes, depth: depth + 1))
        }
        return elements
    }
}

/// A JSON value with its position in the file, for error messages.
package struct JSONNode: Sendable {
    /// The value.
    package let content: Content
    /// The position where the value begins.
    package let place: TextPlace

    /// A value whose parts have positions too.
    package indirect enum Content: Sendable {
        case null
        case bool(Bool)
        /// The digits as written.
        case number(String)
        case string(String)
        case array([JSONNode])
        /// The members in file order, without duplicate keys.
        case object([Member])
    }

    /// A member of an object.
    package struct Member: Sendable {
        /// The name of the member.
        package let key: String
        /// The position where the name begins.
        package let keyPlace: TextPlace
        /// The value of the member.
        package let value: JSONNode

        /// Creates a member, for example with a different name.
        package init(key: String, keyPlace: TextPlace, value: JSONNode) {
            (self.key, self.keyPlace, self.value) = (key, keyPlace, value)
        }
    }

    /// The value without its positions.
    package var value: JSONValue {
        switch content {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let digits): Int(digits).map(JSONValue.integer) ?? .number(digits)
        case .string(let text): .string(text)
        case .array(let nodes): .array(nodes.map(\.value))
        case .object(let members): .object(members.map { ($0.key, $0.value.value) })
        }
    }
}

/// A position in a text file.
public struct TextPlace: Equatable, Sendable {
    /// The line, counted from 1.
    public let line: Int
    /// The column in code points, counted from 1.
    public let column: Int

    /// Creates a position.
    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }
}

/// The reason why ``JSONScanner`` refuses the input.
package enum JSONProblem: Error, Equatable, Sendable {
    case notUTF8
    case byteOrderMark
    case comment
    case unexpectedEnd
    /// A character that is not allowed at this position.
    case unexpected(String)
    case duplicateKey(String)
    case loneSurrogate
    case tooDeep(maximum: Int)
    case afterEnd
}

/// Converts ascending offsets into lines and columns, in one pass over the bytes.
package struct PlaceCursor {
    private var offset: Int
    private var line: Int
    private var column: Int

    /// - Parameters:
    ///   - offset: the offset of the first byte.
    ///   - place: the position of that byte.
    package init(at offset: Int = 0, _ place: TextPlace = TextPlace(line: 1, column: 1)) {
        self.offset = offset
        line = place.line
        column = place.column
    }

    /// The position of the byte at `offset`, which must not be less than the offset of the previous call.
    package mutating func place(of offset: Int, in bytes: Span<UInt8>) -> TextPlace {
        while self.offset < offset {
            let byte = bytes[self.offset]
            self.offset += 1
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            } else if !UTF8.isContinuation(byte) {
                column += 1
            }
        }
        return TextPlace(line: line, column: column)
    }

    package static func place(of offset: Int, in bytes: Span<UInt8>) -> TextPlace {
        var cursor = PlaceCursor()
        return cursor.place(of: offset, in: bytes)
    }
}
