import LatchkeyForms

/// Random lines for `validate` and random form descriptions, equal for equal seeds: valid ones, almost valid ones, and
/// ones with random bytes changed.
public struct NastyLines {
    private var generator: SeededGenerator
    private let corpus: [String]

    private struct Row: Decodable { let text: String }

    public init(seed: UInt64) throws {
        generator = SeededGenerator(seed: seed)
        corpus = try Fixture.rows(of: Row.self, in: "validate/nasty.jsonl").map(\.text)
    }

    /// A line that checks one rule.
    public mutating func rule() -> [UInt8] {
        var members: [(key: String, value: JSONValue)] = [
            ("id", .integer(Int.random(in: -9...9, using: &generator))), ("rule", .string(ruleName())),
            ("args", .object(arguments())), ("value", .string(text())),
        ]
        if chance(of: 3) {
            members.append(("values", .object([("other", .string(text())), (text(), .string(text()))])))
        }
        return damaged(members)
    }

    /// A line with a form's values.
    public mutating func form(_ keys: [String]) -> [UInt8] {
        var values: [(key: String, value: JSONValue)] = []
        for key in keys where !chance(of: 5) { values.append((key, .string(text()))) }
        if chance(of: 20) { values.append((text(), .string(text()))) }
        return damaged([("id", .integer(Int(generator.next() % 100))), ("values", .object(values))])
    }

    /// A form description that is rarely valid.
    public mutating func description() -> [UInt8] {
        let fields = (0..<Int.random(in: 1...4, using: &generator)).map { number in
            var field: [(key: String, value: JSONValue)] = [
                ("apiKey", .string(number == 0 ? "other" : "field_\(number)")), ("placeholder", .string(name())),
                ("rules", .array((0..<Int.random(in: 0...3, using: &generator)).map { _ in rule(in: ()) })),
            ]
            if chance(of: 3) { field.append(("secret", .bool(chance(of: 2)))) }
            if chance(of: 3) { field.append(("optional", .bool(chance(of: 2)))) }
            if chance(of: 10) { field.append((text(), .string(text()))) }
            return JSONValue.object(field)
        }
        let members: [(key: String, value: JSONValue)] = [
            ("form", .string("trial")), ("title", .string(name())), ("submit", .string(name())),
            ("fields", .array(fields)),
        ]
        return chance(of: 3) ? damaged(members) : Array(JSONValue.object(members).encoded.utf8)
    }

    private mutating func rule(in _: Void) -> JSONValue {
        .object([("rule", .string(ruleName()))] + arguments() + (chance(of: 4) ? [("message", .string(name()))] : []))
    }

    private mutating func arguments() -> [(key: String, value: JSONValue)] {
        let all: [(key: String, value: JSONValue)] = [
            ("length", .integer(Int.random(in: -1...20, using: &generator))),
            ("unit", .string(["graphemes", "scalars", "utf16", "bytes", "words"].randomElement(using: &generator)!)),
            ("minimum", .integer(Int.random(in: -5...5, using: &generator))), ("maximum", .number("1e5")),
            ("field", .string("other")), ("pattern", .string(text())), ("allowed", .string("[a-z\(text().prefix(8))]")),
            ("values", .array([.string(text()), .string(name())])), ("text", .string(text())),
            ("earliest", .string("2026-01-31")), ("version", .integer(13)), ("alpha", .bool(true)),
            (text(), .string(text())),
        ]
        return all.filter { _ in chance(of: 6) }
    }

    private mutating func ruleName() -> String {
        chance(of: 12) ? text() : RuleRegistry.standard.names.randomElement(using: &generator)!
    }

    private mutating func name() -> String { chance(of: 4) ? text() : "Name" }

    /// A string of the corpus, two of them, or random scalars.
    private mutating func text() -> String {
        switch Int.random(in: 0..<6, using: &generator) {
        case 0..<3: return corpus.randomElement(using: &generator)!
        case 3: return corpus.randomElement(using: &generator)! + corpus.randomElement(using: &generator)!
        default:
            var text = ""
            for _ in 0..<Int.random(in: 0...24, using: &generator) {
                let highest: UInt32 = [0x7F, 0x2FF, 0xFFFF, 0x10FFFF].randomElement(using: &generator)!
                text.unicodeScalars.append(
                    Unicode.Scalar(UInt32.random(in: 0...highest, using: &generator)) ?? "\u{FFFD}")
            }
            return text
        }
    }

    /// The object as a line. One line in three is altered, but never split.
    private mutating func damaged(_ members: [(key: String, value: JSONValue)]) -> [UInt8] {
        var members = members
        if chance(of: 8) { members.shuffle(using: &generator) }
        if chance(of: 12) { members.remove(at: Int.random(in: members.indices, using: &generator)) }
        if chance(of: 12) { members.append(members[0]) }
        if chance(of: 12) {
            let values: [JSONValue] = [.null, .bool(true), .number("1.5"), .array([.object([])]), .object([])]
            members[Int.random(in: members.indices, using: &generator)].value = values.randomElement(using: &generator)!
        }
        var bytes = Array(JSONValue.object(members).encoded.utf8)
        if chance(of: 12) { bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator)) }
        if chance(of: 12) {
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8(truncatingIfNeeded: generator.next())
            }
        }
        return bytes.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
    }

    private mutating func chance(of count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
}
