import LatchkeyForms
import Testing

@Suite(.timeLimit(.minutes(60)))
struct TranslationTests {
    private let english = MessageTable(sentences: [
        "hello": "Hello, {name}", "files": "{count} files", "files.one": "1 file", "rule.short": "Too short",
    ])

    private func refusals(_ text: String) throws -> [String] {
        let read = try Translation.file(Array(text.utf8), named: "de.json", comparedWith: english)
        return read.refusals.map { "\($0.place.line):\($0.place.column) \($0.problem.code)" }
    }

    /// S-246.
    @Test func `a translation has the placeholders of the English sentence`() throws {
        #expect(try refusals(#"{"hello": "Hallo, {name}", "files": "{count} Dateien", "files.one": "1 Datei"}"#) == [])
        #expect(try refusals(#"{"files.one": "{count} Datei", "rule.short": "{field} ist zu kurz"}"#) == [])
        for sentence in ["Hallo", "Hallo, {nome}", "Hallo, {name} {count}", "Hallo, {name", "Hallo, {{name}}", "{}"] {
            #expect(
                try refusals("{\n  \"hello\": \"\(sentence)\"}") == ["2:12 translation.placeholders"], "\(sentence)")
        }
        #expect(try refusals(#"{"rule.short": "{minimum}"}"#) == ["1:16 translation.no_placeholders"])
    }

    @Test func `a sentence is a string of one line`() throws {
        #expect(try refusals(#"{"hello": 1, "files": null}"#).count == 2)
        let long = String(repeating: "x", count: 394)
        #expect(try refusals(#"{"hello": "{name}\#(long)"}"#) == [])
        #expect(try refusals(#"{"hello": "{name}\#(long)x"}"#) == ["1:11 translation.sentence"])
        for escape in [#"\n"#, #"\u001b[2J"#, #"\u0085"#] {
            #expect(try refusals(#"{"hello": "{name}\#(escape)"}"#) == ["1:11 translation.sentence"])
        }
    }

    @Test func `an empty sentence counts as missing, and a code of another version is allowed`() throws {
        let text = #"{"hello": "", "of_another_version": "{x}"}"#
        let german = try #require(Language(rawValue: "de"))
        let read = try Translation(german, reading: Array(text.utf8), named: "de.json", comparedWith: english)
        #expect(read.sentences == ["of_another_version": "{x}"])
    }

    @Test(arguments: ["", "[]", "{", #"{"a": "b", "a": "c"}"#, "\u{FEFF}{}"])
    func `a file that is not an object is refused`(text: String) {
        #expect(throws: FormDescriptionError.self) {
            try Translation(.portuguese, reading: Array(text.utf8), named: "pt.json", comparedWith: english)
        }
    }

    @Test func `a file that is too large is refused`() {
        let bytes = [UInt8](repeating: UInt8(ascii: " "), count: Translation.maximumBytes + 1)
        #expect(throws: FormDescriptionError.self) { try Translation.file(bytes, named: "pt.json") }
    }

    @Test func `the embedded translation is complete`() {
        let english = MessageTable.english.completed(by: .builtInForms)
        #expect(english.translatedCodes.subtracting(Translation.portuguese.sentences.keys).sorted() == [])
        #expect(Translation.portuguese.sentences.count > 800)
    }
}
