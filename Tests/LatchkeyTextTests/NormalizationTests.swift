import Foundation
import LatchkeyText
import TestSupport
import Testing

struct NormalizationTests {
    struct Row: Decodable, Sendable {
        let value: String
        let nfc: String
        let why: String
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "text/nfc.jsonl"))
    func `a text is composed as the table says`(row: Row) {
        #expect(Normalization.nfc(row.value.utf8Span).bytes == row.nfc.bytes, "\(row.why)")
        #expect(Normalization.nfc(row.nfc.utf8Span).bytes == row.nfc.bytes, "\(row.why)")
    }

    // Foundation has its own tables, from ICU: two implementations that agree on each scalar and on what it decomposes
    // to stand in for NormalizationTest.txt, which is 2.6 MB.
    @Test func `each scalar is composed as Foundation composes it`() {
        var compared = 0
        for scalar in Unicode.Scalar.telling where isOldEnough(scalar) {
            compared += 1
            let text = String(scalar)
            let apart = text.decomposedStringWithCanonicalMapping
            let expected = text.precomposedStringWithCanonicalMapping.bytes
            guard Normalization.nfc(text.utf8Span).bytes == expected,
                Normalization.nfc(apart.utf8Span).bytes == expected
            else {
                Issue.record("\(scalar.notation)")
                continue
            }
        }
        #expect(compared > 40_000)
    }

    @Test func `random texts are composed as Foundation composes them`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<5_000 {
            let text = generator.text(upTo: 12)
            guard text.unicodeScalars.allSatisfy(isOldEnough) else { continue }
            // Foundation of Swift 6.3 leaves U+AC00 U+11A8 as they are, but composes them from their parts.
            let expected = text.decomposedStringWithCanonicalMapping.precomposedStringWithCanonicalMapping
            #expect(Normalization.nfc(text.utf8Span).bytes == expected.bytes, "\(text.unicodeScalars.map(\.notation))")
        }
    }

    /// Whether Unicode 14 has it, and so both sides know it.
    private func isOldEnough(_ scalar: Unicode.Scalar) -> Bool {
        guard let age = scalar.properties.age else { return true }
        return age.major <= 14
    }
}
