extension Form {
    /// A copy of the form with the strings of `messages` for codes such as `form.setup.title`, `form.setup.submit` and
    /// `form.setup.email_field.label`. Strings without such a code stay unchanged.
    func worded(by messages: MessageTable) -> Form {
        func words(_ name: String, else own: String) -> String { messages.wording(of: id, name) ?? own }
        return Form(
            id: id, title: words("title", else: title), submit: words("submit", else: submit), links: links,
            fields: fields.map { ($0 as? any DetailedField)?.worded(by: messages, in: id) ?? $0 })
    }
}

extension DetailedField {
    fileprivate func worded(by messages: MessageTable, in form: String) -> Self {
        func words(_ name: String) -> String? { messages.wording(of: form, apiKey.rawValue + "." + name) }
        return changing { details in
            details.label = words("label") ?? label
            details.placeholder = words("placeholder") ?? placeholder
            details.help = words("help") ?? help
        }
    }
}

extension MessageTable {
    fileprivate func wording(of form: String, _ name: String) -> String? {
        let code = "form." + form + "." + name
        return has(code) ? sentence(code) : nil
    }
}
