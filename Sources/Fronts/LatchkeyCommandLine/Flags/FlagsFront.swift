import LatchkeyFlows
import LatchkeyForms

/// The front end without a terminal. It takes values from flags, validates them once, and reports all failures
/// together.
struct FlagsFront {
    let form: Form
    let values: FieldFlags
    let messages: MessageTable
    private let failures: [RuleFailure]
    private let hidden: Set<FieldKey>
    /// The values; nil if a field is invalid.
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

    /// Whether the terminal has nothing to ask, because the flags contain a valid value for every field, even the
    /// optional ones.
    var areComplete: Bool {
        failures.isEmpty && form.fields.allSatisfy { values.has($0.apiKey) || hidden.contains($0.apiKey) }
    }

    /// The credentials, if all fields are valid.
    ///
    /// - Throws: status 64 if flags are missing, or 65 if values were refused. Each failure is reported with its flag.
    func credentials() throws(ToolFailure) -> Credentials {
        guard failures.isEmpty, let answers else {
            throw ToolFailure.refusal(
                failures, in: form, isMissing: { !values.has($0) }, operand: values.operand, messages)
        }
        return answers
    }
}

extension Form {
    /// The failures of flags for `hidden` fields, each with the condition of the field.
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
    /// Reports `failures`, each with the flag or operand of its field.
    static func refusal(
        _ failures: [RuleFailure], in form: Form, isMissing: (FieldKey) -> Bool = { _ in false },
        operand: OperandField? = nil, _ messages: MessageTable
    ) -> ToolFailure {
        // For a missing field, "required" is more helpful than the first rule that an empty value breaks.
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
    /// The field's flags in a short form: `--email`, `--[no-]newsletter`, `--password-stdin|file|fd`.
    var flagForPeople: String {
        guard isSecret else { return kind == .boolean ? "--[no-]" + flag : "--" + flag }
        return "--" + flag + "-" + SecretSource.allCases.map(\.rawValue).joined(separator: "|")
    }
}
