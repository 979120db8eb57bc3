import LatchkeySecrets

/// Lends strings of JSON as texts. What has no escapes is lent where it stands; the rest is decoded into one locked
/// buffer, for it may be a secret.
struct LineScratch: ~Copyable {
    private var buffer = SecretBytes(capacity: 0)

    /// - Parameter line: valid UTF-8.
    /// - Returns: false, without a call of `body`, where the string has a lone surrogate.
    mutating func withText(of string: JSONString, in line: Span<UInt8>, _ body: (UTF8Span) -> Void) -> Bool {
        guard string.hasEscapes else {
            // Proof: a string begins and ends beside a quotation mark, which is never within a scalar.
            body(unsafe UTF8Span(unchecked: line.extracting(string.range)))
            return true
        }
        // An escape is never shorter than what it stands for.
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
