import LatchkeyForms
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct JSONTests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let text: String?
        /// Bytes that a JSON Lines file cannot contain.
        let hex: String?
        /// The expected encoding, if it differs from the text.
        let encoded: String?
        let problem: String?
        let line: Int?
        let column: Int?
        let why: String

        var bytes: [UInt8] { hex.map(Bytes.ofHex) ?? Array((text ?? "").utf8) }
        var testDescription: String { why }
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "descriptions/json.jsonl").filter { $0.problem == nil })
    func `valid JSON is parsed and encoded`(row: Row) throws {
        let value = try JSONReader.read(row.bytes).value
        let expected = try #require(row.encoded ?? row.text)
        #expect(Array(value.encoded.utf8) == Array(expected.utf8), "\(row.why)")
        #expect(try JSONReader.read(Array(value.encoded.utf8)).value == value)
        #expect(JSONValue(line: row.bytes) == value)
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "descriptions/json.jsonl").filter { $0.problem != nil })
    func `invalid JSON is refused with its position`(row: Row) throws {
        do throws(JSONReader.Failure) {
            let value = try JSONReader.read(row.bytes).value
            Issue.record("read \(value)")
        } catch {
            let name = "\(error.problem)".prefix { $0 != "(" }
            #expect(name == row.problem ?? "", "\(row.why)")
            #expect(error.place == TextPlace(line: try #require(row.line), column: try #require(row.column)))
            #expect(JSONValue(line: row.bytes) == nil)
        }
    }

    /// A value that nothing reads is checked like every other.
    @Test(arguments: [
        (#"{"a":"\ud800"}"#, "loneSurrogate"), (#"{"a":["x",{"b":"\udc00\ud800"}]}"#, "loneSurrogate"),
        (#"{"a":{"\ud800":1}}"#, "loneSurrogate"), (#"{"a":{"b":1,"b":2}}"#, "duplicateKey"),
        (#"{"a":[{"b":1,"\u0062":2}]}"#, "duplicateKey"), (#"{"a":1,"c":2,"a":3}"#, "duplicateKey"),
        (#"{"a":01}"#, "unexpected"),
    ])
    func `a member that is not read must be valid JSON too`(text: String, problem: String) {
        let bytes = Array(text.utf8)
        do throws(JSONScanner.Failure) {
            try JSONScanner.object(in: bytes.span) { (scanner, _) throws(JSONScanner.Failure) in
                try scanner.skip(in: bytes.span, depth: 1)
            }
            Issue.record("read")
        } catch {
            #expect("\(error.problem)".prefix { $0 != "(" } == problem)
            #expect(error.isLate == (problem != "unexpected"))
        }
        #expect(throws: JSONReader.Failure.self) { try JSONReader.read(bytes) }
    }

    @Test func `a duplicate key is found among many keys`() throws {
        let members = (0..<40).map { "\"key\($0)\":\($0)" }
        for count in [1, 2, 15, 16, 17, 40] {
            let text = members.prefix(count).joined(separator: ",")
            #expect(throws: Never.self) { try JSONReader.read(Array("{\(text)}".utf8)) }
            for index in 0..<count {
                #expect(throws: JSONReader.Failure.self) {
                    try JSONReader.read(Array("{\(text),\"key\(index)\":0}".utf8))
                }
            }
        }
    }

    @Test(arguments: [#"[1,"a"]"#, #"["a",1,"b"]"#, #"[null,"a",[],"b"]"#])
    func `a list with other values is read to its end`(text: String) throws {
        let bytes = Array(text.utf8)
        var scanner = JSONScanner()
        let list = try scanner.list(in: bytes.span, depth: 0)
        #expect(list == nil)
        try scanner.end(in: bytes.span)
    }

    @Test func `members keep their order and are compared by the bytes of their keys`() throws {
        let value = try JSONReader.read(Array(#"{"é":1,"b":"two","e\u0301":3}"#.utf8)).value
        #expect(value.members?.map(\.key.utf8.count) == [2, 1, 3])
        #expect(value["\u{E9}"] == .integer(1))
        #expect(value["e\u{301}"] == .integer(3))
        #expect(value["b"]?.string == "two")
        #expect(value["c"] == nil)
        #expect(JSONValue.array([])["b"] == nil)
    }

    @Test func `JSON values are equal if their encodings are equal`() {
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
        #expect(JSONValue.integer(1) != .number("1.0"))
        #expect(JSONValue.object([("a", .null)]) == .object([("a", .null)]))
        #expect(JSONValue.object([("a", .null), ("b", .null)]) != .object([("b", .null), ("a", .null)]))
    }
}

enum Bytes {
    static func ofHex(_ text: String) -> [UInt8] {
        let digits = text.compactMap(\.hexDigitValue).map(UInt8.init)
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
