package import LatchkeyForms

/// Validates lines such as `{"id":1,"rule":"email","args":{},"value":"a@b.example"}` with the rule in each line, and
/// responds with `{"id":1,"valid":true,"messages":[],"normalized":"a@b.example"}`.
///
/// The value is neither trimmed nor limited in length.
package struct RuleLineValidator: LineValidator, ~Copyable {
    private let rules: RuleRegistry
    private let messages: MessageTable
    private let form: Form
    private var scratch = JSONScratch()
    /// The rule of the last line. It is cached, because consecutive lines often use the same rule.
    private var last: NamedRule?

    /// Validates lines with `rules` and writes sentences from `messages`.
    package init(rules: RuleRegistry = .standard, messages: MessageTable) {
        self.rules = rules
        self.messages = messages
        form = Form(id: "value", title: "", submit: "", fields: [ValueField(label: messages.sentence("form.value"))])
    }

    package mutating func answer(_ line: Span<UInt8>, to answers: inout [UInt8]) {
        var question = RuleQuestion()
        let request = LineRequest(line) { (scanner, key) throws(JSONScanner.Failure) in
            try question.read(key, at: &scanner, in: line)
        }
        guard let request, request.isValid, let value = question.value, let name = question.rule,
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

    /// The rule of a line, with its arguments.
    private mutating func rule(
        _ name: JSONString, _ arguments: Range<Int>, in line: Span<UInt8>
    ) throws(LineAnswer.Refusal) -> NamedRule {
        let written = line.extracting(arguments)
        if let last, name.isWritten(last.name, in: line), last.isMade(of: written) { return last }
        guard let text = try? name.text(in: line),
            let object = try? ObjectReader(reading: written.indices.map { written[$0] }, named: "args", in: "")
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
        failure?.field = ValueField.key
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

    /// The values of the other fields; nil if one of them is not valid text.
    private mutating func otherValues(_ others: [RuleQuestion.Other], in line: Span<UInt8>) -> FormValues? {
        var values = FormValues()
        for other in others {
            guard let key = try? other.key.text(in: line) else { return nil }
            let field = ValueField(apiKey: FieldKey(rawValue: key), label: key)
            guard !values.has(field.apiKey) else { return nil }
            var failure: RuleFailure?
            let isText = scratch.withText(of: other.value, in: line) { failure = values.set($0, for: field) }
            guard isText, failure == nil else { return nil }
        }
        return values
    }
}

/// A field for the value. It is not part of any form.
private struct ValueField: FormTextField {
    /// The key starts with a capital letter, so it differs from every key in a description.
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

/// A rule, its name and its arguments.
private struct NamedRule {
    let name: [UInt8]
    /// The arguments as JSON text.
    let arguments: [UInt8]
    let rule: any Rule
    let references: [FieldKey]

    func isMade(of written: Span<UInt8>) -> Bool {
        written.count == arguments.count && arguments.indices.allSatisfy { arguments[$0] == written[$0] }
    }
}

/// The members of a rule line, as ranges of its bytes.
private struct RuleQuestion {
    private(set) var rule: JSONString?
    private(set) var value: JSONString?
    /// The object with the rule's arguments.
    private(set) var arguments: Range<Int>?
    private(set) var others: [Other] = []
    private var hasOthers = false

    struct Other {
        let key: JSONString
        let value: JSONString
    }

    /// The maximum number of other values: that of fields in a form.
    private static let maximumOthers = 64
    private static let ruleKey = Array("rule".utf8)
    private static let valueKey = Array("value".utf8)
    private static let argsKey = Array("args".utf8)
    private static let valuesKey = Array("values".utf8)

    /// Reads the value of a member; false if it is invalid. Unknown members are skipped.
    mutating func read(
        _ key: JSONString, at scanner: inout JSONScanner, in line: Span<UInt8>
    ) throws(JSONScanner.Failure) -> Bool {
        if key.isWritten(Self.ruleKey, in: line) { return try scanner.once(&rule, in: line) }
        if key.isWritten(Self.valueKey, in: line) { return try scanner.once(&value, in: line) }
        if key.isWritten(Self.argsKey, in: line) {
            let start = scanner.offset
            let isFirst = arguments == nil
            try scanner.skip(in: line, depth: 1)
            arguments = start..<scanner.offset
            return isFirst
        }
        if key.isWritten(Self.valuesKey, in: line) {
            let isFirst = !hasOthers
            hasOthers = true
            let areValid = try scanner.strings(in: line) { key, value in
                guard others.count < Self.maximumOthers else { return false }
                others.append(Other(key: key, value: value))
                return true
            }
            return areValid && isFirst
        }
        try scanner.skip(in: line, depth: 1)
        return true
    }
}
