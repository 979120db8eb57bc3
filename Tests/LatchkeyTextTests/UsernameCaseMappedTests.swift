import LatchkeyText
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct UsernameCaseMappedTests {
    struct Row: Decodable, Sendable {
        let value: String
        let prepared: String?
        let violation: String?
        let why: String
    }

    /// S-15.
    @Test(arguments: try Fixture.rows(of: Row.self, in: "text/usernames.jsonl"))
    func `a username is mapped or refused as in the table`(row: Row) {
        switch outcome(row.value) {
        case .success(let name):
            #expect(row.violation == nil, "\(row.why)")
            #expect(name.bytes == row.prepared?.bytes, "\(row.why)")
        case .failure(let violation): #expect(describe(violation) == row.violation, "\(row.why)")
        }
    }

    /// S-15.
    @Test func `preparing a username twice has the same result as once`() throws {
        var generator = SeededGenerator(seed: 15)
        var accepted = 0
        for _ in 0..<8_000 {
            let text = generator.text(upTo: 4)
            guard case .success(let once) = outcome(text) else { continue }
            accepted += 1
            let twice = try outcome(once).get()
            #expect(twice.bytes == once.bytes, "\(text.unicodeScalars.map(\.notation))")
        }
        #expect(accepted > 200)
    }

    @Test func `preparing a name of one scalar twice has the same result as once`() throws {
        var accepted = 0
        for value in UInt32(0)...0x2FFFF {
            guard let scalar = Unicode.Scalar(value), case .success(let once) = outcome(String(scalar)) else {
                continue
            }
            accepted += 1
            guard case .success(let twice) = outcome(once), twice.bytes == once.bytes else {
                Issue.record("\(scalar.notation)")
                continue
            }
        }
        #expect(accepted > 10_000)
    }

    @Test func `canonically equivalent usernames become the same`() {
        let spellings = ["\u{C9}ric", "E\u{301}ric", "\u{E9}RIC", "e\u{301}\u{FF52}ic"]
        let names = Set(spellings.compactMap { try? outcome($0).get().bytes })
        #expect(names.count == 1)
    }

    @Test func `the fast path for ASCII has the same result as the complete profile`() {
        for text in String.asciiSamples {
            let whole = Result { () throws(UsernameCaseMapped.Violation) in
                try UsernameCaseMapped.preparedByProfile(text.utf8Span)
            }
            #expect(outcome(text) == whole, "\(text.debugDescription)")
            let violation = UsernameCaseMapped.violation(in: text.utf8Span)
            #expect(whole == outcome(text) && (violation == nil) == ((try? whole.get()) != nil))
            if case .failure(let expected) = whole { #expect(violation == expected) }
        }
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "text/usernames.jsonl"))
    func `the violation of a username matches the table`(row: Row) {
        #expect(UsernameCaseMapped.violation(in: row.value.utf8Span).map(describe) == row.violation, "\(row.why)")
    }

    private func outcome(_ text: String) -> Result<String, UsernameCaseMapped.Violation> {
        Result { () throws(UsernameCaseMapped.Violation) in try UsernameCaseMapped.prepared(text.utf8Span) }
    }

    private func describe(_ violation: UsernameCaseMapped.Violation) -> String {
        switch violation {
        case .empty: "empty"
        case .tooLong(let maximum): "tooLong \(maximum)"
        case .disallowed(let scalar): "disallowed \(scalar.notation)"
        case .bidirectional: "bidirectional"
        }
    }
}
