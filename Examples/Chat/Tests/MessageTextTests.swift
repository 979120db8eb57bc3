import Testing

@testable import chat

@Suite(.timeLimit(.minutes(60)))
struct MessageTextTests {
    @Test(arguments: ["", " ", "\n\t", "\u{3000}\u{A0}", "\u{0}\u{1B}"])
    func `a blank message is refused`(raw: String) {
        #expect(MessageText(raw) == nil)
    }

    @Test(arguments: [
        (" hello ", "hello"), ("two\nlines", "two\nlines"), ("a\r\nb\rc", "a\nb\nc"), ("a\n\n\n\nb\n", "a\n\nb"),
        ("a\tb", "a b"),
        ("a\u{1B}[2Jb", "a [2Jb"), ("  é  ü ", "é  ü"), ("0", "0"),
    ])
    func `blanks at the ends are trimmed, and control characters other than line breaks become spaces`(
        raw: String, text: String
    ) {
        #expect(MessageText(raw)?.text == text)
    }

    @Test func `a message has at most a thousand scalars`() {
        #expect(MessageText(String(repeating: "é", count: 1000)) != nil)
        #expect(MessageText(String(repeating: "e\u{301}", count: 501)) == nil)
        #expect(MessageText("x" + String(repeating: " ", count: 2000)) != nil)
    }
}
