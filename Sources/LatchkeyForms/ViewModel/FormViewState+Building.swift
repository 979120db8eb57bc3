extension FormViewState {
    init(
        _ form: Form, _ values: borrowing FormValues, _ refused: [FieldKey: RuleFailure],
        notices: [FieldKey: RuleFailure], touched: Set<FieldKey>, told: Set<FieldKey>,
        strengths: [FieldKey: PasswordStrength], isBusy: Bool, alert: AlertViewModel?, _ messages: MessageTable
    ) {
        var fields: [Field] = []
        var isValid = true
        for (place, field) in form.fields.enumerated() {
            var found = form.failure(at: place, in: values)
            if found != nil { isValid = false }
            if touched.contains(field.apiKey), found?.other != nil {
                // Whoever is asked for one field after another cannot have answered the later ones yet.
                let pending = form.fields[place...].map(\.apiKey).filter { !touched.contains($0) }
                found = form.failure(at: place, in: values, pending: pending)
            }
            let missing =
                told.contains(field.apiKey) ? nil : found.flatMap { form.missing(for: $0, at: place, in: values) }
            let text = values.shown(field)
            let shown = touched.contains(field.apiKey) ? refused[field.apiKey] ?? found : nil
            fields.append(
                Field(
                    key: field.apiKey, label: field.label, placeholder: field.placeholder, help: field.help,
                    keyboardType: field.keyboardType, textColor: field.textColor, text: text,
                    isOptional: field.isOptional, confirms: (field as? ConfirmationField)?.confirmed,
                    isTouched: touched.contains(field.apiKey), failure: shown,
                    message: shown.map { messages.sentence(for: $0, in: form) },
                    notice: notices[field.apiKey].map { messages.sentence(for: $0, in: form) }, missing: missing,
                    demand: text.isEmpty ? form.demand(at: place, messages) : nil,
                    strength: strengths[field.apiKey].map {
                        Strength($0, isCommon: found?.code == .notCommon, messages)
                    }))
        }
        self.init(
            form: form.id, title: form.title, submit: form.submit, fields: fields,
            links: form.links.map { Link(type: $0, label: messages.linkLabel(to: $0)) },
            isValid: isValid, isBusy: isBusy, alert: alert)
    }
}

extension FormViewState.Strength {
    init(_ estimate: PasswordStrength, isCommon: Bool, _ messages: MessageTable) {
        score = isCommon ? 0 : estimate.score
        let advice = isCommon ? "common" : estimate.advice?.rawValue
        let words = RuleFailure.Value.text(messages.sentence("strength.\(score)"))
        guard let advice else {
            sentence = messages.sentence("strength.told", ["strength": words])
            return
        }
        sentence = messages.sentence(
            "strength.advised", ["strength": words, "advice": .text(messages.sentence("strength.advice.\(advice)"))])
    }
}
