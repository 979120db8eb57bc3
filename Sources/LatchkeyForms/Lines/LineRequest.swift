/// What a line asks, as places in its bytes. A line that is an object in JSON's grammar is read to its end whatever is
/// wrong in it, so that the answer can carry its id.
struct LineRequest {
    private(set) var id: Int?
    /// Whether no member that is asked for has a wrong type or is there twice.
    private(set) var isSensible = true

    private static let idKey = Array("id".utf8)

    /// The same request, where something in it cannot be.
    var senseless: LineRequest {
        var request = self
        request.isSensible = false
        return request
    }

    /// Reads the line; nil where it is no object.
    ///
    /// - Parameters:
    ///   - needsID: whether it is senseless without an id that is an integer.
    ///   - member: called for each member but `id`, with its key; has to read the value, and answers whether it makes
    ///     sense.
    init?(
        _ line: Span<UInt8>, needsID: Bool = true,
        member: (inout JSONScanner, JSONString) throws(JSONScanner.Failure) -> Bool
    ) {
        guard (try? UTF8Span(validating: line)) != nil else { return nil }
        var isSensible = true
        var id: Int?
        var hasID = false
        do throws(JSONScanner.Failure) {
            try JSONScanner.object(in: line) { (scanner, key) throws(JSONScanner.Failure) in
                if key.isWritten(Self.idKey, in: line) {
                    if hasID { isSensible = false }
                    hasID = true
                    id = try Self.integer(at: &scanner, in: line)
                } else if try !member(&scanner, key) {
                    isSensible = false
                }
            }
        } catch {
            return nil
        }
        self.id = id
        self.isSensible = isSensible && (id != nil || !needsID)
    }

    /// The integer that begins here; nil, with the value read, where there is none or none that fits.
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
