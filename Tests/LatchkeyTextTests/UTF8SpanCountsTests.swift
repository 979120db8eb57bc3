import LatchkeyText
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct UTF8SpanCountsTests {
    // The three strings of S-4. With the wrong unit, one visible character could satisfy a minimum length.
    @Test(arguments: [
        (text: "a" + String(repeating: "\u{301}", count: 100_000), graphemes: 1, scalars: 100_001, units: 100_001),
        (text: "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}\u{200D}\u{1F466}", graphemes: 1, scalars: 7, units: 11),
        (text: "\r\n", graphemes: 1, scalars: 2, units: 2),
        (text: "", graphemes: 0, scalars: 0, units: 0),
        (text: "abc", graphemes: 3, scalars: 3, units: 3),
        (text: "\u{1F1F5}\u{1F1F9}\u{1F1E9}\u{1F1EA}", graphemes: 2, scalars: 4, units: 8),
    ])
    func `graphemes, scalars and UTF-16 units are counted separately`(
        row: (text: String, graphemes: Int, scalars: Int, units: Int)
    ) {
        #expect(row.text.utf8Span.graphemeCount == row.graphemes)
        #expect(row.text.utf8Span.scalarCount == row.scalars)
        #expect(row.text.utf8Span.utf16Count == row.units)
    }

    @Test func `the counts of any string equal those of String`() {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<2_000 {
            let text = generator.text(upTo: 12)
            #expect(text.utf8Span.graphemeCount == text.count)
            #expect(text.utf8Span.scalarCount == text.unicodeScalars.count)
            #expect(text.utf8Span.utf16Count == text.utf16.count)
        }
    }

    @Test func `the counts of an ASCII string equal those of String`() {
        let breaks = ["\r\n\r\n", "\n\r", "\r\r\n", "\r\n\n", "a\r\nb\r", "\r\n\0"]
        for text in String.asciiSamples + breaks {
            #expect(text.utf8Span.graphemeCount == text.count, "\(text.debugDescription)")
        }
    }
}
