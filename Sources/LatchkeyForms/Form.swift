/// Ordered fields under an id, with a title, a submit label and links to other flows.
public struct Form: Sendable {
    /// What it is called: the raw value of the ``AccountType`` it belongs to, or a name of a program's own.
    public let id: String
    public let title: String
    /// What the button that sends it says.
    public let submit: String
    public let links: [AccountType]
    public let fields: [any FormTextField]
    /// Of the fields, in their order.
    private(set) var judges: [FieldJudge]
    var judgement: (any SecretJudgement)?

    public init(
        id: String, title: String, submit: String, links: [AccountType] = [], fields: [any FormTextField]
    ) {
        self.id = id
        self.title = title
        self.submit = submit
        self.links = links
        self.fields = fields
        judges = fields.map { FieldJudge($0) }
    }

    /// The flow that this form belongs to; nil for a program's own form.
    public var accountType: AccountType? { AccountType(rawValue: id) }

    public func field(_ key: FieldKey) -> (any FormTextField)? { fields.first { $0.apiKey == key } }

    /// Each field's first failure, in the order of the fields.
    public func failures(of values: borrowing FormValues) -> [RuleFailure] {
        var failures: [RuleFailure] = []
        for place in judges.indices {
            if let failure = failure(at: place, in: values) { failures.append(failure) }
        }
        return failures
    }

    /// The first failure of the field at `place`, leaving out what depends on fields that are `pending`.
    func failure(at place: Int, in values: borrowing FormValues, pending: [FieldKey] = []) -> RuleFailure? {
        let failure = judges[place].failure(in: values, at: place, pending: pending, judgement: judgement(at: place))
        guard let failure else { return nil }
        if accountType?.hidesUnusableValues == true, values.unusable(fields[place].apiKey) != nil { return nil }
        return failure
    }

    /// What an answer at `place` has to be like, to be known before there is one; nil where nothing is asked of it.
    func demand(at place: Int, _ messages: MessageTable) -> String? {
        judges[place].demandedLength.map { rule in
            messages.sentence("demand.\(rule.code.rawValue)", ["length": .integer(rule.length)])
        }
    }

    /// How many characters the value at `place` lacks, where that is what `failure` says.
    func missing(for failure: RuleFailure, at place: Int, in values: borrowing FormValues) -> Int? {
        judges[place].missing(for: failure, in: values)
    }

    /// The same form without one of its fields.
    public func without(_ key: FieldKey) -> Form {
        Form(id: id, title: title, submit: submit, links: links, fields: fields.filter { $0.apiKey != key })
    }

    /// The same form, which no longer judges whether the password is a common one: for those who hand all answers to an
    /// account service, which does in any case, and by the same lists. It is the dearest of the rules.
    package var leavingCommonPasswords: Form {
        var form = self
        form.judges = fields.map { field in
            FieldJudge(field) { field.apiKey == .password && $0 is NotCommonRule }
        }
        return form
    }

    /// The same form with a second answer behind each field that is to be asked twice.
    public func askingTwice(_ messages: MessageTable) -> Form {
        let fields = fields.flatMap { field -> [any FormTextField] in
            guard field.confirms else { return [field] }
            return [field, ConfirmationField(of: field, label: messages.confirmationLabel(of: field.label))]
        }
        return Form(id: id, title: title, submit: submit, links: links, fields: fields)
    }
}
