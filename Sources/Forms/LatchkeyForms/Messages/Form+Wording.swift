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
    fileprivate func wording(of form: String, _ name: String) -> String? { replaced("form." + form + "." + name) }
}

extension ModuleSentences {
    /// The strings of the built-in forms, read from their descriptions. They are only needed to compare translations.
    package static let builtInForms = ModuleSentences("builtInForms", english: shippedStrings)

    private static let shippedStrings = AccountType.allCases.reduce(into: [String: String]()) { strings, type in
        let source = FormCatalogue.Source(shippedFor: type)
        guard let form = try? FormCatalogue.form(of: source) else { return }
        strings["form.\(form.id).title"] = form.title
        strings["form.\(form.id).submit"] = form.submit
        for field in form.fields {
            let name = "form.\(form.id).\(field.apiKey.rawValue)."
            strings[name + "label"] = field.label
            strings[name + "placeholder"] = field.placeholder
            strings[name + "help"] = field.help
        }
    }
}
