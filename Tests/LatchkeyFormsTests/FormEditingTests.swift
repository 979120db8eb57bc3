import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct FormEditingTests {
    private static let accent = "\u{301}"
    private static let family = "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}"

    /// A string, the caret, an edit, and the expected string and caret.
    struct Row: Sendable {
        let text: String
        let edit: TextEdit
        let caret: Int
        let result: String
        let newCaret: Int
    }

    static let rows: [Row] = [
        Row(text: "", edit: .insert(secret("a")), caret: 0, result: "a", newCaret: 1),
        Row(text: "ad", edit: .insert(secret("b")), caret: 1, result: "abd", newCaret: 2),
        Row(text: "ab", edit: .insert(secret("cde")), caret: 2, result: "abcde", newCaret: 5),
        Row(text: "ab", edit: .insert(secret("c")), caret: 99, result: "abc", newCaret: 3),
        Row(text: "ab", edit: .insert(secret("c")), caret: Int.max, result: "abc", newCaret: 3),
        Row(text: "ab", edit: .insert(secret("c")), caret: -5, result: "cab", newCaret: 1),
        // The insertion joins the grapheme before it, so the caret stays after that.
        Row(text: "e", edit: .insert(secret(accent)), caret: 1, result: "e" + accent, newCaret: 1),
        Row(text: "xex", edit: .insert(secret(accent)), caret: 2, result: "xe" + accent + "x", newCaret: 2),
        Row(
            text: "\u{1F468}\u{200D}", edit: .insert(secret("\u{1F469}")), caret: 1,
            result: "\u{1F468}\u{200D}\u{1F469}", newCaret: 1),
        Row(text: "\u{1F1E9}", edit: .insert(secret("\u{1F1EA}")), caret: 1, result: "\u{1F1E9}\u{1F1EA}", newCaret: 1),
        Row(text: "", edit: .deleteBackward, caret: 0, result: "", newCaret: 0),
        Row(text: "abc", edit: .deleteBackward, caret: 0, result: "abc", newCaret: 0),
        Row(text: "abc", edit: .deleteBackward, caret: 2, result: "ac", newCaret: 1),
        Row(text: "abc", edit: .deleteBackward, caret: 9, result: "ab", newCaret: 2),
        Row(text: "xe" + accent, edit: .deleteBackward, caret: 2, result: "x", newCaret: 1),
        Row(text: "x" + family + "y", edit: .deleteBackward, caret: 2, result: "xy", newCaret: 1),
        Row(text: "\u{5BC6}\u{7801}", edit: .deleteBackward, caret: 2, result: "\u{5BC6}", newCaret: 1),
        Row(text: "abc", edit: .deleteForward, caret: 3, result: "abc", newCaret: 3),
        Row(text: "abc", edit: .deleteForward, caret: Int.max, result: "abc", newCaret: 3),
        Row(text: "abc", edit: .deleteForward, caret: 1, result: "ac", newCaret: 1),
        Row(text: "abc", edit: .deleteForward, caret: -1, result: "bc", newCaret: 0),
        Row(text: family + "y", edit: .deleteForward, caret: 0, result: "y", newCaret: 0),
        // Without the letter, the accent joins the text before it, and the caret is after both.
        Row(text: "a\u{200B}" + accent, edit: .deleteBackward, caret: 2, result: "a" + accent, newCaret: 1),
        Row(text: "one two", edit: .deleteWordBackward, caret: 7, result: "one ", newCaret: 4),
        Row(text: "one two", edit: .deleteWordBackward, caret: 4, result: "two", newCaret: 0),
        Row(text: "one two", edit: .deleteWordBackward, caret: 5, result: "one wo", newCaret: 4),
        Row(text: "one  \u{3000}", edit: .deleteWordBackward, caret: 6, result: "", newCaret: 0),
        Row(text: "abc", edit: .deleteWordBackward, caret: 0, result: "abc", newCaret: 0),
        Row(text: "abc", edit: .deleteToStart, caret: 2, result: "c", newCaret: 0),
        Row(text: "abc", edit: .deleteToStart, caret: 0, result: "abc", newCaret: 0),
        Row(text: "abc", edit: .deleteToEnd, caret: 1, result: "a", newCaret: 1),
        Row(text: "abc", edit: .deleteToEnd, caret: 3, result: "abc", newCaret: 3),
    ]

    @Test(arguments: rows.indices)
    func `an edit changes the text at the caret`(index: Int) throws {
        let row = Self.rows[index]
        for key in ["text", "pin"] as [FieldKey] {
            if case .deleteWordBackward = row.edit, key == "pin" { continue }
            let model = FormViewModel(form: try Self.form())
            #expect(model.set(row.text.utf8Span, for: key) == nil)
            #expect(model.edit(row.edit, of: key, at: row.caret) == row.newCaret)
            #expect(bytes(of: key, in: model) == Array(row.result.utf8))
        }
    }

    @Test func `deleting a word of a secret deletes everything before the caret`() throws {
        let model = FormViewModel(form: try Self.form())
        #expect(model.set("one two three".utf8Span, for: "pin") == nil)
        #expect(model.edit(.deleteWordBackward, of: "pin", at: 7) == 0)
        #expect(bytes(of: "pin", in: model) == Array(" three".utf8))
    }

    @Test(arguments: [
        [UInt8](repeating: 0x61, count: 1023), [0], Array("a\u{0}b".utf8), [0xFF], [0xCC], [0x81], [0xED, 0xA0, 0x80],
        [],
    ])
    func `an insertion that is too long or not UTF-8 changes nothing`(inserted: [UInt8]) throws {
        for key in ["text", "pin"] as [FieldKey] {
            let model = FormViewModel(form: try Self.form())
            #expect(model.set("ab".utf8Span, for: key) == nil)
            model.callEnded(AlertViewModel(title: "No", failures: [RuleFailure(code: .taken, field: key)]))
            let received = Received<FormViewState>()
            let token = model.states.bind(to: received) { $0.values.append($1) }
            #expect(model.edit(.insert(Secret(copying: inserted.span)), of: key, at: 1) == 1)
            #expect(received.values.isEmpty)
            #expect(bytes(of: key, in: model) == Array("ab".utf8))
            token.cancel()
        }
    }

    @Test func `an insertion up to the limit is accepted`() throws {
        for key in ["text", "pin"] as [FieldKey] {
            let model = FormViewModel(form: try Self.form())
            #expect(model.edit(.insert(secret(String(repeating: "a", count: 1024))), of: key, at: 0) == 1024)
            #expect(model.edit(.insert(secret("b")), of: key, at: 0) == 0)
            #expect(bytes(of: key, in: model).count == 1024)
        }
    }

    @Test func `typing replaces an unusable value`() throws {
        for key in ["text", "pin"] as [FieldKey] {
            let model = FormViewModel(form: try Self.form())
            let refused = model.set(.bytes(Secret(copying: [0xFF].span)), for: key)
            #expect(refused?.code == .invalidUTF8)
            let over = secret(String(repeating: "a", count: 1025))
            #expect(model.edit(.insert(over), of: key, at: 0) == 0)
            model.validate(field: key)
            let shown = model.state.fields.first { $0.key == key }
            #expect(shown?.failure?.code == .invalidUTF8 && shown?.text.isEmpty == true)
            #expect(model.edit(.insert(secret("x")), of: key, at: 0) == 1)
            #expect(model.state.fields.first { $0.key == key }?.failure == nil)
        }
    }

    @Test func `a deleted word or line can be yanked, unless it was secret`() throws {
        for (key, after) in [("text", "twoone "), ("pin", "two")] as [(FieldKey, String)] {
            let model = FormViewModel(form: try Self.form())
            #expect(model.set("one two".utf8Span, for: key) == nil)
            #expect(model.edit(.deleteToStart, of: key, at: 4) == 0)
            #expect(model.edit(.yank, of: key, at: 3) == after.count)
            #expect(bytes(of: key, in: model) == Array(after.utf8))
        }
    }

    @Test(arguments: 0..<20)
    func `random edits have the same result as on a String`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let model = FormViewModel(form: try Self.form())
        let pieces = [
            "a", "b ", " ", "e", Self.accent, Self.family, "\u{1F1E9}", "\u{1F1EA}", "\u{200D}", "\u{5BC6}", "\r", "\n",
            "\u{1112}", "\u{1161}", "\u{11AB}", "\u{FE0F}", "two words", "\u{93F}", "\u{915}", "\u{94D}",
        ]
        var text = ""
        for step in 0..<100 {
            let caret = Int.random(in: -2...(text.count + 2), using: &random)
            let piece = pieces[Int.random(in: pieces.indices, using: &random)]
            let edits: [TextEdit] = [
                .insert(secret(piece)), .insert(secret(piece)), .insert(secret(piece)), .deleteBackward, .deleteForward,
                .deleteWordBackward, .deleteToStart, .deleteToEnd,
            ]
            // Long deletions are rare, because otherwise no text would grow.
            let choice = Int.random(in: 0..<40, using: &random)
            let edit = edits[choice < 24 ? 0 : choice < 38 ? 3 + choice % 2 : 5 + choice % 3]
            let expected = Self.applied(edit, piece, to: text, at: caret)
            let newCaret = model.edit(edit, of: "text", at: caret)
            try #require(bytes(of: "text", in: model) == Array(expected.text.utf8), "step \(step)")
            try #require(newCaret == expected.caret, "step \(step)")
            text = expected.text
        }
    }

    /// The expected result, computed on a `String`.
    private static func applied(
        _ edit: TextEdit, _ inserted: String, to text: String, at caret: Int
    ) -> (text: String, caret: Int) {
        let caret = min(max(caret, 0), text.count)
        var before = String(text.prefix(caret))
        var after = String(text.dropFirst(caret))
        switch edit {
        case .insert: before += inserted
        case .yank: break  // has a separate test
        case .deleteBackward: before = String(before.dropLast())
        case .deleteForward: after = String(after.dropFirst())
        case .deleteWordBackward:
            while before.last?.isWhitespace == true { before.removeLast() }
            while before.last?.isWhitespace == false { before.removeLast() }
        case .deleteToStart: before = ""
        case .deleteToEnd: after = ""
        }
        let result = before + after
        // The caret is after the graphemes that cover the text before it.
        var reached = 0
        let newCaret = result.prefix { character in
            defer { reached += character.utf8.count }
            return reached < before.utf8.count
        }.count
        return (result, newCaret)
    }

    private static func form() throws -> Form {
        try Trial.form(fields: [Trial.field("text", rules: []), Trial.field("pin", rules: [], isSecret: true)])
    }

    private func bytes(of key: FieldKey, in model: FormViewModel) -> [UInt8] {
        model.withValue(of: key) { text in text.span.indices.map { text.span[$0] } }
    }
}
