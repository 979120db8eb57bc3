import LatchkeySecrets
import Testing

@Suite(.timeLimit(.minutes(60)))
struct UnpaddedBase64Tests {
    // RFC 4648, section 10, without the padding.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"),
    ])
    func `strings and bytes match the published test vectors`(plain: String, text: String) {
        let plain = Array(plain.utf8)
        #expect(UnpaddedBase64.text(of: plain.span) == text)
        #expect(UnpaddedBase64.bytes(of: text.utf8) == plain)
        #expect(UnpaddedBase64.byteCount(of: text.utf8Span.span) == plain.count)
    }

    @Test func `every byte survives encoding and decoding`() {
        let all = Array(UInt8.min...UInt8.max)
        #expect(UnpaddedBase64.bytes(of: UnpaddedBase64.text(of: all.span).utf8) == all)
    }

    @Test func `bytes outside the alphabet are refused`() {
        let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
        for byte in UInt8.min...UInt8.max {
            for place in 0..<8 {
                var text = Array("AAAAAAAA".utf8)
                text[place] = byte
                #expect((UnpaddedBase64.bytes(of: text) != nil) == alphabet.contains(byte), "\(byte) at \(place)")
            }
        }
    }

    @Test(arguments: [
        "Zg==", "Zm8=", "Zh", "Zm9", "Z", "Zm9vY", "Zm 9v", "Zm9v\n", "Zm-v", "Zm_v", "Zm9v\0", "Żm9v", "=", "Zm9vYg=",
    ])
    func `a non-canonical encoding is refused`(text: String) {
        #expect(UnpaddedBase64.bytes(of: text.utf8) == nil)
        #expect(UnpaddedBase64.byteCount(of: text.utf8Span.span) == nil)
    }

    @Test func `bytes of any length survive encoding and decoding`() {
        for count in 0...70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ count) }
            let text = UnpaddedBase64.text(of: bytes.span)
            #expect(UnpaddedBase64.bytes(of: text.utf8) == bytes)
            #expect(UnpaddedBase64.byteCount(of: text.utf8Span.span) == count)
        }
    }
}
