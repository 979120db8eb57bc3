import LatchkeySecrets

/// Encodes non-ASCII header text as encoded words, in UTF-8 and base64 (RFC 2047).
enum EncodedWords {
    // The maximum length in characters of an encoded word, and of a line that contains one (RFC 2047, section 2).
    private static let maximumWord = 75
    private static let maximumLine = 76

    /// Whether `text` contains characters outside printable ASCII, or looks like an encoded word.
    static func areNeeded(for text: String) -> Bool {
        text.contains("=?") || !text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }

    /// The encoded words, one per line. Decoders ignore the line breaks between them.
    ///
    /// - Parameter column: the number of characters on the line before the first word.
    static func text(of text: String, behind column: Int) -> String {
        var words: [String] = []
        var bytes: [UInt8] = []
        var room = self.room(behind: column)
        for scalar in text.unicodeScalars {
            let encoded = Array(String(scalar).utf8)
            // A character must not be split between two words (RFC 2047, section 5).
            if bytes.count + encoded.count > room {
                words.append(word(bytes))
                bytes = []
                room = self.room(behind: 1)
            }
            bytes += encoded
        }
        words.append(word(bytes))
        return words.joined(separator: "\n ")
    }

    private static let (start, end) = ("=?utf-8?b?", "?=")

    /// The number of bytes that an encoded word can carry after `column`.
    private static func room(behind column: Int) -> Int {
        (min(maximumWord, maximumLine - column) - start.utf8.count - end.utf8.count) / 4 * 3
    }

    private static func word(_ bytes: [UInt8]) -> String {
        let padding = String(repeating: "=", count: (3 - bytes.count % 3) % 3)
        return start + UnpaddedBase64.text(of: bytes.span) + padding + end
    }
}
