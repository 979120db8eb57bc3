import LatchkeySecrets
import LatchkeyText

/// The range of a string between its quotation marks. The scanner has already checked the syntax of escapes.
package struct JSONString {
    package let range: Range<Int>
    package let hasEscapes: Bool

    /// Passes the decoded UTF-8 of the string to `put`, byte by byte.
    ///
    /// - Throws: at a lone surrogate, which is not a valid character.
    package func decode(in bytes: Span<UInt8>, _ put: (UInt8) -> Void) throws(JSONScanner.Failure) {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            guard byte == UInt8(ascii: "\\") else {
                put(byte)
                index += 1
                continue
            }
            if let plain = Self.unescaped(bytes[index + 1]) {
                put(plain)
                index += 2
                continue
            }
            guard let (scalar, count) = scalar(at: index, in: bytes) else {
                throw JSONScanner.Failure(problem: .loneSurrogate, offset: index)
            }
            for byte in Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter { put(byte) }
            index += count
        }
    }

    /// Whether the raw string equals `text`, byte for byte.
    package func isWritten(_ text: [UInt8], in bytes: Span<UInt8>) -> Bool {
        if hasEscapes { return (try? Array(self.text(in: bytes).utf8)) == text }
        guard range.count == text.count else { return false }
        for index in text.indices where text[index] != bytes[range.lowerBound + index] { return false }
        return true
    }

    /// The string as a `String`. Do not use it for secrets.
    package func text(in bytes: Span<UInt8>) throws(JSONScanner.Failure) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(range.count)
        try decode(in: bytes) { decoded.append($0) }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// The character that a backslash and `letter` represent; nil for `\u` and for invalid escapes.
    package static func unescaped(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: nil
        }
    }

    /// The scalar of one or two `\u` escapes at `index`, and their length in bytes; nil for a lone surrogate.
    private func scalar(at index: Int, in bytes: Span<UInt8>) -> (Unicode.Scalar, Int)? {
        let first = Self.codeUnit(at: index + 2, in: bytes)
        if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
        guard first < 0xDC00, index + 12 <= range.upperBound, bytes[index + 6] == UInt8(ascii: "\\"),
            bytes[index + 7] == UInt8(ascii: "u")
        else { return nil }
        let second = Self.codeUnit(at: index + 8, in: bytes)
        guard 0xDC00...0xDFFF ~= second else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)).map { ($0, 12) }
    }

    private static func codeUnit(at start: Int, in bytes: Span<UInt8>) -> UInt32 {
        var unit: UInt32 = 0
        for index in start..<(start + 4) {
            let digit = bytes[index]
            unit = unit << 4 | UInt32(digit.isASCIIDigit ? digit & 0xF : (digit | 0x20) - UInt8(ascii: "a") + 10)
        }
        return unit
    }
}

extension JSONString {
    /// Appends `text` as a JSON string. Characters that could control a terminal are escaped.
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

    /// Whether the byte needs no escape.
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
                let digits = Hexadecimal.text(of: [UInt8(unit >> 8), UInt8(unit & 0xFF)])
                bytes.append(contentsOf: (#"\u"# + digits).utf8)
            }
        default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}
