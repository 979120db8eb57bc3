import Foundation
import LatchkeyText
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct NormalizationTests {
    struct Row: Decodable, Sendable {
        let value: String
        let nfc: String
        let why: String
    }

    /// S-12.
    @Test(arguments: try Fixture.rows(of: Row.self, in: "text/nfc.jsonl"))
    func `text is normalized to NFC as in the table`(row: Row) {
        #expect(Normalization.nfc(row.value.utf8Span).bytes == row.nfc.bytes, "\(row.why)")
        #expect(Normalization.nfc(row.nfc.utf8Span).bytes == row.nfc.bytes, "\(row.why)")
        let lent = Normalization.withNFC(of: row.value.utf8Span) { bytes in bytes.indices.map { bytes[$0] } }
        #expect(lent == row.nfc.bytes, "\(row.why)")
    }

    private static let published = "/usr/share/unicode/NormalizationTest.txt.bz2"

    /// S-12: the test file of UAX #15, from the Debian package unicode-data. In each row the first three columns
    /// compose to the second, and the last two to the fourth.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: published), "the package unicode-data is not here"))
    func `every line of Unicode's normalization test is composed as specified`() throws {
        let process = SpawnedProcess()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["bzip2", "--decompress", "--stdout", Self.published]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        var compared = 0
        for line in text.split(separator: "\n") where line.first?.isHexDigit == true {
            let columns = line.split(separator: ";").prefix(5).map { column in
                var scalars = String.UnicodeScalarView()
                for number in column.split(separator: " ") {
                    if let scalar = UInt32(number, radix: 16).flatMap(Unicode.Scalar.init) { scalars.append(scalar) }
                }
                return String(scalars)
            }
            guard columns.count == 5, columns.allSatisfy({ $0.unicodeScalars.allSatisfy(isOldEnough) }) else {
                continue
            }
            compared += 1
            for (column, composed) in [(0, 1), (1, 1), (2, 1), (3, 3), (4, 3)] {
                let found = Normalization.nfc(columns[column].utf8Span).bytes
                guard found == columns[composed].bytes else {
                    Issue.record("\(line)")
                    continue
                }
            }
        }
        #expect(compared > 18_000)
    }

    // Foundation uses the tables of ICU. Both implementations must agree on each scalar and its decomposition, because
    // the test file does not contain all of them.
    @Test func `each scalar is normalized like in Foundation`() {
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

    @Test func `random strings are normalized to NFC like in Foundation`() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<5_000 {
            let text = generator.text(upTo: 12)
            guard text.unicodeScalars.allSatisfy(isOldEnough) else { continue }
            // Foundation of Swift 6.3 leaves U+AC00 U+11A8 as they are, but composes them from their parts.
            let expected = text.decomposedStringWithCanonicalMapping.precomposedStringWithCanonicalMapping
            #expect(Normalization.nfc(text.utf8Span).bytes == expected.bytes, "\(text.unicodeScalars.map(\.notation))")
        }
    }

    /// Whether Unicode 14 assigns the scalar, so that both implementations know it.
    private func isOldEnough(_ scalar: Unicode.Scalar) -> Bool {
        guard let age = scalar.properties.age else { return true }
        return age.major <= 14
    }

    @Test(
        arguments: [
            ("ü", "u"), ("Å", "A"), ("ế", "e"), ("e\u{301}", "e"), ("z", "z"), ("ß", nil), ("日", nil), ("1", nil),
        ] as [(String, Character?)])
    func `the letter below the marks`(text: String, letter: Character?) {
        #expect(text.first.flatMap(Normalization.baseLetter) == letter)
    }
}
