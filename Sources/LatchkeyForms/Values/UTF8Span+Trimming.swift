extension UTF8Span {
    /// What is left, in bytes, without the white space at both ends.
    var trimmedRange: Range<Int> {
        // Most texts begin and end with a visible character of ASCII.
        if !isEmpty, 0x21..<0x7F ~= span[0], 0x21..<0x7F ~= span[count - 1] { return 0..<count }
        var scalars = makeUnicodeScalarIterator()
        var start = 0
        while let scalar = scalars.next(), scalar.properties.isWhitespace { start = scalars.currentCodeUnitOffset }
        scalars.reset(roundingBackwardsFrom: count)
        var end = count
        while end > start, let scalar = scalars.previous(), scalar.properties.isWhitespace {
            end = scalars.currentCodeUnitOffset
        }
        return start..<end
    }
}
