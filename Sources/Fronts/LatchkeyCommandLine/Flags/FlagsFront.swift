import LatchkeyFlows
import LatchkeyForms

/// The front end without a terminal: takes the values from flags, validates them once, and reports all failures at
/// once.
struct FlagsFront {
    let form: Form
    let values: FieldFlags
    let messages: MessageTable
    private let failures: [RuleFailure]
    private let hidden: Set<FieldKey>
    /// Nil if a field is not valid.
    private let answers: Credentials?

    init(form: Form, values: FieldFlags, messages: MessageTable) {
        self.form = form
        self.values = values
        self.messages = messages
        let model = FormViewModel(form: form, filling: values.inputs, messages: messages)
        hidden = model.hiddenFields
        failures = model.validateForm().failures + form.refusals(of: values, hidden)
        answers = model.takeCredentials()
    }

    /// Whether a terminal has nothing to ask: the flags give every field, optional ones too, and every value is valid.
    var areComplete: Bool {
        failures.isEmpty && form.fields.allSatisfy { values.has($0.apiKey) || hidden.contains($0.apiKey) }
    }

    /// The credentials, if every field is valid.
    ///
    /// - Throws: status 64 if flags are missing, 65 if values were refused; each failure names its flag.
    func credentials() throws(ToolFailure) -> Credentials {
        guard failures.isEmpty, let answers else {
            throw ToolFailure.refusal(
                failures, in: form, isMissing: { !values.has($0) }, operand: values.operand, messages)
        }
        return answers
    }
}

extension Form {
    /// The failures of flags that give a value for one of the `hidden` fields, each with the condition of the field.
    func refusals(of values: FieldFlags, _ hidden: Set<FieldKey>) -> [RuleFailure] {
        fields.compactMap { field in
            guard hidden.contains(field.apiKey), values.given.contains(field.apiKey), let condition = field.condition
            else { return nil }
            let texts = condition.values.map(\.text).joined(separator: ", ")
            return RuleFailure(
                code: .notAsked, values: ["other": .text(condition.field.rawValue), "values": .text(texts)],
                field: field.apiKey)
        }
    }
}

extension ToolFailure {
    /// Reports `failures`, each with the flag or the operand that gives the field.
    static func refusal(
        _ failures: [RuleFailure], in form: Form, isMissing: (FieldKey) -> Bool = { _ in false },
        operand: OperandField? = nil, _ messages: MessageTable
    ) -> ToolFailure {
        // For a missing field, "required" is more helpful than the first rule that an empty value fails.
        let failures = failures.map { failure in
            failure.field.map(isMissing) == true ? RuleFailure(code: .required, field: failure.field) : failure
        }
        let areMissing = failures.contains { $0.field.map(isMissing) ?? false }
        let errors = FieldError.list(failures, in: form, messages, operand: operand)
        return areMissing ? .flagsMissing(errors) : .validationFailed(errors)
    }
}

extension ToolFailure.FieldError {
    static func list(
        _ failures: [RuleFailure], in form: Form, _ messages: MessageTable, operand: OperandField?
    ) -> [Self] {
        failures.map { failure in
            let isOperand = operand.map { $0.key == failure.field } ?? false
            return Self(
                field: failure.field?.rawValue ?? "",
                flag: isOperand ? operand?.name : failure.field.flatMap(form.field)?.flagForPeople,
                code: failure.code.rawValue, values: failure.values,
                message: messages.sentence(for: failure, in: form))
        }
    }
}

extension FormField {
    /// The field's flags as people write them: `--email`, `--[no-]newsletter`, `--password-stdin|file|fd`.
    var flagForPeople: String {
        guard isSecret else { return kind == .boolean ? "--[no-]" + flag : "--" + flag }
        return "--" + flag + "-" + SecretSource.allCases.map(\.rawValue).joined(separator: "|")
    }
}
