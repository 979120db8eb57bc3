/// Reads a whole JSON text into a tree that knows its places: what people write, descriptions and settings. It refuses a
/// key that is there twice and a lone surrogate, and what it refuses, it refuses with the place.
package struct JSONReader {
    package struct Failure: Error, Equatable, Sendable {
        package let problem: JSONProblem
        package let place: TextPlace
    }

    private var cursor = PlaceCursor()

    /// Reads one value and white space around it.
    package static func read(_ bytes: [UInt8]) throws(Failure) -> JSONNode { try read(bytes.span) }

    package static func read(_ bytes: Span<UInt8>) throws(Failure) -> JSONNode {
        do throws(UTF8.ValidationError) {
            _ = try UTF8Span(validating: bytes)
        } catch {
            throw Failure(problem: .notUTF8, place: PlaceCursor.place(of: error.byteOffsets.lowerBound, in: bytes))
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
        // By bytes: to a `String`, two spellings of an accented letter are one key.
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
