/// An ordered list of fields with an ID, a title, a submit label and links to other flows.
public struct Form: Sendable {
    /// The raw value of the form's ``AccountType``, or an ID that your program chooses.
    public let id: String
    /// The heading above the fields.
    public let title: String
    /// The label of the submit button.
    public let submit: String
    /// The flows that the form links to, in display order.
    public let links: [AccountType]
    /// The fields, in the order in which they are asked.
    public let fields: [any FormField]
    /// One validator for each field, in the same order.
    private(set) var validators: [FieldValidator]
    /// Whether any field has a condition.
    private let hasConditions: Bool

    /// Creates a form from fields defined in Swift. ``FormCatalogue`` reads forms from JSON.
    public init(
        id: String, title: String, submit: String, links: [AccountType] = [], fields: [any FormField]
    ) {
        self.id = id
        self.title = title
        self.submit = submit
        self.links = links
        self.fields = fields
        validators = fields.map { FieldValidator($0) }
        hasConditions = fields.contains { $0.condition != nil }
    }

    /// The flow of the form; nil for a form of your program.
    public var accountType: AccountType? { AccountType(rawValue: id) }

    /// The field with this key; nil if the form has none.
    public func field(_ key: FieldKey) -> (any FormField)? { fields.first { $0.apiKey == key } }

    /// The field that a request of the API names, by its key or by ``otherNameOfEmail``.
    package func field(named name: String) -> (any FormField)? {
        let key = FieldKey(rawValue: name)
        return field(key) ?? (key == Self.otherNameOfEmail ? field(.email) : nil)
    }

    /// The name that requests of the API may use instead of `email_field`, as in accounts, unless the form has a field of
    /// that name.
    package static let otherNameOfEmail: FieldKey = "email"

    /// The fields with a condition that `values` do not meet. They are not asked, checked or stored. Conditions treat a
    /// hidden field as empty.
    public func hiddenFields(_ values: borrowing FormValues) -> Set<FieldKey> {
        guard hasConditions else { return [] }
        var hidden: Set<FieldKey> = []
        for field in fields {
            guard let condition = field.condition else { continue }
            let value = hidden.contains(condition.field) ? nil : values.value(of: condition.field)
            if hidden.contains(condition.field) || !condition.isMet(by: value) { hidden.insert(field.apiKey) }
        }
        return hidden
    }

    /// Sets fields without a value to their defaults.
    package func fillDefaults(_ values: inout FormValues) {
        for field in fields where !values.has(field.apiKey) {
            if let value = field.defaultValue { values.set(value, for: field) }
        }
    }

    /// Validates `values` and returns the first failure of each invalid field, in field order.
    public func failures(of values: borrowing FormValues) -> [RuleFailure] {
        var failures: [RuleFailure] = []
        let hidden = hiddenFields(values)
        for place in validators.indices where hidden.isEmpty || !hidden.contains(fields[place].apiKey) {
            if let failure = failure(at: place, in: values) { failures.append(failure) }
        }
        return failures
    }

    /// The first failure of the field at `place` for which `counts` returns true.
    func failure(
        at place: Int, in values: borrowing FormValues,
        where counts: (RuleFailure) -> Bool = { _ in true }
    ) -> RuleFailure? {
        let failure = validators[place].failure(in: values, at: place, where: counts)
        guard let failure else { return nil }
        // A valid value needs no further look-up, because an import checks millions of values.
        if accountType?.traits.hidesUnusableValues == true, values.unusable(fields[place].apiKey) != nil { return nil }
        return failure
    }

    /// The minimum length of the empty field at `place`, as a sentence; nil for none.
    package func demand(at place: Int, _ messages: MessageTable) -> String? {
        validators[place].demandedLength.map { rule in
            messages.sentence("demand.\(rule.code.rawValue)", ["length": .integer(rule.length)])
        }
    }

    /// The number of missing characters at `place`, if `failure` means that the value is too short.
    func missing(for failure: RuleFailure, at place: Int, in values: borrowing FormValues) -> Int? {
        validators[place].missing(for: failure, in: values)
    }

    /// Sets the field at `place` to `text`. It is like ``FormValues/set(_:for:)`` but does not look up the field, for
    /// code that fills in a form a million times. ``failures(of:)`` reports values that were not accepted.
    package func fill(_ values: inout FormValues, at place: Int, with text: UTF8Span) {
        _ = values.set(text, for: validators[place].traits, near: place)
    }

    /// Records that the value for the field at `place` was of the wrong kind.
    package func refuse(_ values: inout FormValues, at place: Int) {
        values.refuse(validators[place].traits, near: place)
    }

    /// Sets the field at `place` to a value of any kind.
    package func fill(_ values: inout FormValues, at place: Int, with value: FieldValue) {
        _ = values.set(value, for: validators[place].traits, near: place)
    }

    /// A copy of the form without the field `key`.
    public func without(_ key: FieldKey) -> Form {
        Form(id: id, title: title, submit: submit, links: links, fields: fields.filter { $0.apiKey != key })
    }

    /// The second step of a form that asks for a code later. It contains only the field for the code, which is
    /// required. Nil if the form has no such field.
    package func codeStep(title: String, submit: String) -> Form? {
        guard let field = field(.code) else { return nil }
        return Form(
            id: id, title: title, submit: submit,
            fields: [RecoveryCodeField(label: field.label, placeholder: field.placeholder)])
    }

    /// A copy of the form without the checks that an account service repeats. Only for callers that pass all values to
    /// a service.
    ///
    /// The check for common passwords is the slowest rule. The check for unsafe usernames applies only to new names,
    /// which the form cannot detect.
    package var withoutServiceChecks: Form {
        var form = self
        form.validators = fields.map { field in
            FieldValidator(field) { rule in
                (field.apiKey == .password && rule is NotCommonRule)
                    || (field.apiKey == .username && rule is AccountNameRule)
            }
        }
        return form
    }
}
