/// Changes to a form for accounts without a username, if the sign-up form allows them.
extension Form {
    /// Whether every account created with the form has a username.
    var requiresUsername: Bool { field(.username).map { !$0.isOptional } ?? false }

    /// Whether a rule of the username field refuses every e-mail address.
    var refusesAddresses: Bool {
        field(.username)?.validationRules.contains { $0 is UsernameRule || $0 is AccountNameRule } ?? false
    }

    /// The login form for accounts created with `setup`. If these have no username, it asks for the e-mail address.
    func identifyingAccounts(of setup: Form) -> Form {
        guard setup.field(.username) == nil, let email = setup.field(.email) else { return self }
        return changing(.username) { field in
            field.label = email.label
            field.placeholder = email.placeholder
        }
    }

    /// The profile form for accounts created with `setup`. It requires a username only if `setup` does.
    func askingForUsername(like setup: Form) -> Form {
        guard !setup.requiresUsername else { return self }
        guard setup.field(.username) != nil else { return without(.username) }
        return changing(.username) { field in
            field.isOptional = true
        }
    }

    private func changing(_ key: FieldKey, _ change: (inout FieldDetails) -> Void) -> Form {
        let fields = fields.map { field -> any FormField in
            guard field.apiKey == key, let field = field as? any DetailedField else { return field }
            return field.changing(change)
        }
        return Form(id: id, title: title, submit: submit, links: links, fields: fields)
    }
}
