import LatchkeyForms
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct FormDescriptionTests {
    /// A refused description: the whole `text` (or its bytes as `hex`), `fields` from the second line of a form on, or
    /// one `rule` on the third line. With `padding`, that many spaces follow. `before` is another description of the
    /// same folder, which is read first.
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        let text: String?
        let hex: String?
        let fields: String?
        let rule: String?
        let padding: Int?
        let before: String?
        let code: String
        let line: Int
        let column: Int
        let values: [String: Value]?
        let why: String

        var testDescription: String { why }

        var sources: [FormCatalogue.Source] {
            let first = before.map { FormCatalogue.Source(file: "dir/before.json", bytes: Array($0.utf8)) }
            return [first, FormCatalogue.Source(file: "dir/trial.json", bytes: bytes)].compactMap(\.self)
        }

        var bytes: [UInt8] {
            if let hex { return Bytes.ofHex(hex) }
            if let text { return Array((text + String(repeating: " ", count: padding ?? 0)).utf8) }
            let field = "{\"apiKey\": \"a\", \"placeholder\": \"A\", \"rules\": [\n\(rule ?? "")\n]}"
            let other = "{\"apiKey\": \"b\", \"placeholder\": \"B\"}"
            let start = "{\"form\": \"trial\", \"title\": \"T\", \"submit\": \"S\", \"fields\": [\n"
            return Array((start + (fields ?? field + ",\n" + other) + "\n]}").utf8)
        }

        enum Value: Decodable, Sendable {
            case integer(Int)
            case text(String)

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let integer = try? container.decode(Int.self) {
                    self = .integer(integer)
                } else {
                    self = .text(try container.decode(String.self))
                }
            }

            var asFailureValue: RuleFailure.Value {
                switch self {
                case .integer(let integer): .integer(integer)
                // The names of all rules, so that a new rule changes no row.
                case .text("{rules}"): .text(RuleRegistry.standard.names.joined(separator: ", "))
                case .text(let text): .text(text)
                }
            }
        }
    }

    @Test(arguments: try Fixture.rows(of: Row.self, in: "descriptions/malformed.jsonl"))
    func `an invalid description is refused with its position`(row: Row) throws {
        do throws(FormDescriptionError) {
            _ = try FormCatalogue(replacedBy: row.sources)
            Issue.record("accepted")
        } catch {
            #expect(error.file == "dir/trial.json")
            #expect(error.problem.code == row.code, "\(row.why)")
            #expect((error.place.line, error.place.column) == (row.line, row.column), "\(row.why)")
            for (key, value) in row.values ?? [:] { #expect(error.problem.values[key] == value.asFailureValue) }
            let sentence = MessageTable.english.sentence(for: error)
            #expect(sentence.hasPrefix("dir/trial.json:\(row.line):\(row.column): "))
            #expect(MessageTable.english.has(error.problem.code))
            // A brace in the result means that the error lacks a value of its sentence.
            if row.values?["text"] == nil { #expect(!sentence.contains("{"), "\(sentence)") }
        }
    }

    @Test func `every kind of error has a row in the table`() throws {
        let rows = try Fixture.rows(of: Row.self, in: "descriptions/malformed.jsonl")
        let known = MessageTable.english.codes.filter { $0.hasPrefix("description.") }
        #expect(Set(rows.map(\.code)) == known)
    }

    @Test(arguments: [(60_000, "description.too_long", 3), (1_048_576, "description.too_large", 1)])
    func `a pattern that is too large is refused`(row: (bytes: Int, code: String, line: Int)) {
        let rule = "{\"rule\": \"regex\", \"pattern\": \"" + String(repeating: "(", count: row.bytes) + "\"}"
        let text =
            "{\"form\":\"t\",\"title\":\"T\",\"submit\":\"S\",\n\"fields\":[\n{\"apiKey\":\"a\",\"placeholder\":\"A\",\"rules\":[\(rule)]}]}"
        let source = FormCatalogue.Source(file: "trial.json", bytes: Array(text.utf8))
        let error = #expect(throws: FormDescriptionError.self) { try FormCatalogue(replacedBy: [source]) }
        #expect(error?.problem.code == row.code && error?.place.line == row.line)
    }

    @Test func `a field has every property of its description`() throws {
        let form = try Trial.form(
            "trial",
            """
            {
              "$schema": "form.schema.json", "form": "trial", "title": "A trial", "submit": "Try", "links": ["setup"],
              "fields": [{
                "apiKey": "size_of_shoe", "placeholder": "42", "label": "Size", "flag": "shoe", "help": "European sizes.",
                "keyboardType": "numberPad", "textColor": "accent", "autocomplete": "off", "confirm": true,
                "optional": true, "trim": false,
                "rules": [{"rule": "required"}, {"rule": "maxLength", "length": 2, "message": "Not over {maximum}"}]
              }]
            }
            """)
        let field = try #require(form.fields.first as? any FormTextField)
        #expect(form.id == "trial" && form.title == "A trial" && form.submit == "Try" && form.links == [.setup])
        #expect(form.accountType == nil)
        #expect(field.apiKey == "size_of_shoe" && field.placeholder == "42" && field.label == "Size")
        #expect(field.flag == "shoe" && field.help == "European sizes." && field.autocomplete == "off")
        #expect(field.keyboardType == .numberPad && field.textColor == .accent)
        #expect(field.confirms && field.isOptional && !field.trims && !field.isSecret)
        #expect(field.validationRules.map(\.code) == [.required, .maxLength])
        #expect(field.messages == [1: "Not over {maximum}"])
    }

    @Test func `an omitted property has the default of the protocol`() throws {
        struct Minimal: FormTextField {
            let apiKey: FieldKey = "home_town"
            let placeholder = "Home town"
        }
        let form = try Trial.form(
            "trial",
            #"{"form":"trial","title":"T","submit":"S","fields":[{"apiKey":"home_town","placeholder":"Home town"}]}"#)
        let described = try #require(form.fields.first as? any FormTextField)
        for field in [described, Minimal()] as [any FormTextField] {
            #expect(field.label == "Home town" && field.flag == "home-town" && field.help == nil)
            #expect(field.keyboardType == .default && field.textColor == .default && field.autocomplete == nil)
            #expect(!field.isSecret && !field.confirms && !field.isOptional && field.trims)
            #expect(field.validationRules.map(\.code) == [.required] && field.messages.isEmpty)
        }
    }

    @Test(arguments: [(64, 32), (1, 0)])
    func `the maximum number of fields and rules is accepted`(fields: Int, rules: Int) throws {
        let rules = [JSONValue](repeating: .object([("rule", .string("required"))]), count: rules)
        let form = try Trial.form(fields: (0..<fields).map { Trial.field("f\($0)", rules: rules) })
        #expect(form.fields.count == fields)
        #expect(form.fields.last?.validationRules.count == rules.count)
    }

    @Test func `a description of 64 KiB is accepted`() throws {
        let text = #"{"form":"trial","title":"T","submit":"S","fields":[{"apiKey":"a","placeholder":"A"}]}"#
        let padding = String(repeating: "\n", count: 65_536 - text.utf8.count)
        #expect(try Trial.form("trial", text + padding).fields.count == 1)
    }

    @Test func `a custom rule can be used in a description and can refuse its arguments with a position`() throws {
        var rules = RuleRegistry.standard
        rules.register(EvenLengthRule.self)
        let start =
            #"{"form":"trial","title":"T","submit":"S","fields":[{"apiKey":"a","placeholder":"A","rules":[{"rule":"evenLength","#
        func form(_ arguments: String) throws(FormDescriptionError) -> Form? {
            let source = FormCatalogue.Source(file: "trial.json", bytes: Array((start + arguments + "}]}]}").utf8))
            return try FormCatalogue(replacedBy: [source], rules: rules)["trial"]
        }
        #expect(try form(#""step": 2"#)?.fields[0].validationRules[0].code.rawValue == "even_length")
        #expect(throws: FormDescriptionError.self) { try form(#""step": "2""#) }
        do throws(FormDescriptionError) {
            _ = try form(#""step": 3"#)
            Issue.record("accepted")
        } catch {
            #expect(error.problem.code == "odd_step")
            #expect(error.place == TextPlace(line: 1, column: 93))
        }
    }
}

private struct EvenLengthRule: DescribedRule {
    static let name = "evenLength"
    let code = RuleFailure.Code(rawValue: "even_length")

    init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        guard try arguments.integer("step", in: 1...9) == 2 else { throw FormDescriptionError.Problem("odd_step") }
    }

    func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        value.count.isMultiple(of: 2) ? nil : RuleFailure(code: code)
    }
}
