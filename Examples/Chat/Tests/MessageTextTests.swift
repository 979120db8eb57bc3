import Testing

@testable import chat

struct MessageTextTests {
    @Test(arguments: ["", " ", "\n\t", "\u{3000}\u{A0}", "\u{0}\u{1B}"])
    func `what says nothing is no message`(raw: String) {
        #expect(MessageText(raw) == nil)
    }

    @Test(arguments: [
        (" hello ", "hello"), ("two\nlines", "two lines"), ("a\u{1B}[2Jb", "a [2Jb"), ("  é  ü ", "é  ü"), ("0", "0"),
    ])
    func `blanks at the ends go, and what steers a terminal is a space`(raw: String, text: String) {
        #expect(MessageText(raw)?.text == text)
    }

    @Test func `a message has a thousand scalars at most`() {
        #expect(MessageText(String(repeating: "é", count: 1000)) != nil)
        #expect(MessageText(String(repeating: "e\u{301}", count: 501)) == nil)
        #expect(MessageText("x" + String(repeating: " ", count: 2000)) != nil)
    }
}
