import LatchkeySecrets
import LatchkeyTerminal
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct KeyDecoderTests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let why: String
        /// The bytes from the terminal; in hexadecimal if they are not UTF-8.
        let keys: String?
        let hex: String?
        let actions: [String]

        var bytes: [UInt8] {
            if let keys { return Array(keys.utf8) }
            return (hex ?? "").split(separator: " ").compactMap { UInt8($0, radix: 16) }
        }

        var testDescription: String { why }
    }

    private func decode(_ pieces: [[UInt8]]) -> [String] {
        var decoder = KeyDecoder()
        var words: [String] = []
        for piece in pieces { decoder.decode(piece.span) { words.append(ActionScript.word($0)) } }
        decoder.finish { words.append(ActionScript.word($0)) }
        return words
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "terminal/keys.jsonl"))
    func `keys are decoded as in the table`(row: Row) {
        #expect(decode([row.bytes]) == row.actions)
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "terminal/keys.jsonl"))
    func `keys that arrive one byte at a time are decoded in the same way`(row: Row) {
        func joined(_ words: [String]) -> [String] {
            words.reduce(into: []) { joined, word in
                if word.hasPrefix("type:"), joined.last?.hasPrefix("type:") == true {
                    joined[joined.count - 1] += word.dropFirst(5)
                } else {
                    joined.append(word)
                }
            }
        }
        #expect(joined(decode(row.bytes.map { [$0] })) == joined(row.actions))
    }

    @Test func `an overlong paste is reported as too long`() {
        var pasted: [Int] = []
        var decoder = KeyDecoder()
        let bytes = Array("\u{1B}[200~".utf8) + Array(repeating: 0x61, count: 10_000) + Array("\u{1B}[201~x".utf8)
        var typed: [String] = []
        decoder.decode(bytes.span) { action in
            if case .paste(let text) = action {
                pasted.append(text.count)
            } else {
                typed.append(ActionScript.word(action))
            }
        }
        #expect(pasted.count == 1 && pasted[0] >= FormMachine.maximumPaste)
        #expect(typed == ["type:x"])
    }

    @Test func `an unfinished paste does not block later keys forever`() {
        var decoder = KeyDecoder()
        var words: [String] = []
        decoder.decode("\u{1B}[200~abc".utf8Span.span) { words.append(ActionScript.word($0)) }
        #expect(decoder.patience == .seconds(1))
        decoder.finish { words.append(ActionScript.word($0)) }
        decoder.decode("\u{3}".utf8Span.span) { words.append(ActionScript.word($0)) }
        #expect(words == ["paste:abc", "interrupt"])
    }

    @Test func `after an escape, the decoder waits 25 ms for the rest of a sequence`() {
        var decoder = KeyDecoder()
        #expect(decoder.patience == nil)
        decoder.decode("\u{1B}".utf8Span.span) { _ in Issue.record("nothing is sure yet") }
        #expect(decoder.patience == .milliseconds(25))
    }

    @Test(arguments: ["é", "日", "👩"])
    func `the bytes of one character are joined, however late they arrive`(character: String) {
        var decoder = KeyDecoder()
        var words: [String] = []
        let bytes = Array(character.utf8)
        for byte in bytes.dropLast() {
            decoder.decode([byte].span) { words.append(ActionScript.word($0)) }
            #expect(decoder.patience == nil, "only Escape has a time limit")
        }
        decoder.decode([bytes[bytes.count - 1]].span) { words.append(ActionScript.word($0)) }
        #expect(words == ["type:" + character])
        decoder.decode([bytes[0], 3].span) { words.append(ActionScript.word($0)) }
        #expect(words.last == "interrupt", "a character that never ends does not block Ctrl-C")
    }

    @Test func `no input crashes the decoder`() {
        let random = RandomSource.seeded(3)
        var decoder = KeyDecoder()
        var count = 0
        for _ in 0..<2000 {
            guard var bytes = try? random.bytes(32) else { return }
            // Mostly escapes, brackets, digits and final bytes of sequences.
            let steering = Array("\u{1B}[O~;0123R".utf8)
            for index in bytes.indices where index % 2 == 0 {
                bytes[index] = steering[Int(bytes[index]) % steering.count]
            }
            decoder.decode(bytes.span) { _ in count += 1 }
        }
        #expect(count > 1000)
    }

    @Test func `typed and pasted text is available as a string, and keys have none`() {
        var decoder = KeyDecoder()
        var texts: [String?] = []
        decoder.decode("é x\u{1B}[200~a b\u{1B}[201~\r".utf8Span.span) { texts.append($0.text) }
        #expect(texts == ["é x", "a b", nil])
        #expect(Action.insert(Secret(copying: [0xFF].span)).text == nil)
    }
}
