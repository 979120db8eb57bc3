/// Digits that may stand in groups, as they do on cards and books.
enum GroupedDigits {
    /// How many digits there are; nil where anything else is there but single spaces and hyphens between them.
    static func count(in bytes: Span<UInt8>, isDigit: (UInt8) -> Bool) -> Int? {
        var count = 0
        var followsDigit = false
        for index in bytes.indices {
            if isDigit(bytes[index]) {
                count += 1
                followsDigit = true
            } else {
                guard followsDigit, isSeparator(bytes[index]) else { return nil }
                followsDigit = false
            }
        }
        return followsDigit ? count : nil
    }

    /// A space or a hyphen.
    static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-") }
}
