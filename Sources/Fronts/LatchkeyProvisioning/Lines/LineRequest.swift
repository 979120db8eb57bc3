import LatchkeyForms
import LatchkeySecrets

/// The ID of a line, and whether its members are valid.
///
/// A JSON object is read to its end even if a member is invalid, so that the response can contain its ID.
struct LineRequest {
    private(set) var id: Int?
    /// Whether the required members have the right type and occur only once.
    private(set) var isValid = true

    private static let idKey = Array("id".utf8)

    /// A copy of the request, marked as invalid.
    var invalid: LineRequest {
        var request = self
        request.isValid = false
        return request
    }

    /// Reads a line; nil if it is not a JSON object.
    ///
    /// - Parameters:
    ///   - needsID: whether a line without an integer ID is invalid.
    ///   - member: called after the key of each member except `id`. It reads the value and returns whether it is valid.
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
            // Such a line is refused with its id.
            guard error.isLate else { return nil }
            isValid = false
        }
        self.id = id
        self.isValid = isValid && (id != nil || !needsID)
    }

    /// Reads the next value; nil if it is not an integer or does not fit.
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
