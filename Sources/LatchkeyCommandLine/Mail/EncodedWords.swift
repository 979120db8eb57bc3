import LatchkeySecrets

/// Text in the head of a message that mail cannot carry as it stands, as words in UTF-8 and base64 (RFC 2047).
enum EncodedWords {
    // RFC 2047, section 2: so many characters of a word, and of a line that has one.
    private static let maximumWord = 75
    private static let maximumLine = 76

    /// Whether `text` has anything but printable ASCII, or what would be read as such a word.
    static func areNeeded(for text: String) -> Bool {
        text.contains("=?") || !text.utf8.allSatisfy { 0x20...0x7E ~= $0 }
    }

    /// The words, each on a line of its own but the first; the white space between them is none of the text's.
    ///
    /// - Parameter column: how many characters stand before the first on its line.
    static func text(of text: String, behind column: Int) -> String {
        var words: [String] = []
        var bytes: [UInt8] = []
        var room = self.room(behind: column)
        for scalar in text.unicodeScalars {
            let encoded = Array(String(scalar).utf8)
            // No code point is in two words (RFC 2047, section 5).
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

    /// How many bytes a word holds that begins behind `column`.
    private static func room(behind column: Int) -> Int {
        (min(maximumWord, maximumLine - column) - start.utf8.count - end.utf8.count) / 4 * 3
    }

    private static func word(_ bytes: [UInt8]) -> String {
        let padding = String(repeating: "=", count: (3 - bytes.count % 3) % 3)
        return start + UnpaddedBase64.text(of: bytes.span) + padding + end
    }
}
