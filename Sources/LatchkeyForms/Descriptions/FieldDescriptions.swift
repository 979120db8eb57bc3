/// Reads the fields of one form description.
struct FieldDescriptions {
    let file: String
    let rules: RuleRegistry
    private(set) var fields: [any FormTextField] = []
    private var references: [Reference] = []

    /// A rule of one field that names another field.
    private struct Reference {
        let from: FieldKey
        let to: FieldKey
        let place: TextPlace
        /// Whether the rule demands equal values.
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
        let placeholder = try reader.requiredString("placeholder")
        let isSecret = try reader.bool("secret") ?? false
        try checkSecrecy(of: key, isSecret: isSecret, reader: reader)
        let (validationRules, messages) = try ruleList(&reader, of: key)
        let field = DescribedField(
            apiKey: key, placeholder: placeholder, label: try reader.string("label") ?? placeholder,
            flag: try flag(&reader, of: key), help: try reader.string("help"),
            keyboardType: try reader.name("keyboardType", of: KeyboardType.self) ?? .default,
            validationRules: validationRules, messages: messages, isSecret: isSecret,
            confirms: try reader.bool("confirm") ?? false, isOptional: try reader.bool("optional") ?? false,
            trims: isSecret ? try refuseTrim(&reader) : try reader.bool("trim") ?? true,
            textColor: try reader.name("textColor", of: ColorRole.self) ?? .default,
            autocomplete: try reader.string("autocomplete"))
        try reader.finish()
        fields.append(field)
    }

    /// Refuses rules that name a missing field or their own, repeat each other in a circle, or would reveal a secret.
    func checkReferences() throws(FormDescriptionError) {
        var repeated: [FieldKey: Set<FieldKey>] = [:]
        for reference in references where reference.isRepetition {
            repeated[reference.from, default: []].insert(reference.to)
        }
        // Follows repetitions of repetitions.
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
        // A field that repeats a secret must be secret too.
        let isHidden = fields.contains { $0.apiKey == reference.from && $0.isSecret }
        return other.isSecret && !isHidden ? .repeatsSecret(other.apiKey.rawValue) : nil
    }

    /// Refuses a password or code that is not secret, and a username or e-mail address that is.
    private func checkSecrecy(of key: FieldKey, isSecret: Bool, reader: ObjectReader) throws(FormDescriptionError) {
        let place = reader.place(of: "secret")
        if [.password, .currentPassword, .code].contains(key), !isSecret {
            throw reader.error(.mustBeSecret(key.rawValue), at: place)
        }
        if [.username, .email].contains(key), isSecret {
            throw reader.error(.mustNotBeSecret(key.rawValue), at: place)
        }
    }

    private func refuseTrim(_ reader: inout ObjectReader) throws(FormDescriptionError) -> Bool {
        if try reader.bool("trim") == true {
            throw reader.error(.mustNotTrim, at: reader.place(of: "trim"))
        }
        return false
    }

    private func flag(_ reader: inout ObjectReader, of key: FieldKey) throws(FormDescriptionError) -> String {
        let given = try reader.string("flag")
        let flag = given ?? key.asFlag
        let place = reader.place(of: given == nil ? "apiKey" : "flag")
        let isName = FormDescription.isName(flag.filter { $0 != "-" }, underscores: true)
        guard isName, flag.utf8.count <= 64, !flag.contains("_"), !flag.hasPrefix("-"), !flag.hasSuffix("-") else {
            throw reader.error(.badName("flag", flag), at: place)
        }
        guard !ReservedFlags.contains(flag) else { throw reader.error(.reserved("flag", flag), at: place) }
        guard !fields.contains(where: { $0.flag == flag }) else {
            throw reader.error(.duplicate("flag", flag), at: place)
        }
        return flag
    }

    private mutating func ruleList(
        _ reader: inout ObjectReader, of key: FieldKey
    ) throws(FormDescriptionError) -> (rules: [any Rule], messages: [Int: String]) {
        guard let nodes = try reader.array("rules", maximum: FormDescription.maximumRules) else {
            return ([RequiredRule()], [:])
        }
        var list: [any Rule] = []
        var messages: [Int: String] = [:]
        for node in nodes {
            var object = try ObjectReader(element: node, of: "rules", in: file)
            let name = try object.requiredString("rule")
            guard let type = rules.rule(named: name) else {
                throw object.error(.unknownName("rule", name, allowed: rules.names), at: object.place(of: "rule"))
            }
            messages[list.count] = try object.string("message")
            let (rule, others) = try RuleArguments.rule(
                type, from: object, commonPasswords: rules.commonPasswords)
            references += others.map {
                Reference(from: key, to: $0.key, place: $0.place, isRepetition: rule is ConfirmationRule)
            }
            list.append(rule)
        }
        return (list, messages)
    }
}

/// The names that belong to commands, which no field may use.
package enum ReservedFlags {
    /// The flags of all commands, and of the commands that have flags for the fields of a form.
    package static let names: Set<String> = [
        "help", "version", "json", "quiet", "no-input", "no-color", "store", "forms", "config", "lang", "open",
        "generate", "no-password", "require-change", "id", "yes", "prune", "dry-run", "password-hash", "disabled",
        "created-at", "batch", "jobs", "no-rehash", "allow-downgrade", "accept-clock", "others", "all", "compromised",
        "send", "form", "jsonl", "policy", "source", "trace", "record", "print-token",
    ]

    /// The columns that an import reads in addition to the fields of the form.
    package static let columns: Set<String> = ["id", "password_hash", "disabled", "require_change", "created_at"]

    /// Whether `flag` is reserved, or ends like one of the three flags that give a secret.
    package static func contains(_ flag: String) -> Bool {
        names.contains(flag) || flag.hasPrefix("hash-") || ["-stdin", "-file", "-fd"].contains { flag.hasSuffix($0) }
    }
}

/// A field from a description.
struct DescribedField: FormTextField {
    let apiKey: FieldKey
    var placeholder: String
    var label: String
    let flag: String
    var help: String?
    let keyboardType: KeyboardType
    let validationRules: [any Rule]
    let messages: [Int: String]
    let isSecret: Bool
    let confirms: Bool
    var isOptional: Bool
    let trims: Bool
    let textColor: ColorRole
    let autocomplete: String?
}
