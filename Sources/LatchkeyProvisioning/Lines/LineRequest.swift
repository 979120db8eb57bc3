import LatchkeyForms
import LatchkeySecrets

/// The id of a line, and whether its members are valid.
///
/// A line that is a JSON object is read to its end even if a member is wrong, so that the answer can repeat its id.
struct LineRequest {
    private(set) var id: Int?
    /// Whether the required members have the right type and occur once.
    private(set) var isValid = true

    private static let idKey = Array("id".utf8)

    /// The same request, marked as invalid.
    var invalid: LineRequest {
        var request = self
        request.isValid = false
        return request
    }

    /// Reads a line; nil if it is not a JSON object.
    ///
    /// - Parameters:
    ///   - needsID: whether a line without an integer id is invalid.
    ///   - member: called after the key of each member except `id`; reads the value and returns whether it is valid.
    init?(
        _ line: Span<UInt8>, needsID: Bool = true,
        member: (inout JSONScanner, JSONString) throws(JSONScanner.Failure) -> Bool
    ) {
        guard (try? UTF8Span(validating: line)) != nil else { return nil }
        var isValid = true
        var id: Int?
        var hasID = false
        do throws(JSONScanner.Failure) {
            try JSONScanner.object(in: line) { (scanner, key) throws(JSONScanner.Failure) in
                if key.isWritten(Self.idKey, in: line) {
                    if hasID { isValid = false }
                    hasID = true
                    id = try Self.integer(at: &scanner, in: line)
                } else if try !member(&scanner, key) {
                    isValid = false
                }
            }
        } catch {
            return nil
        }
        self.id = id
        self.isValid = isValid && (id != nil || !needsID)
    }

    /// Reads the value that begins here; nil if it is not an integer or does not fit.
    private static func integer(
        at scanner: inout JSONScanner, in line: Span<UInt8>
    ) throws(JSONScanner.Failure) -> Int? {
        let first = scanner.next(in: line)
        guard first == UInt8(ascii: "-") || first.isASCIIDigit else {
            try scanner.skip(in: line, depth: 1)
            return nil
        }
        let number = line.extracting(try scanner.number(in: line))
        let isNegative = first == UInt8(ascii: "-")
        var value = 0
        for index in (isNegative ? 1 : 0)..<number.count {
            guard number[index].isASCIIDigit else { return nil }
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let digit = number[index].digitValue
            let (sum, carries) = tens.addingReportingOverflow(isNegative ? -digit : digit)
            guard !overflow, !carries else { return nil }
            value = sum
        }
        return value
    }
}

extension JSONScanner {
    /// Reads a member that must be a string and occur once; false, after skipping it, if it is anything else.
    mutating func once(_ string: inout JSONString?, in line: Span<UInt8>) throws(JSONScanner.Failure) -> Bool {
        guard next(in: line) == UInt8(ascii: "\""), string == nil else {
            try skip(in: line, depth: 1)
            return false
        }
        string = try self.string(in: line)
        return true
    }

    /// Reads an object whose members are strings, booleans or arrays of strings; false if it or one of its members is
    /// anything else.
    ///
    /// - Parameter take: receives each key with its value, and returns false to refuse it.
    mutating func values(
        in line: Span<UInt8>, _ take: (JSONString, LineValue) -> Bool
    ) throws(JSONScanner.Failure) -> Bool {
        guard next(in: line) == UInt8(ascii: "{") else {
            try skip(in: line, depth: 1)
            return false
        }
        var areValid = true
        try members(in: line, depth: 1) { (scanner, key) throws(JSONScanner.Failure) in
            let value: LineValue?
            switch scanner.next(in: line) {
            case UInt8(ascii: "\""): value = .string(try scanner.string(in: line))
            case UInt8(ascii: "t"), UInt8(ascii: "f"): value = try scanner.truth(in: line).map { .boolean($0) }
            case UInt8(ascii: "["): value = try scanner.list(in: line, depth: 2).map { .list($0) }
            default:
                value = nil
                try scanner.skip(in: line, depth: 2)
            }
            guard let value else {
                areValid = false
                return
            }
            if !take(key, value) { areValid = false }
        }
        return areValid
    }

    /// Reads the array that begins here; nil if one of its elements is not a string.
    mutating func list(in bytes: Span<UInt8>, depth: Int) throws(JSONScanner.Failure) -> [String]? {
        var strings: [String]? = []
        try elements(in: bytes, depth: depth) { (scanner) throws(JSONScanner.Failure) in
            guard scanner.next(in: bytes) == UInt8(ascii: "\"") else {
                strings = nil
                return try scanner.skip(in: bytes, depth: depth + 1)
            }
            strings?.append(try scanner.string(in: bytes).text(in: bytes))
        }
        return strings
    }

    /// Reads an object of strings; false if it or one of its members is anything else.
    ///
    /// - Parameter take: receives each key with its string, and returns false to refuse it.
    mutating func strings(
        in line: Span<UInt8>, _ take: (JSONString, JSONString) -> Bool
    ) throws(JSONScanner.Failure) -> Bool {
        guard next(in: line) == UInt8(ascii: "{") else {
            try skip(in: line, depth: 1)
            return false
        }
        var areValid = true
        try members(in: line, depth: 1) { (scanner, key) throws(JSONScanner.Failure) in
            guard scanner.next(in: line) == UInt8(ascii: "\"") else {
                areValid = false
                return try scanner.skip(in: line, depth: 2)
            }
            if !take(key, try scanner.string(in: line)) { areValid = false }
        }
        return areValid
    }
}

/// The value of a field in a line.
enum LineValue {
    case string(JSONString)
    case boolean(Bool)
    case list([String])

    /// Whether a field of this kind takes a value of this type.
    func suits(_ kind: FieldKind) -> Bool {
        switch self {
        case .string: kind != .boolean && kind != .choices
        case .boolean: kind == .boolean
        case .list: kind == .choices
        }
    }
}

/// Lends JSON strings as text. Strings without escapes are lent in place. The others are decoded into a locked buffer,
/// because they may be secrets.
struct LineScratch: ~Copyable {
    private var buffer = SecretBytes(capacity: 0)

    /// Calls `body` with the text of a string.
    ///
    /// - Parameter line: valid UTF-8.
    /// - Returns: false, without calling `body`, if the string has a lone surrogate.
    mutating func withText(of string: JSONString, in line: Span<UInt8>, _ body: (UTF8Span) -> Void) -> Bool {
        guard string.hasEscapes else {
            // Proof: the line is valid UTF-8 and the range begins and ends next to a quotation mark, never inside a scalar.
            body(unsafe UTF8Span(unchecked: line.extracting(string.range)))
            return true
        }
        // An escape is at least as long as the character it encodes.
        if buffer.capacity < string.range.count { buffer = SecretBytes(capacity: string.range.count) }
        defer { buffer.removeAll() }
        do throws(JSONScanner.Failure) {
            try string.decode(in: line) { _ = buffer.append($0) }
        } catch {
            return false
        }
        buffer.withBytes { body(unsafe UTF8Span(unchecked: $0)) }
        return true
    }
}
