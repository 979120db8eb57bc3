extension Form {
    /// A copy of the form with the strings of `messages` for codes such as `form.setup.title`, `form.setup.submit` and
    /// `form.setup.email_field.label`. Strings without such a code stay unchanged.
    func worded(by messages: MessageTable) -> Form { replacingStrings { code, own in messages.replaced(code) ?? own } }

    /// The strings of the form by code.
    fileprivate var strings: [String: String] {
        var strings: [String: String] = [:]
        _ = replacingStrings { code, own in
            strings[code] = own
            return own
        }
        return strings
    }

    /// A copy of the form whose strings are replaced.
    ///
    /// - Parameter replace: gets the code of each string and the string, which is nil for a field without help.
    private func replacingStrings(_ replace: (_ code: String, String?) -> String?) -> Form {
        let code = "form." + id + "."
        return Form(
            id: id, title: replace(code + "title", title) ?? title, submit: replace(code + "submit", submit) ?? submit,
            links: links,
            fields: fields.map { ($0 as? any DetailedField)?.replacingStrings(code, replace) ?? $0 })
    }
}

extension DetailedField {
    fileprivate func replacingStrings(_ form: String, _ replace: (_ code: String, String?) -> String?) -> Self {
        let code = form + apiKey.rawValue + "."
        return changing { details in
            details.label = replace(code + "label", label) ?? label
            details.placeholder = replace(code + "placeholder", placeholder) ?? placeholder
            details.help = replace(code + "help", help)
        }
    }
}

extension ModuleSentences {
    /// The strings of the built-in forms, read from their descriptions. They are only needed to compare translations.
    package static let builtInForms = ModuleSentences("builtInForms", english: shippedStrings)

    private static let shippedStrings = AccountType.allCases.reduce(into: [String: String]()) { strings, type in
        let form = try? FormCatalogue.form(of: FormCatalogue.Source(shippedFor: type))
        strings.merge(form?.strings ?? [:]) { first, _ in first }
    }
}
