/// Judges lines such as `{"id":1,"rule":"email","args":{},"value":"a@b.example"}` by the rule that each names:
/// `{"id":1,"valid":true,"messages":[],"normalized":"a@b.example"}`.
///
/// The rule judges the text as it stands: nothing is trimmed, and no field limits its length.
package struct RuleLineValidator: LineValidator, ~Copyable {
    private let rules: RuleRegistry
    private let messages: MessageTable
    private let form: Form
    private var scratch = LineScratch()
    /// Many lines in a row ask for the same rule.
    private var last: NamedRule?

    package init(rules: RuleRegistry = .standard, messages: MessageTable = .english) {
        self.rules = rules
        self.messages = messages
        form = Form(id: "value", title: "", submit: "", fields: [JudgedField(label: messages.valueLabel)])
    }

    package mutating func answer(_ line: Span<UInt8>, to answers: inout [UInt8]) {
        var question = RuleQuestion()
        let request = LineRequest(line) { (scanner, key) throws(JSONScanner.Failure) in
            try question.read(key, at: &scanner, in: line)
        }
        guard let request, request.isSensible, let value = question.value, let name = question.rule,
            let arguments = question.arguments, let others = otherValues(question.others, in: line)
        else { return LineAnswer.refuse(request?.id, .badRequest, to: &answers) }
        do throws(LineAnswer.Refusal) {
            let named = try rule(name, arguments, in: line)
            guard named.references.allSatisfy({ others.has($0) }) else { throw .badRequest }
            let isText = scratch.withText(of: value, in: line) { [messages, form] text in
                Self.answer(request.id, named.rule, text, others, messages, form, to: &answers)
            }
            guard isText else { throw .badRequest }
        } catch {
            LineAnswer.refuse(request.id, error, to: &answers)
        }
    }

    /// The rule that a line names, made of its arguments; the one before, where it is the same.
    private mutating func rule(
        _ name: JSONString, _ arguments: Range<Int>, in line: Span<UInt8>
    ) throws(LineAnswer.Refusal) -> NamedRule {
        let written = line.extracting(arguments)
        if let last, name.isWritten(last.name, in: line), last.isMade(of: written) { return last }
        guard let text = try? name.text(in: line),
            let object = try? ObjectReader(reading: written, named: "args", in: "")
        else { throw .badRequest }
        guard let type = rules.rule(named: text) else { throw .unknownRule }
        guard
            let (rule, references) = try? RuleArguments.rule(
                type, from: object, commonPasswords: rules.commonPasswords)
        else { throw .badRequest }
        let named = NamedRule(
            name: Array(text.utf8), arguments: written.indices.map { written[$0] }, rule: rule,
            references: references.map(\.key))
        last = named
        return named
    }

    private static func answer(
        _ id: Int?, _ rule: any Rule, _ value: UTF8Span, _ others: borrowing FormValues, _ messages: MessageTable,
        _ form: Form, to answers: inout [UInt8]
    ) {
        var failure = rule.check(value, in: others)
        failure?.field = JudgedField.key
        LineAnswer.begin(id, to: &answers)
        if let failure {
            answers.append(contentsOf: #","valid":false,"messages":["#.utf8)
            answers.append(contentsOf: JSONValue.string(messages.sentence(for: failure, in: form)).encoded.utf8)
            answers.append(UInt8(ascii: "]"))
        } else {
            answers.append(contentsOf: #","valid":true,"messages":[]"#.utf8)
            if let normal = rule.normalForm(of: value) {
                answers.append(contentsOf: #","normalized":"#.utf8)
                answers.append(contentsOf: JSONValue.string(normal).encoded.utf8)
            }
        }
        answers.append(contentsOf: "}\n".utf8)
    }

    /// The values of the other fields; nil where one cannot be a value.
    private mutating func otherValues(_ others: [RuleQuestion.Other], in line: Span<UInt8>) -> FormValues? {
        var values = FormValues()
        for other in others {
            guard let key = try? other.key.text(in: line) else { return nil }
            let field = JudgedField(apiKey: FieldKey(rawValue: key), label: key)
            guard !values.has(field.apiKey) else { return nil }
            var failure: RuleFailure?
            let isText = scratch.withText(of: other.value, in: line) { failure = values.set($0, for: field) }
            guard isText, failure == nil else { return nil }
        }
        return values
    }
}

/// A value without a form of its own.
private struct JudgedField: FormTextField {
    /// No description can have it, for it begins with a capital.
    static let key: FieldKey = "Value"

    let apiKey: FieldKey
    let placeholder: String
    let trims = false
    let maximumBytes = Int.max

    init(apiKey: FieldKey = Self.key, label: String) {
        self.apiKey = apiKey
        placeholder = label
    }
}

/// A rule with what it was made of.
private struct NamedRule {
    let name: [UInt8]
    /// As they were written.
    let arguments: [UInt8]
    let rule: any Rule
    let references: [FieldKey]

    func isMade(of written: Span<UInt8>) -> Bool {
        written.count == arguments.count && arguments.indices.allSatisfy { arguments[$0] == written[$0] }
    }
}
