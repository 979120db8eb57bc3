/// What a line asks of a rule, as places in its bytes.
struct RuleQuestion {
    private(set) var rule: JSONString?
    private(set) var value: JSONString?
    /// The whole object.
    private(set) var arguments: Range<Int>?
    private(set) var others: [Other] = []
    private var hasOthers = false

    struct Other {
        let key: JSONString
        let value: JSONString
    }

    private static let ruleKey = Array("rule".utf8)
    private static let valueKey = Array("value".utf8)
    private static let argsKey = Array("args".utf8)
    private static let valuesKey = Array("values".utf8)

    /// Reads the member that begins here, behind its key; false where it makes no sense. What nobody asks for is passed
    /// over.
    mutating func read(
        _ key: JSONString, at scanner: inout JSONScanner, in line: Span<UInt8>
    ) throws(JSONScanner.Failure) -> Bool {
        if key.isWritten(Self.ruleKey, in: line) { return try Self.read(&rule, at: &scanner, in: line) }
        if key.isWritten(Self.valueKey, in: line) { return try Self.read(&value, at: &scanner, in: line) }
        if key.isWritten(Self.argsKey, in: line) {
            let start = scanner.offset
            let isFirst = arguments == nil
            try scanner.skip(in: line, depth: 1)
            arguments = start..<scanner.offset
            return isFirst
        }
        if key.isWritten(Self.valuesKey, in: line) {
            let isFirst = !hasOthers
            hasOthers = true
            return try readOthers(at: &scanner, in: line) && isFirst
        }
        try scanner.skip(in: line, depth: 1)
        return true
    }

    private mutating func readOthers(
        at scanner: inout JSONScanner, in line: Span<UInt8>
    ) throws(JSONScanner.Failure) -> Bool {
        guard scanner.next(in: line) == UInt8(ascii: "{") else {
            try scanner.skip(in: line, depth: 1)
            return false
        }
        var areSensible = true
        try scanner.members(in: line, depth: 1) { (scanner, key) throws(JSONScanner.Failure) in
            guard scanner.next(in: line) == UInt8(ascii: "\""), others.count < FormDescription.maximumFields else {
                areSensible = false
                return try scanner.skip(in: line, depth: 2)
            }
            others.append(Other(key: key, value: try scanner.string(in: line)))
        }
        return areSensible
    }

    /// Reads a string that must be there once.
    private static func read(
        _ string: inout JSONString?, at scanner: inout JSONScanner, in line: Span<UInt8>
    ) throws(JSONScanner.Failure) -> Bool {
        guard scanner.next(in: line) == UInt8(ascii: "\""), string == nil else {
            try scanner.skip(in: line, depth: 1)
            return false
        }
        string = try scanner.string(in: line)
        return true
    }
}
