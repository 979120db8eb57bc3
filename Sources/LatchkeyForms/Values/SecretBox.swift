import LatchkeySecrets

/// A home for secret bytes inside a dictionary, which holds no noncopyable values.
final class SecretBox {
    var bytes: SecretBytes

    init(capacity: Int) { bytes = SecretBytes(capacity: capacity) }

    func withText<Result>(_ body: (UTF8Span) -> Result) -> Result {
        bytes.withBytes { bytes in
            guard let text = try? UTF8Span(validating: bytes) else { return body("".utf8Span) }
            return body(text)
        }
    }

    func remove(_ range: Range<Int>) { _ = bytes.replaceSubrange(range, with: Span()) }

    /// Where grapheme number `index` starts, in bytes; at the ends it stays there.
    func offset(ofGrapheme index: Int) -> Int {
        withText { text in
            var characters = text.makeCharacterIterator()
            for _ in 0..<max(index, 0) where characters.skipForward() == 0 { break }
            return characters.currentCodeUnitOffset
        }
    }

    /// How many graphemes start before byte `offset`.
    func graphemes(upTo offset: Int) -> Int {
        withText { text in
            var characters = text.makeCharacterIterator()
            var count = 0
            while characters.currentCodeUnitOffset < offset, characters.skipForward() > 0 { count += 1 }
            return count
        }
    }

    /// Where the word before byte `offset` starts: white space is stepped over, and then what is none.
    func wordStart(before offset: Int) -> Int {
        withText { text in
            let before = String(copying: text).utf8.prefix(offset)
            let scalars = String(decoding: before, as: UTF8.self).unicodeScalars
            let word = scalars.reversed().drop { $0.properties.isWhitespace }
            let rest = word.drop { !$0.properties.isWhitespace }
            return rest.reduce(0) { $0 + UTF8.width($1) }
        }
    }
}
