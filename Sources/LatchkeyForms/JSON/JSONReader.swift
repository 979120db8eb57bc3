/// Reads JSON (RFC 8259) strictly: no comments, no byte order mark, no key twice, no lone surrogate, nothing nested
/// deeper than a bound. What it refuses, it refuses with the place.
package struct JSONReader {
    /// How deep arrays and objects may be nested.
    package static let maximumDepth = 32

    package enum Problem: Error, Equatable, Sendable {
        case notUTF8
        case byteOrderMark
        case comment
        case unexpectedEnd
        /// A character that cannot stand here.
        case unexpected(String)
        case duplicateKey(String)
        case loneSurrogate
        case tooDeep(maximum: Int)
        case afterEnd
    }

    package struct Failure: Error, Equatable, Sendable {
        package let problem: Problem
        package let place: TextPlace
    }

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var line = 1
    private var lineStart = 0

    /// Reads one value and white space around it.
    package static func read(_ bytes: [UInt8]) throws(Failure) -> JSONNode {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure(problem: .notUTF8, place: place(ofInvalidByteIn: bytes))
        }
        var reader = JSONReader(scalars: Array(text.unicodeScalars))
        if reader.peek == "\u{FEFF}" { throw reader.failure(.byteOrderMark) }
        try reader.skipWhiteSpace()
        let node = try reader.node(depth: 0)
        try reader.skipWhiteSpace()
        guard reader.peek == nil else { throw reader.failure(.afterEnd) }
        return node
    }

    private init(scalars: [Unicode.Scalar]) { self.scalars = scalars }

    private var peek: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private var place: TextPlace { TextPlace(line: line, column: index - lineStart + 1) }

    private func failure(_ problem: Problem) -> Failure { Failure(problem: problem, place: place) }

    private var unexpected: Failure {
        failure(peek.map { .unexpected(String($0)) } ?? .unexpectedEnd)
    }

    private mutating func advance() -> Unicode.Scalar? {
        guard let scalar = peek else { return nil }
        index += 1
        if scalar == "\n" {
            line += 1
            lineStart = index
        }
        return scalar
    }

    private mutating func skipWhiteSpace() throws(Failure) {
        while let scalar = peek, [" ", "\t", "\n", "\r"].contains(scalar) { _ = advance() }
        if peek == "/" { throw failure(.comment) }
    }

    private mutating func node(depth: Int) throws(Failure) -> JSONNode {
        let start = place
        switch peek {
        case "{" where depth == Self.maximumDepth, "[" where depth == Self.maximumDepth:
            throw failure(.tooDeep(maximum: Self.maximumDepth))
        case "{": return JSONNode(content: .object(try members(depth: depth)), place: start)
        case "[": return JSONNode(content: .array(try elements(depth: depth)), place: start)
        case "\"": return JSONNode(content: .string(try string()), place: start)
        case "t": return JSONNode(content: try word("true", .bool(true)), place: start)
        case "f": return JSONNode(content: try word("false", .bool(false)), place: start)
        case "n": return JSONNode(content: try word("null", .null), place: start)
        case .some("-"), .some("0"..."9"): return JSONNode(content: .number(try number()), place: start)
        default: throw unexpected
        }
    }

    private mutating func members(depth: Int) throws(Failure) -> [JSONNode.Member] {
        _ = advance()
        var members: [JSONNode.Member] = []
        var keys: Set<[UInt8]> = []
        try skipWhiteSpace()
        if peek == "}" {
            _ = advance()
            return members
        }
        while true {
            guard peek == "\"" else { throw unexpected }
            let keyPlace = place
            let key = try string()
            guard keys.insert(Array(key.utf8)).inserted else {
                throw Failure(problem: .duplicateKey(key), place: keyPlace)
            }
            try skipWhiteSpace()
            guard peek == ":" else { throw unexpected }
            _ = advance()
            try skipWhiteSpace()
            let value = try node(depth: depth + 1)
            members.append(JSONNode.Member(key: key, keyPlace: keyPlace, value: value))
            if try isLast(closing: "}") { return members }
        }
    }

    private mutating func elements(depth: Int) throws(Failure) -> [JSONNode] {
        _ = advance()
        var elements: [JSONNode] = []
        try skipWhiteSpace()
        if peek == "]" {
            _ = advance()
            return elements
        }
        while true {
            elements.append(try node(depth: depth + 1))
            if try isLast(closing: "]") { return elements }
        }
    }

    /// Steps over the comma to the next element, or over the bracket that closes.
    private mutating func isLast(closing: Unicode.Scalar) throws(Failure) -> Bool {
        try skipWhiteSpace()
        if peek == closing {
            _ = advance()
            return true
        }
        guard peek == "," else { throw unexpected }
        _ = advance()
        try skipWhiteSpace()
        return false
    }

    private mutating func word(_ word: String, _ content: JSONNode.Content) throws(Failure) -> JSONNode.Content {
        for scalar in word.unicodeScalars {
            guard peek == scalar else { throw unexpected }
            _ = advance()
        }
        return content
    }

    private mutating func number() throws(Failure) -> String {
        let start = index
        if peek == "-" { _ = advance() }
        if peek == "0" { _ = advance() } else { try digits() }
        if peek == "." {
            _ = advance()
            try digits()
        }
        if peek == "e" || peek == "E" {
            _ = advance()
            if peek == "+" || peek == "-" { _ = advance() }
            try digits()
        }
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars[start..<index])
        return text
    }

    private mutating func digits() throws(Failure) {
        guard let first = peek, "0"..."9" ~= first else { throw unexpected }
        while let scalar = peek, "0"..."9" ~= scalar { _ = advance() }
    }

    private mutating func string() throws(Failure) -> String {
        _ = advance()
        var text = String.UnicodeScalarView()
        while true {
            guard let scalar = peek, scalar.value >= 0x20 else { throw unexpected }
            switch scalar {
            case "\"":
                _ = advance()
                return String(text)
            case "\\": text.append(try escape())
            default:
                _ = advance()
                text.append(scalar)
            }
        }
    }

    private mutating func escape() throws(Failure) -> Unicode.Scalar {
        let start = place
        _ = advance()
        guard let letter = peek else { throw unexpected }
        let plain: [Unicode.Scalar: Unicode.Scalar] = [
            "\"": "\"", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r", "t": "\t",
        ]
        if let scalar = plain[letter] {
            _ = advance()
            return scalar
        }
        guard letter == "u" else { throw unexpected }
        _ = advance()
        let first = try codeUnit()
        guard 0xD800...0xDFFF ~= first else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
        guard first < 0xDC00, peek == "\\", index + 1 < scalars.count, scalars[index + 1] == "u" else {
            throw Failure(problem: .loneSurrogate, place: start)
        }
        _ = advance()
        _ = advance()
        let second = try codeUnit()
        guard 0xDC00...0xDFFF ~= second,
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw Failure(problem: .loneSurrogate, place: start) }
        return scalar
    }

    private mutating func codeUnit() throws(Failure) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let scalar = peek, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
                throw unexpected
            }
            unit = unit << 4 | UInt32(digit)
            _ = advance()
        }
        return unit
    }

    private static func place(ofInvalidByteIn bytes: [UInt8]) -> TextPlace {
        var valid = bytes.count
        do {
            _ = try UTF8Span(validating: bytes.span)
        } catch {
            valid = error.byteOffsets.lowerBound
        }
        let before = bytes[..<valid]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = before.reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        let column = String(decoding: before[lineStart...], as: UTF8.self).unicodeScalars.count + 1
        return TextPlace(line: line, column: column)
    }
}
