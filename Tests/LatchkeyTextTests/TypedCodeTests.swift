import LatchkeySecrets
import LatchkeyText
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct TypedCodeTests {
    private func symbols(_ typed: String, limit: Int = 8) -> String? {
        TypedCode.symbols(of: Secret(typed), limit: limit).map { secret in
            secret.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
        }
    }

    @Test(arguments: [
        ("12ab", "12ab"), ("", ""), ("１２ＡＢａｂ", "12ABab"), ("٠١٢", "012"), ("𝟗𝟎", "90"), ("1\u{A0}2", "12"),
        ("1_2.3,4", "1234"), ("1–2—3−4", "1234"), ("1\u{200B}2\u{AD}3", "123"), ("1\u{3000}2", "12"), ("١٢-ab", "12ab"),
    ])
    func `symbols are ASCII and separators are left out`(typed: String, expected: String) {
        #expect(symbols(typed) == expected)
    }

    @Test(arguments: ["é", "1é", "1²", "½", "Ⅷ", "1+2", "1=2", "а1", "１２３４５６７８９", "123456789", "1\0"])
    func `other characters and too many symbols are refused`(typed: String) { #expect(symbols(typed) == nil) }

    @Test func `invalid UTF-8 is refused`() {
        let bytes: [UInt8] = [0x31, 0xFF]
        #expect(TypedCode.symbols(of: Secret(copying: bytes.span), limit: 8) == nil)
    }
}
