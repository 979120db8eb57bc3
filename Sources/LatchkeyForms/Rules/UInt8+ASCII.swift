extension UInt8 {
    /// `0` to `9`.
    var isASCIIDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    /// `A` to `Z`, `a` to `z`.
    var isASCIILetter: Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20 }

    /// The small letter for a capital one, and anything else as it is.
    var asciiLowercased: UInt8 { isASCIILetter ? self | 0x20 : self }

    /// `0` to `9`, `A` to `F` in either case.
    var isASCIIHexDigit: Bool { isASCIIDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= self | 0x20 }

    /// What a digit is worth.
    var digitValue: Int { Int(self) - Int(UInt8(ascii: "0")) }
}
