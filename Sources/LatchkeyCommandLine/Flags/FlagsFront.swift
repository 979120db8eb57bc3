import LatchkeyFlows
import LatchkeyForms

/// The front without a terminal: the values come from flags, and what is wrong is told all at once.
struct FlagsFront {
    let form: Form
    let values: FieldFlags
    let messages: MessageTable

    /// Whether the flags alone are enough.
    var areComplete: Bool { filled().state.isValid }

    /// The credentials, where every field's rules hold.
    ///
    /// - Throws: status 64 where flags are missing, 65 where values were refused; each failure names its flag.
    func credentials() throws(ToolFailure) -> Credentials {
        let model = filled()
        if case .invalid(let failures) = model.validateForm() {
            throw ToolFailure.refusal(failures, in: form, isMissing: { !values.has($0) }, messages)
        }
        guard let credentials = model.takeCredentials() else { throw .internal }
        return credentials
    }

    private func filled() -> FormViewModel {
        let model = FormViewModel(form: form, messages: messages)
        values.fill(model)
        return model
    }
}

extension ToolFailure {
    /// What is told of `failures`, each with the flag that mends it.
    static func refusal(
        _ failures: [RuleFailure], in form: Form, isMissing: (FieldKey) -> Bool = { _ in false },
        _ messages: MessageTable
    ) -> ToolFailure {
        // Of what was not given, the first rule that an empty text fails says nothing of use.
        let failures = failures.map { failure in
            failure.field.map(isMissing) == true ? RuleFailure(code: .required, field: failure.field) : failure
        }
        let areMissing = failures.contains { $0.field.map(isMissing) ?? false }
        let errors = FieldError.list(failures, in: form, messages)
        return areMissing ? .flagsMissing(errors) : .validationFailed(errors)
    }
}

extension ToolFailure.FieldError {
    static func list(_ failures: [RuleFailure], in form: Form, _ messages: MessageTable) -> [Self] {
        failures.map { failure in
            Self(
                field: failure.field?.rawValue ?? "", flag: failure.field.flatMap(form.field)?.flagForPeople,
                code: failure.code.rawValue, values: failure.values,
                message: messages.sentence(for: failure, in: form))
        }
    }
}

extension FormTextField {
    /// How the field is given: `--email`, `--password-stdin|file|fd`.
    var flagForPeople: String {
        guard isSecret else { return "--" + flag }
        return "--" + flag + "-" + SecretSource.allCases.map(\.rawValue).joined(separator: "|")
    }
}
