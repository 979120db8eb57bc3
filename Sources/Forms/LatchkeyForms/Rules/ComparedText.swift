import LatchkeyText

/// A string to compare values with, byte by byte in NFC. Two encodings of an accented letter are equal, but upper and
/// lower case differ.
struct ComparedText: Sendable {
    let text: String
    private let bytes: [UInt8]
    /// For each matched length, the length to continue with if the next byte differs.
    private let fallbacks: [Int]

    init(_ text: String) {
        self.text = text
        let bytes = Array(Normalization.nfc(text.utf8Span).utf8)
        var fallbacks = [0]
        var found = 0
        for byte in bytes.dropFirst() {
            while found > 0, byte != bytes[found] { found = fallbacks[found - 1] }
            if byte == bytes[found] { found += 1 }
            fallbacks.append(found)
        }
        self.bytes = bytes
        self.fallbacks = fallbacks
    }

    /// Whether `value` contains the string, in linear time (Knuth, Morris and Pratt, 1977).
    func isPart(of value: UTF8Span) -> Bool {
        Normalization.withNFC(of: value) { value in
            var found = 0
            for index in value.indices where found < bytes.count {
                while found > 0, value[index] != bytes[found] { found = fallbacks[found - 1] }
                if value[index] == bytes[found] { found += 1 }
            }
            return found == bytes.count
        }
    }

    fileprivate func isEqual(toNFC value: Span<UInt8>) -> Bool {
        value.count == bytes.count && bytes.indices.allSatisfy { bytes[$0] == value[$0] }
    }
}

extension [ComparedText] {
    /// Whether `value` equals one of the strings.
    func contains(_ value: UTF8Span) -> Bool {
        Normalization.withNFC(of: value) { value in contains { $0.isEqual(toNFC: value) } }
    }
}
