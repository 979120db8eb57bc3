import LatchkeyText
import Testing

@testable import LatchkeyTerminal

/// Redacted text has the shape of the secret, and reveals nothing else.
@Suite(.timeLimit(.minutes(60)))
struct RedactedTextTests {
    /// A few thousand scalars of all planes, because all of them take a minute.
    private static var scalars: [Unicode.Scalar] {
        let some = [
            Array(0x80...0x37F), Array(stride(from: UInt32(0x380), to: 0x3100, by: 7)),
            Array(stride(from: UInt32(0x3100), to: 0x1F000, by: 211)),
            Array(stride(from: UInt32(0x1F000), to: 0x1FB00, by: 7)),
            Array(stride(from: UInt32(0x1FB00), to: 0x110000, by: 4099)),
        ]
        return some.joined().compactMap(Unicode.Scalar.init)
    }

    @Test func `every shape in Unicode has a representative`() {
        let known = Set(RedactedText.representatives.map(ScalarShape.init))
        // The shape of most ASCII characters, and 56 more.
        #expect(known.count == 57)
        let missing = Self.scalars.filter { !"\u{200C}\u{200D}".unicodeScalars.contains($0) }.filter {
            !known.contains(ScalarShape($0))
        }
        #expect(missing.isEmpty, "\(missing.map { String($0.value, radix: 16) })")
    }

    @Test(arguments: [
        "correct horse battery", "Tr0ub4dor&3", "naïve café", "e\u{301}e\u{301}", "中文パスワード", "👨‍👩‍👧‍👦x👍🏽", "🇵🇹🇧🇷🇵",
        "한국어 각ᆨ", "\u{915}\u{94D}\u{937}", "סיסמה", "1\u{FE0F}\u{20E3}2", "❤\u{FE0F}❤", "a\u{1B}[31m\u{9}b",
        "\u{AD}\u{202E}x",
        "\u{600}1", "é\u{1D165}𝐱",
    ])
    func `a redacted text has the shape of the secret and none of its characters that a field accepts`(secret: String) {
        let redacted = RedactedText.text(for: secret.utf8Span)
        #expect(redacted.utf8.count == secret.utf8.count)
        #expect(redacted.unicodeScalars.count == secret.unicodeScalars.count)
        #expect(redacted.map(\.unicodeScalars.count) == secret.map(\.unicodeScalars.count))
        #expect(widths(redacted) == widths(secret))
        // Redacting again changes nothing.
        #expect(RedactedText.text(for: redacted.utf8Span).utf8.elementsEqual(redacted.utf8))
        for (own, other) in zip(redacted.unicodeScalars, secret.unicodeScalars) where own == other {
            #expect(
                RedactedText.representatives.contains(own) || "\u{200D}\u{200C}\u{FE0F}".unicodeScalars.contains(own))
        }
    }

    private func widths(_ text: String) -> [Int] { text.map { CellWidth.of(TerminalEscaper.visible(String($0))) } }

    @Test func `all printable ASCII characters are redacted alike`() {
        let all = String(String.UnicodeScalarView((0x20...0x7E).compactMap(Unicode.Scalar.init)))
        #expect(RedactedText.text(for: all.utf8Span) == String(repeating: "x", count: 95))
    }

    @Test func `redacted bytes that are not text keep their number and line breaks`() {
        #expect(RedactedText.bytes(for: [0x61, 0xC3, 0, 0x0A, 0x62].span) == [0xFF, 0xFF, 0, 0x0A, 0xFF])
    }
}
