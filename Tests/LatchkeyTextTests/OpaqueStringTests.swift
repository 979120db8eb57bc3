import LatchkeySecrets
import LatchkeyText
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct OpaqueStringTests {
    struct Row: Decodable, Sendable {
        let value: String?
        /// The bytes in hexadecimal, if they are not UTF-8.
        let bytes: String?
        let prepared: String?
        let violation: String?
        let why: String

        var input: [UInt8] { value?.bytes ?? [UInt8](hexadecimal: bytes ?? "") }
    }

    /// S-12.
    @Test(arguments: try Fixture.rows(of: Row.self, in: "text/opaque-string.jsonl"))
    func `a password is prepared for verification as in the table`(row: Row) {
        switch outcome(row.input) {
        case .success(let prepared): #expect(prepared == row.prepared?.bytes, "\(row.why)")
        case .failure(let violation):
            #expect(row.prepared == nil, "\(row.why)")
            #expect("\(violation)" == row.violation, "\(row.why)")
        }
    }

    /// S-12, S-134.
    @Test(arguments: try Fixture.rows(of: Row.self, in: "text/opaque-string.jsonl"))
    func `a new password is accepted or refused as in the table`(row: Row) {
        guard let value = row.value else { return #expect(row.violation == "notUTF8", "\(row.why)") }
        #expect(OpaqueString.violation(in: value.utf8Span).map { "\($0)" } == row.violation, "\(row.why)")
    }

    @Test func `preparing a password twice has the same result as once`() throws {
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<5_000 {
            let text = generator.text(upTo: 8)
            let once = try outcome(text.bytes).get()
            #expect(try outcome(once).get() == once, "\(text.unicodeScalars.map(\.notation))")
        }
    }

    @Test func `a string and a secret with the same bytes are prepared alike`() throws {
        var generator = SeededGenerator(seed: 14)
        for _ in 0..<500 {
            let text = generator.text(upTo: 8)
            let fromValue = try OpaqueString.prepared(text.utf8Span)
            let fromSecret = try OpaqueString.prepared(Secret(copying: text.utf8Span.span))
            #expect(fromValue.isEqual(to: fromSecret))
        }
    }

    @Test(arguments: [
        ("PassWord1!", "password1!"), ("STRASSE", "strasse"), ("Stra\u{DF}e", "strasse"),
        ("\u{3A3}\u{3C2}", "\u{3C3}\u{3C3}"),
        ("\u{212A}", "k"), ("E\u{301}", "\u{E9}"), ("A\u{3000}B", "a b"), ("I\u{130}\u{131}", "ii\u{307}\u{131}"),
        ("", ""),
        ("\u{390}", "\u{390}"), (String(repeating: "\u{390}", count: 512), String(repeating: "\u{390}", count: 512)),
    ])
    func `passwords that differ only in case fold to the same bytes`(value: String, folded: String) throws {
        let secret = try OpaqueString.caseFolded(OpaqueString.prepared(value.utf8Span))
        #expect(secret.withBytes { bytes in bytes.indices.map { bytes[$0] } } == folded.bytes)
    }

    @Test func `passwords and blocklist words are folded alike`() throws {
        var generator = SeededGenerator(seed: 15)
        for text in String.asciiSamples + (0..<500).map({ _ in generator.text(upTo: 8) }) {
            let secret = try OpaqueString.caseFolded(OpaqueString.prepared(text.utf8Span))
            let word = try OpaqueString.caseFolded(word: text.utf8Span)
            #expect(secret.withBytes { bytes in bytes.indices.map { bytes[$0] } } == word, "\(text.debugDescription)")
        }
    }

    /// Locked memory is scarce, because each secret takes whole pages.
    @Test func `folding a password that does not change allocates no memory`() throws {
        let secret = Secret(copying: "correct horse".utf8Span.span)
        #expect(try OpaqueString.caseFolded(OpaqueString.prepared(secret)) === secret)
    }

    /// S-14.
    @Test func `invalid UTF-8 is refused, so that two inputs never become the same password`() {
        #expect(outcome([0x61, 0xFF]) == .failure(.notUTF8))
        #expect(outcome([0x61, 0xFE]) == .failure(.notUTF8))
    }

    /// S-5.
    @Test func `two passwords of maximum length that differ in the last byte stay different`() throws {
        let first = [UInt8](repeating: 0x61, count: OpaqueString.maximumByteCount)
        let second = Array(first.dropLast()) + [0x62]
        #expect(try outcome(first).get() != outcome(second).get())
    }

    @Test func `among ASCII characters only controls are refused in a password`() {
        for text in String.asciiSamples where !text.isEmpty {
            let hasControl = text.unicodeScalars.contains { $0.properties.generalCategory == .control }
            let expected: OpaqueString.Violation? = hasControl ? .controlCharacter : nil
            #expect(OpaqueString.violation(in: text.utf8Span) == expected, "\(text.debugDescription)")
        }
    }

    /// S-4.
    @Test func `the length of a password is counted after preparation`() throws {
        var generator = SeededGenerator(seed: 13)
        let spaces = ["\u{A0}\u{301}", "\u{3000}\u{3099}", "\u{2000}\u{338}", "e\u{301}", "\u{958}", "\u{1D160}"]
        for text in spaces + (0..<2_000).map({ _ in generator.text(upTo: 8) }) {
            let prepared = try OpaqueString.prepared(text.utf8Span).withBytes { bytes in
                bytes.indices.map { bytes[$0] }
            }
            let scalars = String(decoding: prepared, as: UTF8.self).unicodeScalars
            #expect(OpaqueString.scalarCount(of: text.utf8Span) == scalars.count, "\(text.debugDescription)")
        }
    }

    private func outcome(_ bytes: [UInt8]) -> Result<[UInt8], OpaqueString.Violation> {
        Result { () throws(OpaqueString.Violation) in
            try OpaqueString.prepared(Secret(copying: bytes.span)).withBytes { span in
                span.indices.map { span[$0] }
            }
        }
    }
}
