import TestSupport
import Testing

@testable import LatchkeyText

@Suite(.timeLimit(.minutes(60)))
struct TerminalEscaperTests {
    struct Row: Decodable, Sendable {
        let value: String?
        /// The bytes in hexadecimal, if they are not UTF-8.
        let bytes: String?
        let visible: String
        let why: String
    }

    /// S-121.
    @Test(arguments: try Fixture.rows(of: Row.self, in: "text/terminal-escaper.jsonl"))
    func `text is escaped as in the table`(row: Row) {
        let bytes = row.value?.bytes ?? [UInt8](hexadecimal: row.bytes ?? "")
        #expect(TerminalEscaper.visible(bytes.span).bytes == row.visible.bytes, "\(row.why)")
        if let value = row.value {
            #expect(TerminalEscaper.visible(value).bytes == row.visible.bytes, "\(row.why)")
        }
        #expect(TerminalEscaper.visible(row.visible).bytes == row.visible.bytes, "\(row.why)")
    }

    /// S-121.
    @Test func `escaped random bytes contain nothing unsafe`() {
        var generator = SeededGenerator(seed: 121)
        for _ in 0..<3_000 {
            let bytes = (0..<Int.random(in: 0...64, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            expectHarmless(TerminalEscaper.visible(bytes.span), from: "\(bytes)")
        }
    }

    /// S-121.
    @Test func `escaped random strings contain nothing unsafe`() {
        var generator = SeededGenerator(seed: 122)
        for _ in 0..<3_000 {
            let text = generator.text(upTo: 16)
            expectHarmless(TerminalEscaper.visible(text), from: "\(text.unicodeScalars.map(\.notation))")
        }
    }

    /// S-121.
    @Test func `every scalar is escaped unless it is safe`() {
        for scalar in Unicode.Scalar.telling {
            let shown = TerminalEscaper.visible(String(scalar))
            let isEscaped = shown.utf8.elementsEqual("\\u{\(String(scalar.value, radix: 16, uppercase: true))}".utf8)
            guard isForbidden(scalar) ? isEscaped : isEscaped || shown.utf8.elementsEqual(String(scalar).utf8) else {
                Issue.record("\(scalar.notation)")
                continue
            }
        }
    }

    @Test func `long text is escaped in linear time`() {
        let bytes = [UInt8](repeating: 0x9B, count: 100_000)
        #expect(TerminalEscaper.visible(bytes.span).utf8.count == 400_000)
    }

    private func expectHarmless(_ shown: String, from source: @autoclosure () -> String) {
        // Joiners are allowed in some positions, which are checked below.
        let found = shown.unicodeScalars.filter { isForbidden($0) && !["\u{200C}", "\u{200D}"].contains($0) }
        #expect(found.isEmpty, "\(source())")
        let scalars = Array(shown.unicodeScalars)
        #expect(!scalars.indices.contains { DisplayText.isUnfit($0, in: scalars) })
    }

    /// The set of S-119, defined independently with properties of the standard library.
    private func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200B...0x200F, 0x2028...0x202E, 0x2060, 0x2066...0x2069, 0xFEFF,
            0xE0000...0xE007F:
            return true
        default: break
        }
        switch scalar.properties.generalCategory {
        case .control, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }
}
