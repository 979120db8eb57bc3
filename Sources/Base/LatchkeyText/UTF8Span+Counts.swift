/// Counts the length of text without creating a `String` or `Character`, so that it is safe for secrets.
extension UTF8Span {
    /// The number of extended grapheme clusters (UAX #29), like `String.count`.
    public var graphemeCount: Int {
        var text = self
        if text.checkForASCII() { return asciiGraphemeCount }
        var characters = makeCharacterIterator()
        return characters.skipForward(by: count)
    }

    /// The number of clusters in ASCII text. CR LF is the only cluster of two scalars (UAX #29, GB3).
    private var asciiGraphemeCount: Int {
        var total = count
        var previous: UInt8 = 0
        for index in 0..<count {
            let byte = span[index]
            if previous == UInt8(ascii: "\r"), byte == UInt8(ascii: "\n") { total -= 1 }
            previous = byte
        }
        return total
    }

    /// The number of Unicode scalars, the unit of NIST SP 800-63B-4, section 3.1.1.2, for passwords.
    public var scalarCount: Int {
        var total = 0
        for index in 0..<count where !UTF8.isContinuation(span[index]) { total += 1 }
        return total
    }

    /// The number of UTF-16 code units.
    public var utf16Count: Int {
        var total = 0
        for index in 0..<count where !UTF8.isContinuation(span[index]) {
            // A four-byte sequence, which begins with F0–F4, is a surrogate pair in UTF-16.
            total += span[index] >= 0xF0 ? 2 : 1
        }
        return total
    }
}
