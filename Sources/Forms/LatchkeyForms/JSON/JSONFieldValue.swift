import LatchkeySecrets

extension JSONScanner {
    /// Reads a member that must be a string and may occur only once. Otherwise, skips it and returns false.
    package mutating func once(_ string: inout JSONString?, in bytes: Span<UInt8>) throws(JSONScanner.Failure) -> Bool {
        guard next(in: bytes) == UInt8(ascii: "\""), string == nil else {
            try skip(in: bytes, depth: 1)
            return false
        }
        string = try self.string(in: bytes)
        return true
    }

    /// Reads an object with members that are strings, booleans or arrays of strings. Returns false for any other value.
    ///
    /// - Parameter take: called with each key and its value; returns false to refuse it.
    package mutating func values(
        in bytes: Span<UInt8>, _ take: (JSONString, JSONFieldValue) -> Bool
    ) throws(JSONScanner.Failure) -> Bool {
        guard next(in: bytes) == UInt8(ascii: "{") else {
            try skip(in: bytes, depth: 1)
            return false
        }
        var areValid = true
        try members(in: bytes, depth: 1) { (scanner, key) throws(JSONScanner.Failure) in
            let value: JSONFieldValue?
            switch scanner.next(in: bytes) {
            case UInt8(ascii: "\""): value = .string(try scanner.string(in: bytes))
            case UInt8(ascii: "t"), UInt8(ascii: "f"): value = try scanner.truth(in: bytes).map { .boolean($0) }
            case UInt8(ascii: "["): value = try scanner.list(in: bytes, depth: 2).map { .list($0) }
            default:
                value = nil
                try scanner.skip(in: bytes, depth: 2)
            }
            guard let value else {
                areValid = false
                return
            }
            if !take(key, value) { areValid = false }
        }
        return areValid
    }

    /// Reads an array of strings; nil if an element is not a string.
    package mutating func list(in bytes: Span<UInt8>, depth: Int) throws(JSONScanner.Failure) -> [String]? {
        var strings: [String]? = []
        try elements(in: bytes, depth: depth) { (scanner) throws(JSONScanner.Failure) in
            guard scanner.next(in: bytes) == UInt8(ascii: "\"") else {
                strings = nil
                return try scanner.skip(in: bytes, depth: depth + 1)
            }
            // Not within `strings?.append`, which would not read the string if an element before it was refused.
            let text = try scanner.string(in: bytes).text(in: bytes)
            strings?.append(text)
        }
        return strings
    }

    /// Reads an object of strings. Returns false for any other value.
    ///
    /// - Parameter take: called with each key and its string; returns false to refuse it.
    package mutating func strings(
        in bytes: Span<UInt8>, _ take: (JSONString, JSONString) -> Bool
    ) throws(JSONScanner.Failure) -> Bool {
        guard next(in: bytes) == UInt8(ascii: "{") else {
            try skip(in: bytes, depth: 1)
            return false
        }
        var areValid = true
        try members(in: bytes, depth: 1) { (scanner, key) throws(JSONScanner.Failure) in
            guard scanner.next(in: bytes) == UInt8(ascii: "\"") else {
                areValid = false
                return try scanner.skip(in: bytes, depth: 2)
            }
            if !take(key, try scanner.string(in: bytes)) { areValid = false }
        }
        return areValid
    }
}

/// The value of a field in a JSON object.
package enum JSONFieldValue {
    case string(JSONString)
    case boolean(Bool)
    case list([String])

    /// Whether a value of this type is valid for a field of this kind.
    package func suits(_ kind: FieldKind) -> Bool {
        switch self {
        case .string: kind != .boolean && kind != .choices
        case .boolean: kind == .boolean
        case .list: kind == .choices
        }
    }
}

/// Lends JSON strings as text. A string without escapes is lent in place. Other strings are decoded into a locked
/// buffer, because they may be secrets.
package struct JSONScratch: ~Copyable {
    private var buffer = SecretBytes(capacity: 0)

    /// Creates a buffer, which grows to the size of the longest string.
    package init() {}

    /// Calls `body` with the decoded string.
    ///
    /// - Parameter bytes: valid UTF-8.
    /// - Returns: false, without calling `body`, if the string contains a lone surrogate.
    package mutating func withText(of string: JSONString, in bytes: Span<UInt8>, _ body: (UTF8Span) -> Void) -> Bool {
        guard string.hasEscapes else {
            // Proof: the line is valid UTF-8 and the range begins and ends next to a quotation mark, never inside a
            // scalar.
            body(unsafe UTF8Span(unchecked: bytes.extracting(string.range)))
            return true
        }
        // An escape is never shorter than the character it represents.
        if buffer.capacity < string.range.count { buffer = SecretBytes(capacity: string.range.count) }
        defer { buffer.removeAll() }
        do throws(JSONScanner.Failure) {
            try string.decode(in: bytes) { _ = buffer.append($0) }
        } catch {
            return false
        }
        buffer.withBytes { body(unsafe UTF8Span(unchecked: $0)) }
        return true
    }
}
