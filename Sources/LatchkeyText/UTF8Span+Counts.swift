/// Lengths of a text in the units that rules name, without a `String` or a `Character`: fit for secrets.
extension UTF8Span {
    /// Extended grapheme clusters (UAX #29), as `String.count` counts them.
    public var graphemeCount: Int {
        var text = self
        if text.checkForASCII() { return asciiGraphemeCount }
        var characters = makeCharacterIterator()
        return characters.skipForward(by: count)
    }

    /// Of ASCII only CR LF is one cluster of two (UAX #29, GB3).
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

    /// Unicode scalars: what NIST SP 800-63B-4, section 3.1.1.2, counts in a password.
    public var scalarCount: Int {
        var total = 0
        for index in 0..<count where !UTF8.isContinuation(span[index]) { total += 1 }
        return total
    }

    /// UTF-16 code units.
    public var utf16Count: Int {
        var total = 0
        for index in 0..<count where !UTF8.isContinuation(span[index]) {
            // Four bytes of UTF-8, begun by F0–F4, are a surrogate pair.
            total += span[index] >= 0xF0 ? 2 : 1
        }
        return total
    }
}
