/// The strict grammar of JSON (RFC 8259): no comments, no byte order mark, no duplicate keys, no lone surrogates, and a
/// bound on the nesting. Every value is checked, whether or not the caller reads it.
///
/// It stores only its offset. The caller passes the bytes, which must be valid UTF-8, to each call. The scanner returns
/// ranges, so that the caller decides what to copy.
package struct JSONScanner {
    /// The maximum nesting of arrays and objects.
    package static let maximumDepth = 32

    package struct Failure: Error, Equatable {
        package let problem: JSONProblem
        /// The byte offset of the error.
        package let offset: Int

        /// Whether the text could be read to its end: a key occurs twice, or an escape is half a character.
        package var isLate: Bool {
            switch problem {
            case .duplicateKey, .loneSurrogate: true
            default: false
            }
        }
    }

    /// The offset of the next byte.
    package private(set) var offset = 0
    /// The first failure that ``end(in:)`` reports, so that a caller can read the whole text before.
    private var late: Failure?

    /// Starts at the first byte.
    package init() {}

    /// Reads one object with optional white space around it, like ``members(in:depth:_:)``.
    package static func object(
        in bytes: Span<UInt8>, _ body: (inout JSONScanner, JSONString) throws(Failure) -> Void
    ) throws(Failure) {
        var scanner = JSONScanner()
        try scanner.begin(in: bytes)
        guard scanner.next(in: bytes) == UInt8(ascii: "{") else { throw scanner.unexpected(in: bytes) }
        try scanner.members(in: bytes, depth: 0, body)
        try scanner.end(in: bytes)
    }

    /// Skips white space before the value.
    package mutating func begin(in bytes: Span<UInt8>) throws(Failure) {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { throw failure(.byteOrderMark) }
        try skipWhiteSpace(in: bytes)
    }

    /// Refuses anything after the value, and any duplicate key or lone surrogate in it.
    package mutating func end(in bytes: Span<UInt8>) throws(Failure) {
        try skipWhiteSpace(in: bytes)
        guard offset == bytes.count else { throw failure(.afterEnd) }
        if let late { throw late }
    }

    /// The next byte, or 0 at the end, which is never allowed.
    package func next(in bytes: Span<UInt8>) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

    // MARK: Values

    /// Reads an object. Calls `body` after each key; `body` must read the value.
    package mutating func members(
        in bytes: Span<UInt8>, depth: Int, _ body: (inout JSONScanner, JSONString) throws(Failure) -> Void
    ) throws(Failure) {
        guard try !isEmpty(closing: UInt8(ascii: "}"), in: bytes, depth: depth) else { return }
        var keys = KeySet()
        repeat {
            guard next(in: bytes) == UInt8(ascii: "\"") else { throw unexpected(in: bytes) }
            let key = try string(in: bytes)
            if !keys.insert(key, in: bytes), late == nil {
                let text = (try? key.text(in: bytes)) ?? ""
                late = Failure(problem: .duplicateKey(text), offset: key.range.lowerBound - 1)
            }
            try skipWhiteSpace(in: bytes)
            guard next(in: bytes) == UInt8(ascii: ":") else { throw unexpected(in: bytes) }
            offset += 1
            try skipWhiteSpace(in: bytes)
            try body(&self, key)
        } while try hasMore(closing: UInt8(ascii: "}"), in: bytes)
    }

    /// Reads an array. Calls `body` before each element; `body` must read the element.
    package mutating func elements(
        in bytes: Span<UInt8>, depth: Int, _ body: (inout JSONScanner) throws(Failure) -> Void
    ) throws(Failure) {
        guard try !isEmpty(closing: UInt8(ascii: "]"), in: bytes, depth: depth) else { return }
        repeat { try body(&self) } while try hasMore(closing: UInt8(ascii: "]"), in: bytes)
    }

    /// Reads a string.
    package mutating func string(in bytes: Span<UInt8>) throws(Failure) -> JSONString {
        offset += 1
        let start = offset
        var hasEscapes = false
        while true {
            skipPlainCharacters(in: bytes)
            switch next(in: bytes) {
            case UInt8(ascii: "\""):
                offset += 1
                let string = JSONString(range: start..<(offset - 1), hasEscapes: hasEscapes)
                if hasEscapes, late == nil {
                    do throws(Failure) { try string.decode(in: bytes) { _ in } } catch { late = error }
                }
                return string
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try skipEscape(in: bytes)
            default: throw unexpected(in: bytes)
            }
        }
    }

    /// Reads a number and returns its range.
    package mutating func number(in bytes: Span<UInt8>) throws(Failure) -> Range<Int> {
        let start = offset
        if next(in: bytes) == UInt8(ascii: "-") { offset += 1 }
        if next(in: bytes) == UInt8(ascii: "0") { offset += 1 } else { try digits(in: bytes) }
        if next(in: bytes) == UInt8(ascii: ".") {
            offset += 1
            try digits(in: bytes)
        }
        if next(in: bytes) | 0x20 == UInt8(ascii: "e") {
            offset += 1
            let sign = next(in: bytes)
            if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { offset += 1 }
            try digits(in: bytes)
        }
        return start..<offset
    }

    /// Reads `true`, `false` or `null`; nil for `null`.
    package mutating func truth(in bytes: Span<UInt8>) throws(Failure) -> Bool? {
        let (word, value): (StaticString, Bool?) =
            switch next(in: bytes) {
            case UInt8(ascii: "t"): ("true", true)
            case UInt8(ascii: "f"): ("false", false)
            default: ("null", nil)
            }
        for letter in word.description.utf8 {
            guard next(in: bytes) == letter else { throw unexpected(in: bytes) }
            offset += 1
        }
        return value
    }

    /// Skips the next value.
    package mutating func skip(in bytes: Span<UInt8>, depth: Int) throws(Failure) {
        switch next(in: bytes) {
        case UInt8(ascii: "{"):
            try members(in: bytes, depth: depth) { (scanner, _) throws(Failure) in
                try scanner.skip(in: bytes, depth: depth + 1)
            }
        case UInt8(ascii: "["):
            try elements(in: bytes, depth: depth) { (scanner) throws(Failure) in
                try scanner.skip(in: bytes, depth: depth + 1)
            }
        case UInt8(ascii: "\""): _ = try string(in: bytes)
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): _ = try truth(in: bytes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try number(in: bytes)
        default: throw unexpected(in: bytes)
        }
    }

    // MARK: Refusals

    package func failure(_ problem: JSONProblem) -> Failure { Failure(problem: problem, offset: offset) }

    /// The failure for a character that is not allowed at the current position.
    package func unexpected(in bytes: Span<UInt8>) -> Failure {
        guard offset < bytes.count else { return failure(.unexpectedEnd) }
        let end = (offset + 1..<bytes.count).first { !UTF8.isContinuation(bytes[$0]) } ?? bytes.count
        return failure(.unexpected(String(decoding: (offset..<end).map { bytes[$0] }, as: UTF8.self)))
    }

    // MARK: Parts

    /// Enters an array or object and returns whether it is empty.
    private mutating func isEmpty(closing: UInt8, in bytes: Span<UInt8>, depth: Int) throws(Failure) -> Bool {
        guard depth < Self.maximumDepth else { throw failure(.tooDeep(maximum: Self.maximumDepth)) }
        offset += 1
        try skipWhiteSpace(in: bytes)
        guard next(in: bytes) == closing else { return false }
        offset += 1
        return true
    }

    /// Moves past the comma to the next element and returns true, or past the closing bracket and returns false.
    private mutating func hasMore(closing: UInt8, in bytes: Span<UInt8>) throws(Failure) -> Bool {
        try skipWhiteSpace(in: bytes)
        let byte = next(in: bytes)
        guard byte == closing || byte == UInt8(ascii: ",") else { throw unexpected(in: bytes) }
        offset += 1
        guard byte != closing else { return false }
        try skipWhiteSpace(in: bytes)
        return true
    }

    private mutating func skipWhiteSpace(in bytes: Span<UInt8>) throws(Failure) {
        while offset < bytes.count {
            switch bytes[offset] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): offset += 1
            case UInt8(ascii: "/"): throw failure(.comment)
            default: return
            }
        }
    }

    /// Moves to the next quotation mark, backslash or control character, eight bytes at a time.
    private mutating func skipPlainCharacters(in bytes: Span<UInt8>) {
        let ones: UInt64 = 0x0101_0101_0101_0101
        while offset + 8 <= bytes.count {
            let word = unsafe UInt64(
                littleEndian: bytes.bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
            let marks = word ^ ones &* UInt64(UInt8(ascii: "\""))
            let slashes = word ^ ones &* UInt64(UInt8(ascii: "\\"))
            // Each difference sets the high bit of the first byte that is below the subtrahend: below 1 for the bytes
            // that must be 0, and below 0x20 for control characters.
            let found = (marks &- ones) & ~marks | (slashes &- ones) & ~slashes | (word &- ones &* 0x20) & ~word
            let flags = found & (ones &* 0x80)
            offset += flags.trailingZeroBitCount / 8
            if flags != 0 { return }
        }
        while offset < bytes.count {
            let byte = bytes[offset]
            guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { return }
            offset += 1
        }
    }

    private mutating func digits(in bytes: Span<UInt8>) throws(Failure) {
        guard next(in: bytes).isASCIIDigit else { throw unexpected(in: bytes) }
        while next(in: bytes).isASCIIDigit { offset += 1 }
    }

    /// Moves past an escape. ``JSONString`` checks whether its code unit is a character.
    private mutating func skipEscape(in bytes: Span<UInt8>) throws(Failure) {
        offset += 1
        let letter = next(in: bytes)
        if letter == UInt8(ascii: "u") {
            offset += 1
            for _ in 0..<4 {
                guard next(in: bytes).isASCIIHexDigit else { throw unexpected(in: bytes) }
                offset += 1
            }
        } else {
            guard JSONString.unescaped(letter) != nil else { throw unexpected(in: bytes) }
            offset += 1
        }
    }
}

/// The keys of an object, compared byte by byte: `String` would treat two encodings of an accented letter as the same key.
private struct KeySet {
    /// The number of keys that are compared one by one, without allocating memory.
    private static let fewCount = 16

    private var few = InlineArray<16, JSONString>(repeating: JSONString(range: 0..<0, hasEscapes: false))
    private var count = 0
    private var many: Set<[UInt8]> = []

    /// - Returns: false if the set has the key already.
    mutating func insert(_ key: JSONString, in bytes: Span<UInt8>) -> Bool {
        guard count == Self.fewCount else {
            for index in 0..<count where Self.areEqual(few[index], key, in: bytes) { return false }
            few[count] = key
            count += 1
            return true
        }
        if many.isEmpty {
            for index in 0..<count { many.insert(Self.text(few[index], in: bytes)) }
        }
        return many.insert(Self.text(key, in: bytes)).inserted
    }

    /// The decoded key; as written if it has a lone surrogate.
    private static func text(_ key: JSONString, in bytes: Span<UInt8>) -> [UInt8] {
        (try? key.text(in: bytes)).map { Array($0.utf8) } ?? key.range.map { bytes[$0] }
    }

    private static func areEqual(_ left: JSONString, _ right: JSONString, in bytes: Span<UInt8>) -> Bool {
        guard !left.hasEscapes, !right.hasEscapes else { return text(left, in: bytes) == text(right, in: bytes) }
        guard left.range.count == right.range.count else { return false }
        return left.range.indices.allSatisfy {
            bytes[$0] == bytes[$0 - left.range.lowerBound + right.range.lowerBound]
        }
    }
}
