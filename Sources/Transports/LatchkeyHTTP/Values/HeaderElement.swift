/// One element of a header, such as `en;q=0.5` or `for="[2001:db8::1]";proto=https`: parts with an optional value.
///
/// The separators may occur in quoted strings (RFC 9110, section 5.6.4), so a header is read from left to right and
/// never just split.
package struct HeaderElement: Equatable, Sendable {
    package struct Part: Equatable, Sendable {
        /// In lower case.
        package let name: String
        /// Without the quotation marks; nil if the part has no `=`.
        package let value: String?
    }

    /// At least one part.
    package let parts: [Part]

    /// The value of the first part with this name, in lower case; nil if there is none.
    package subscript(name: String) -> String? { parts.first { $0.name == name }?.value }

    /// Parses one element; nil if it is malformed.
    package init?(_ text: some StringProtocol) {
        var reader = Reader(rest: Array(text.utf8)[...])
        var parts: [Part] = []
        while true {
            reader.skipBlanks()
            if let part = reader.part() { parts.append(part) }
            reader.skipBlanks()
            guard let next = reader.rest.popFirst() else { break }
            guard next == UInt8(ascii: ";") else { return nil }
        }
        guard !parts.isEmpty else { return nil }
        self.parts = parts
    }

    /// Splits a comma-separated list. An empty or malformed element becomes nil.
    package static func list(_ text: String) -> [HeaderElement?] {
        var elements: [HeaderElement?] = []
        var start = text.utf8.startIndex
        var isQuoted = false
        var isEscaped = false
        for index in text.utf8.indices {
            let byte = text.utf8[index]
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = isQuoted
            } else if byte == UInt8(ascii: ","), !isQuoted {
                elements.append(HeaderElement(text[start..<index]))
                start = text.utf8.index(after: index)
            }
        }
        elements.append(HeaderElement(text[start...]))
        return elements
    }
}

extension HeaderElement {
    private struct Reader {
        var rest: ArraySlice<UInt8>

        mutating func skipBlanks() { rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

        /// Reads a part; nil if there is none.
        mutating func part() -> Part? {
            let name = word { $0.isTokenCharacter || $0 == UInt8(ascii: "/") }
            guard !name.isEmpty else { return nil }
            skipBlanks()
            guard rest.first == UInt8(ascii: "=") else { return Part(name: name.lowercased(), value: nil) }
            rest.removeFirst()
            skipBlanks()
            // Some proxies write an address with colons or brackets without quotation marks.
            let value = quoted() ?? word { $0 > 0x20 && $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: "\"") }
            return Part(name: name.lowercased(), value: value)
        }

        private mutating func word(_ isPart: (UInt8) -> Bool) -> String {
            let word = rest.prefix(while: isPart)
            rest = rest.dropFirst(word.count)
            return String(decoding: word, as: UTF8.self)
        }

        /// Reads a quoted string; nil if there is none, or none that ends. Then the opening quotation mark remains.
        private mutating func quoted() -> String? {
            guard rest.first == UInt8(ascii: "\"") else { return nil }
            var left = rest.dropFirst()
            var bytes: [UInt8] = []
            while let byte = left.popFirst() {
                switch byte {
                case UInt8(ascii: "\""):
                    rest = left
                    return String(decoding: bytes, as: UTF8.self)
                case UInt8(ascii: "\\"): if let escaped = left.popFirst() { bytes.append(escaped) }
                default: bytes.append(byte)
                }
            }
            return nil
        }
    }
}
