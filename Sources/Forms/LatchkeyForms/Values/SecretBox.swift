import LatchkeySecrets

/// A reference to secret bytes. It is needed because an enum case cannot contain a noncopyable value and be shared.
final class SecretBox {
    var bytes: SecretBytes

    init(capacity: Int) { bytes = SecretBytes(capacity: capacity) }

    func withText<Result>(_ body: (UTF8Span) -> Result) -> Result {
        bytes.withBytes { bytes in
            guard let text = try? UTF8Span(validating: bytes) else { return body("".utf8Span) }
            return body(text)
        }
    }

    /// Moves the bytes out and leaves the box empty.
    func take() -> Secret {
        var taken = SecretBytes(capacity: 0)
        swap(&bytes, &taken)
        return Secret(taken)
    }

    /// Inserts bytes, which must be nonempty UTF-8 without NUL. Returns false if they do not fit.
    func insert(_ inserted: Span<UInt8>, at offset: Int) -> Bool {
        guard !inserted.isEmpty, (try? UTF8Span(validating: inserted)) != nil,
            !inserted.indices.contains(where: { inserted[$0] == 0 })
        else { return false }
        return bytes.replaceSubrange(offset..<offset, with: inserted)
    }

    func remove(_ range: Range<Int>) { _ = bytes.replaceSubrange(range, with: Span()) }

    /// The byte offset of the grapheme at `index`, clamped to the text.
    func offset(ofGrapheme index: Int) -> Int {
        withText { text in
            var characters = text.makeCharacterIterator()
            for _ in 0..<max(index, 0) where characters.skipForward() == 0 { break }
            return characters.currentCodeUnitOffset
        }
    }

    /// The number of graphemes that start before byte `offset`.
    func graphemes(upTo offset: Int) -> Int {
        withText { text in
            var characters = text.makeCharacterIterator()
            var count = 0
            while characters.currentCodeUnitOffset < offset, characters.skipForward() > 0 { count += 1 }
            return count
        }
    }

    /// The byte offset of the start of the word before byte `offset`. White space after the word counts as part of it.
    func wordStart(before offset: Int) -> Int {
        withText { text in
            let before = String(copying: text).utf8.prefix(offset)
            let word = String(decoding: before, as: UTF8.self).reversed().drop(while: \.isWhitespace)
            return word.drop { !$0.isWhitespace }.reduce(0) { $0 + $1.utf8.count }
        }
    }
}
