import LatchkeySecrets
import TestSupport
import Testing

/// Hexadecimal digits, base 32 and percent-encoding.
@Suite(.timeLimit(.minutes(60)))
struct EncodingTests {
    @Test func `bytes are converted to hexadecimal digits and back`() {
        let bytes = [UInt8](0...255)
        let text = Hexadecimal.text(of: bytes)
        #expect(text.hasPrefix("000102") && text.hasSuffix("fdfeff"))
        #expect(Hexadecimal.bytes(of: text) == bytes && Hexadecimal.bytes(of: text.uppercased()) == bytes)
        #expect(Hexadecimal.capitals(of: 0xA7) == Array("A7".utf8))
    }

    @Test(arguments: ["0", "0g", "0 ", "é", "+1", "0x"])
    func `invalid hexadecimal digits are refused`(text: String) { #expect(Hexadecimal.bytes(of: text) == nil) }

    /// RFC 4648, section 10.
    @Test(arguments: [("", ""), ("fooba", "MZXW6YTB"), ("foobafooba", "MZXW6YTBMZXW6YTB")])
    func `base 32 matches the published test vectors`(bytes: String, symbols: String) {
        let text = Base32.standard.text(of: bytes.utf8Span.span)
        #expect(text.isEqual(to: Secret(symbols)))
        for symbols in [symbols, symbols.lowercased()] {
            #expect(Base32.standard.bytes(of: symbols.utf8Span.span)?.isEqual(to: Secret(bytes)) == true)
        }
    }

    @Test func `base 32 refuses other symbols, and can separate groups of four`() {
        for text in ["MZXW6YT1", "MZXW 6YT", "MZXW6YT="] {
            #expect(Base32.standard.bytes(of: text.utf8Span.span) == nil)
        }
        let text = Base32.crockford.text(of: [UInt8](repeating: 0xFF, count: 5).span, separator: UInt8(ascii: "-"))
        #expect(text.isEqual(to: Secret("ZZZZ-ZZZZ")))
    }

    @Test func `percent-encoding encodes everything except unreserved and allowed characters`() {
        #expect(PercentEncoding.encoded("aZ09-._~") == "aZ09-._~")
        #expect(PercentEncoding.encoded("a b/é@+", allowing: "@+") == "a%20b%2F%C3%A9@+")
    }

    @Test(arguments: ["%", "%4", "%zz", "%00", "%FF"])
    func `percent-encoding that is incomplete, contains NUL or is not UTF-8 is refused`(text: String) {
        #expect(PercentEncoding.decoded(text.utf8) == nil)
    }
}
