/// Reads the fields of one form description.
struct FieldDescriptions {
    let file: String
    let rules: RuleRegistry
    private(set) var fields: [any FormField] = []
    private var references: [Reference] = []

    /// A rule of one field that refers to another field.
    private struct Reference {
        let from: FieldKey
        let to: FieldKey
        let place: TextPlace
        /// Whether the rule requires equal values.
        let isRepetition: Bool
    }

    init(file: String, rules: RuleRegistry) {
        self.file = file
        self.rules = rules
    }

    mutating func read(_ node: JSONNode) throws(FormDescriptionError) {
        var reader = try ObjectReader(element: node, of: "fields", in: file)
        let key = FieldKey(rawValue: try reader.requiredString("apiKey"))
        guard FormDescription.isName(key.rawValue, underscores: true) else {
            throw reader.error(.badName("apiKey", key.rawValue), at: reader.place(of: "apiKey"))
        }
        guard !ReservedFlags.columns.contains(key.rawValue) else {
            throw reader.error(.reserved("apiKey", key.rawValue), at: reader.place(of: "apiKey"))
        }
        guard !fields.contains(where: { $0.apiKey == key }) else {
            throw reader.error(.duplicate("apiKey", key.rawValue), at: reader.place(of: "apiKey"))
        }
        let isSecret = try reader.bool("secret") ?? false
        try checkSecrecy(of: key, isSecret: isSecret, reader: reader)
        let flag = try flag(&reader, of: key)
        let rules = try ruleList(&reader, of: key)
        var field = try FieldKindReader(key, isSecret: isSecret, rules, &reader).field(flag: flag, &reader)
        if let condition = field.condition {
            let checked = try self.condition(condition, reader: reader)
            field = field.changing { $0.condition = checked }
        }
        try checkFlag(of: field, reader: reader)
        try checkPage(of: field, reader: reader)
        try reader.finish()
        fields.append(field)
    }

    /// Checks that `condition` refers to an earlier field that can have the values of the condition.
    private func condition(
        _ condition: FieldCondition, reader: ObjectReader
    ) throws(FormDescriptionError) -> FieldCondition {
        let place = reader.place(of: "when")
        guard let other = fields.first(where: { $0.apiKey == condition.field }) else {
            throw reader.error(.notAnEarlierField(condition.field.rawValue), at: place)
        }
        guard !other.isSecret else { throw reader.error(.dependsOnSecret(other.apiKey.rawValue), at: place) }
        do {
            return try condition.spelled(like: other)
        } catch {
            throw reader.error(error, at: place)
        }
    }

    /// Refuses pages that are not contiguous, or that start after the first field.
    private func checkPage(of field: any FormField, reader: ObjectReader) throws(FormDescriptionError) {
        guard let page = field.page else { return }
        let pages = fields.compactMap(\.page)
        let problem: FormDescriptionError.Problem
        if pages.isEmpty, !fields.isEmpty {
            problem = .pageTooLate
        } else if pages.last != page, pages.contains(page) {
            problem = .pageApart(page)
        } else {
            return
        }
        throw reader.error(problem, at: reader.place(of: "page"))
    }

    /// Refuses rules that refer to a missing field or to their own, repeat each other in a cycle, or would reveal a
    /// secret.
    func checkReferences() throws(FormDescriptionError) {
        var repeated: [FieldKey: Set<FieldKey>] = [:]
        for reference in references where reference.isRepetition {
            repeated[reference.from, default: []].insert(reference.to)
        }
        // Follows chains of repetitions.
        let repeatedByAny = repeated.mapValues { direct in
            var all = direct
            var next = Array(direct)
            while let key = next.popLast() {
                for further in repeated[key] ?? [] where all.insert(further).inserted { next.append(further) }
            }
            return all
        }
        for reference in references {
            guard let problem = problem(with: reference, repeatedByAny) else { continue }
            throw FormDescriptionError(file: file, place: reference.place, problem: problem)
        }
    }

    private func problem(
        with reference: Reference, _ repeated: [FieldKey: Set<FieldKey>]
    ) -> FormDescriptionError.Problem? {
        if reference.to == reference.from { return .refersToItself(reference.to.rawValue) }
        guard let other = fields.first(where: { $0.apiKey == reference.to }) else {
            return .noSuchField(reference.to.rawValue)
        }
        guard reference.isRepetition else { return nil }
        if repeated[reference.to]?.contains(reference.from) == true {
            return .repeatsInCircle(reference.to.rawValue)
        }
        // A field that repeats a secret must be a secret too.
        let isHidden = fields.contains { $0.apiKey == reference.from && $0.isSecret }
        return other.isSecret && !isHidden ? .repeatsSecret(other.apiKey.rawValue) : nil
    }

    /// Refuses a password or code field that is not secret, and a username or e-mail field that is secret.
    private func checkSecrecy(of key: FieldKey, isSecret: Bool, reader: ObjectReader) throws(FormDescriptionError) {
        let place = reader.place(of: "secret")
        if [.password, .currentPassword, .code].contains(key), !isSecret {
            throw reader.error(.mustBeSecret(key.rawValue), at: place)
        }
        if [.username, .email].contains(key), isSecret {
            throw reader.error(.mustNotBeSecret(key.rawValue), at: place)
        }
    }

    private func flag(_ reader: inout ObjectReader, of key: FieldKey) throws(FormDescriptionError) -> String {
        let given = try reader.string("flag")
        let flag = given ?? key.asFlag
        let place = reader.place(of: given == nil ? "apiKey" : "flag")
        let isName = FormDescription.isName(flag.filter { $0 != "-" }, underscores: true)
        guard isName, flag.utf8.count <= 64, !flag.contains("_"), !flag.hasPrefix("-"), !flag.hasSuffix("-") else {
            throw reader.error(.badFlag(flag), at: place)
        }
        guard !ReservedFlags.contains(flag) else { throw reader.error(.reserved("flag", flag), at: place) }
        guard !fields.contains(where: { $0.flags.contains(flag) }) else {
            throw reader.error(.duplicate("flag", flag), at: place)
        }
        return flag
    }

    /// Refuses a boolean field whose `--no-…` flag is already in use.
    private func checkFlag(of field: any FormField, reader: ObjectReader) throws(FormDescriptionError) {
        guard let negation = field.flags.first(where: { $0 != field.flag }), field.kind == .boolean else { return }
        let place = reader.place(of: reader.members.contains { $0.key == "flag" } ? "flag" : "apiKey")
        guard !ReservedFlags.contains(negation) else { throw reader.error(.reserved("flag", negation), at: place) }
        guard !fields.contains(where: { $0.flags.contains(negation) }) else {
            throw reader.error(.duplicate("flag", negation), at: place)
        }
    }

    private mutating func ruleList(
        _ reader: inout ObjectReader, of key: FieldKey
    ) throws(FormDescriptionError) -> [DescribedRuleEntry]? {
        guard let nodes = try reader.array("rules", maximum: FormDescription.maximumRules) else { return nil }
        var list: [DescribedRuleEntry] = []
        for node in nodes {
            var object = try ObjectReader(element: node, of: "rules", in: file)
            let name = try object.requiredString("rule")
            guard let type = rules.rule(named: name) else {
                throw object.error(.unknownName("rule", name, allowed: rules.names), at: object.place(of: "rule"))
            }
            let message = try object.string("message")
            let (rule, others) = try RuleArguments.rule(
                type, from: object, commonPasswords: rules.commonPasswords)
            references += others.map {
                Reference(from: key, to: $0.key, place: $0.place, isRepetition: rule is ConfirmationRule)
            }
            list.append(
                DescribedRuleEntry(
                    rule: rule, type: type, message: message, place: object.place(of: "rule"),
                    valuesPlace: object.place(of: "values")))
        }
        return list
    }
}

/// A rule of a description, with its positions.
struct DescribedRuleEntry {
    let rule: any Rule
    let type: any DescribedRule.Type
    /// The sentence that replaces the default sentence of the rule.
    let message: String?
    let place: TextPlace
    /// The position of the key `values`, if the rule has one.
    let valuesPlace: TextPlace
}

/// The names that are reserved for commands, which fields cannot use.
package enum ReservedFlags {
    /// The flags of all commands, and those of commands that have flags for form fields.
    package static let names: Set<String> = [
        "help", "help-all", "version", "json", "quiet", "no-input", "no-color", "store", "forms", "languages", "config",
        "lang",
        "open", "take-name",
        "generate", "no-password", "require-change", "id", "yes", "prune", "dry-run", "password-hash", "disabled",
        "created-at", "batch", "jobs", "no-rehash", "allow-downgrade", "accept-clock", "others", "all", "compromised",
        "send", "form", "jsonl", "policy", "source", "trace", "record", "print-token", "server", "state-dir",
        "group", "groups", "admin",
    ]

    /// The columns that an import reads in addition to the fields of the form.
    package static let columns: Set<String> = [
        "id", "password_hash", "totp_secret", "disabled", "require_change", "created_at", "groups",
    ]

    /// Whether `flag` is reserved, or ends like one of the three flags for secrets.
    package static func contains(_ flag: String) -> Bool {
        names.contains(flag) || flag.hasPrefix("hash-") || ["-stdin", "-file", "-fd"].contains { flag.hasSuffix($0) }
    }
}
