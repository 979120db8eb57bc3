import LatchkeyText

extension JSONString {
    /// Appends `text` as a string with its quotation marks. Whatever a terminal must not see is escaped.
    static func encode(_ text: UTF8Span, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        let end = text.span.indices.first { !isPlain(text.span[$0]) } ?? text.count
        for index in 0..<end { bytes.append(text.span[index]) }
        if end < text.count {
            var scalars = text.makeUnicodeScalarIterator()
            scalars.reset(roundingBackwardsFrom: end)
            while let scalar = scalars.next() { encode(scalar, to: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a byte is a character that stands for itself.
    private static func isPlain(_ byte: UInt8) -> Bool {
        0x20..<0x7F ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func encode(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        switch scalar {
        case "\"": bytes.append(contentsOf: #"\""#.utf8)
        case "\\": bytes.append(contentsOf: #"\\"#.utf8)
        case "\n": bytes.append(contentsOf: #"\n"#.utf8)
        case "\r": bytes.append(contentsOf: #"\r"#.utf8)
        case "\t": bytes.append(contentsOf: #"\t"#.utf8)
        case _ where DisplayText.isUnfit(scalar):
            for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
                let digits = String(unit, radix: 16)
                bytes.append(contentsOf: (#"\u"# + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
            }
        default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}
