import LatchkeyAccounts
import LatchkeyForms

/// What is to be other of an account, as the set-up form judges it: what is given, together with what is kept.
struct AccountChange {
    /// The set-up form without its secrets.
    let form: Form
    let messages: MessageTable

    init(_ forms: FormCatalogue, _ messages: MessageTable) {
        let form = forms.form(for: .setup)
        self.form = Form(
            id: form.id, title: form.title, submit: form.submit, fields: form.fields.filter { !$0.isSecret })
        self.messages = messages
    }

    /// - Parameter given: values by field; an empty one removes what is kept. What the form lacks is left out.
    /// - Throws: status 65 with each field that is refused. What is not given and was wrong before is nobody's fault now.
    func draft(_ given: [FieldKey: [UInt8]], over account: Account) throws(ToolFailure) -> ProfileDraft {
        var values = FormValues()
        let present = account.present
        for field in form.fields { _ = values.set((present[field.apiKey] ?? "").utf8Span, for: field) }
        let before = form.failures(of: values)
        let fields = form.fields.filter { given[$0.apiKey] != nil }
        for field in fields {
            let bytes = given[field.apiKey] ?? []
            _ = values.set(bytes: bytes.span, for: field)
        }
        let failures = form.failures(of: values).filter { failure in
            fields.contains { $0.apiKey == failure.field } || !before.contains(failure)
        }
        guard failures.isEmpty else { throw ToolFailure.refusal(failures, in: form, messages) }
        var draft = ProfileDraft()
        for field in fields {
            let text = values.withValue(of: field.apiKey) { String(copying: $0) }
            switch field.apiKey {
            case .username: draft.username = text
            case .email: draft.email = text
            default: draft.attributes[field.apiKey.rawValue] = text
            }
        }
        return draft
    }
}

extension Account {
    /// What is kept, by the fields of the forms that ask for it.
    var present: [FieldKey: String] {
        var texts: [FieldKey: String] = [.username: username.typed, .email: email.typed]
        for (key, value) in attributes { texts[FieldKey(rawValue: key)] = value }
        return texts
    }
}
