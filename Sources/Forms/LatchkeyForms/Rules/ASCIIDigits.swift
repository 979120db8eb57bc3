extension UInt8 {
    /// `0` to `9`.
    package var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    /// Whether the byte is `A` to `Z` or `a` to `z`.
    var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

    /// The lower-case letter for a capital letter; other bytes unchanged.
    var asciiLowercased: UInt8 { isASCIILetter ? self | 0x20 : self }

    /// Whether the byte is `0` to `9`, or `A` to `F` in upper or lower case.
    var isASCIIHexDigit: Bool { isASCIIDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20 }

    /// The value of an ASCII digit.
    package var digitValue: Int { Int(self) - Int(UInt8(ascii: "0")) }
}

/// Digits that may be grouped, such as those of payment cards and ISBNs.
enum GroupedDigits {
    /// The number of digits; nil if the separators are not single spaces or hyphens.
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
