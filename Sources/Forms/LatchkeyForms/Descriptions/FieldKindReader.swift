import LatchkeyText

/// Reads the properties that depend on the kind of a field: its keys, rules, options, default and condition.
struct FieldKindReader {
    private let key: FieldKey
    private let kind: FieldKind
    private let isSecret: Bool
    private let rules: [DescribedRuleEntry]?

    /// Reads `kind`. If it is missing, a field with a `oneOf` rule is a choice and a field with a `date` rule is a
    /// date, unless another key indicates text.
    init(
        _ key: FieldKey, isSecret: Bool, _ rules: [DescribedRuleEntry]?, _ reader: inout ObjectReader
    ) throws(FormDescriptionError) {
        self.key = key
        self.isSecret = isSecret
        self.rules = rules
        let given = try reader.name("kind", of: FieldKind.self)
        let isBuiltIn = Self.builtIn.contains(key)
        if let given, given != .text, isBuiltIn {
            throw reader.error(.mustBeText(key.rawValue), at: reader.place(of: "kind"))
        }
        if let given, given != .text, isSecret {
            throw reader.error(.mustBeText(key.rawValue), at: reader.place(of: "kind"))
        }
        kind = given ?? (isSecret || isBuiltIn ? .text : Self.kind(for: rules ?? [], reader))
        for entry in rules ?? [] where !entry.type.kinds.contains(kind) {
            throw reader.error(.ruleNotForKind(entry.type.name, kind), at: entry.place)
        }
    }

    /// The fields of the built-in flows, which are text fields that are always asked.
    private static let builtIn: [FieldKey] = [.username, .email, .password, .currentPassword, .code]

    private static func kind(for rules: [DescribedRuleEntry], _ reader: ObjectReader) -> FieldKind {
        let isText = reader.members.contains { ["keyboardType", "trim", "confirm", "suggestions"].contains($0.key) }
        let kind: FieldKind =
            rules.contains { $0.rule is OneOfRule } ? .choice : rules.contains { $0.rule is DateRule } ? .date : .text
        return !isText && rules.allSatisfy { $0.type.kinds.contains(kind) } ? kind : .text
    }

    /// Reads the rest of the field, except for the reference to another field in its condition.
    func field(
        flag: String, _ reader: inout ObjectReader
    ) throws(FormDescriptionError) -> any DetailedField {
        try refuseKeys(&reader)
        let field = try field(try details(flag: flag, &reader), &reader)
        guard let node = reader.node("default") else { return field }
        let value = try defaultValue(node, of: field, reader)
        return field.changing { $0.defaultValue = value }
    }

    private func details(flag: String, _ reader: inout ObjectReader) throws(FormDescriptionError) -> FieldDetails {
        let label = try reader.string("label")
        let placeholder = try label == nil ? reader.requiredString("placeholder") : reader.string("placeholder")
        var details = FieldDetails(key, label: label ?? placeholder ?? key.rawValue)
        details.placeholder = placeholder ?? ""
        details.flag = flag
        details.help = try reader.string("help")
        details.validationRules = rules?.map(\.rule) ?? (kind == .boolean ? [] : [RequiredRule()])
        for (place, entry) in (rules ?? []).enumerated() { details.messages[place] = entry.message }
        details.isOptional = try reader.bool("optional") ?? false
        details.page = try reader.string("page")
        details.textColor = try reader.name("textColor", of: ColorRole.self) ?? .default
        details.autocomplete = try reader.string("autocomplete")
        details.condition = try condition(&reader)
        details.claim = try claim(&reader)
        return details
    }

    private func claim(_ reader: inout ObjectReader) throws(FormDescriptionError) -> FieldClaim? {
        let (name, scope) = (try reader.string("claim"), try reader.string("scope"))
        guard let name else {
            guard scope == nil else { throw reader.error(.missingKey("claim"), at: reader.place(of: "scope")) }
            return nil
        }
        for (key, text, reserved) in [
            ("claim", name, FieldClaim.reserved),
            ("scope", scope ?? FieldClaim.standardScope, FieldClaim.reservedScopes),
        ] {
            guard FormDescription.isName(text, underscores: true) else {
                throw reader.error(.badName(key, text), at: reader.place(of: key))
            }
            guard !reserved.contains(text) else {
                throw reader.error(.reservedClaim(key, text), at: reader.place(of: key))
            }
        }
        guard !isSecret else { throw reader.error(.notWithSecret("claim"), at: reader.place(of: "claim")) }
        return FieldClaim(name, scope: scope ?? FieldClaim.standardScope)
    }

    private func field(
        _ details: FieldDetails, _ reader: inout ObjectReader
    ) throws(FormDescriptionError) -> any DetailedField {
        switch kind {
        case .text, .multiline:
            return DescribedField(
                details: details, kind: kind,
                keyboardType: try reader.name("keyboardType", of: KeyboardType.self) ?? .default, isSecret: isSecret,
                isMasked: try isMasked(&reader), confirms: try reader.bool("confirm") ?? false,
                trims: try trims(&reader),
                suggestions: try reader.strings("suggestions", maximum: 256) ?? [])
        case .choice: return ChoiceField(details, options: try options(&reader))
        case .choices:
            let options = try options(&reader)
            let minimum = try reader.integer("minimum", in: 0...256)
            let maximum = try reader.integer("maximum", in: 1...256)
            if let minimum, minimum > options.count {
                throw reader.error(.tooFewOptions(options.count), at: reader.place(of: "minimum"))
            }
            if let minimum, let maximum, maximum < minimum {
                throw reader.error(.outOfOrder("maximum", lower: "minimum"), at: reader.place(of: "maximum"))
            }
            return ChoicesField(details, options: options, optionCount: (minimum, maximum))
        case .boolean: return BooleanField(details)
        case .date: return DateField(details)
        }
    }

    private func isMasked(_ reader: inout ObjectReader) throws(FormDescriptionError) -> Bool {
        let isMasked = try reader.bool("masked")
        if isMasked != nil, !isSecret { throw reader.error(.onlyWithSecret("masked"), at: reader.place(of: "masked")) }
        if isMasked == false, key != .code, Self.builtIn.contains(key) {
            throw reader.error(.mustBeMasked(key.rawValue), at: reader.place(of: "masked"))
        }
        return isMasked ?? isSecret
    }

    private func trims(_ reader: inout ObjectReader) throws(FormDescriptionError) -> Bool {
        let trims = try reader.bool("trim")
        guard isSecret else { return trims ?? true }
        if trims == true { throw reader.error(.mustNotTrim, at: reader.place(of: "trim")) }
        return false
    }

    /// Refuses the keys that do not apply to the kind, and those that would reveal a secret.
    private func refuseKeys(_ reader: inout ObjectReader) throws(FormDescriptionError) {
        for (name, kinds) in Self.keys where !kinds.contains(kind) {
            guard let node = reader.node(name) else { continue }
            throw reader.error(.keyNotForKind(name, kind), at: node.place)
        }
        for name in ["default", "suggestions"] where isSecret {
            guard let node = reader.node(name) else { continue }
            throw reader.error(.notWithSecret(name), at: node.place)
        }
    }

    /// The kinds to which each key applies. Other keys apply to all kinds.
    private static let keys: [(name: String, kinds: Set<FieldKind>)] = [
        ("confirm", [.text]), ("keyboardType", [.text]),
        ("suggestions", [.text]), ("masked", [.text]), ("trim", [.text, .multiline]),
        ("labels", [.choice, .choices]), ("minimum", [.choices]), ("maximum", [.choices]),
    ]

    // MARK: Options

    /// The values of the first `oneOf` rule, with their labels from `labels`.
    private func options(_ reader: inout ObjectReader) throws(FormDescriptionError) -> [FieldOption] {
        guard let entry = rules?.first(where: { $0.rule is OneOfRule }), let rule = entry.rule as? OneOfRule else {
            throw reader.error(.kindNeedsOptions(kind), at: reader.place(of: "kind"))
        }
        if kind == .choices, rule.values.contains(where: { $0.contains(FieldValue.separator) }) {
            throw reader.error(.separatorInOption, at: entry.valuesPlace)
        }
        var labels: [String: String] = [:]
        if let object = try reader.object("labels") {
            for member in object.members {
                guard rule.values.contains(member.key) else {
                    throw object.error(.notAnOption(member.key, of: key.rawValue), at: member.keyPlace)
                }
                guard case .string(let label) = member.value.content else {
                    throw object.error(.wrongType(member.key, expected: "string"), at: member.value.place)
                }
                guard !label.isEmpty else { throw object.error(.empty(member.key), at: member.value.place) }
                labels[member.key] = label
            }
        }
        return rule.values.map { FieldOption($0, label: labels[$0]) }
    }

    // MARK: Default and condition

    /// Reads a string, a boolean, or an array of strings, none of which may be empty.
    private static func value(
        _ node: JSONNode, _ name: String, _ reader: ObjectReader
    ) throws(FormDescriptionError) -> FieldValue {
        switch FieldValue(node.value) {
        case .text(let text) where text.isEmpty: throw reader.error(.empty(name), at: node.place)
        case .list(let texts) where texts.isEmpty || texts.contains(""):
            throw reader.error(.empty(name), at: node.place)
        case let value?: return value
        case nil: throw reader.error(.wrongType(name, expected: "string"), at: node.place)
        }
    }

    private func defaultValue(
        _ node: JSONNode, of field: any FormField, _ reader: ObjectReader
    ) throws(FormDescriptionError) -> FieldValue {
        let place = node.place
        let value = try Self.value(node, "default", reader)
        var values = FormValues()
        let failure =
            values.set(value, for: field) ?? FieldValidator(field).failure(in: values, at: 0) { $0.other == nil }
        if let failure { throw reader.error(.badDefault(failure.code), at: place) }
        return values.value(of: key) ?? value
    }

    /// Reads `when`. ``FieldDescriptions`` looks up the field that it refers to.
    private func condition(_ reader: inout ObjectReader) throws(FormDescriptionError) -> FieldCondition? {
        let place = reader.place(of: "when")
        guard var object = try reader.object("when") else { return nil }
        guard !Self.builtIn.contains(key) else { throw reader.error(.alwaysAsked(key.rawValue), at: place) }
        let field = try object.requiredString("field")
        guard let node = object.node("is") else { throw object.error(.missingKey("is")) }
        let values: [FieldValue] =
            switch try Self.value(node, "is", object) {
            case .list(let texts): texts.map { .text($0) }
            case let value: [value]
            }
        try object.finish()
        return FieldCondition(FieldKey(rawValue: field), isAnyOf: values)
    }
}

extension FieldCondition {
    /// A copy of the condition with its values spelled like the options of `field`.
    ///
    /// - Throws: the reason why `field` cannot have one of these values.
    func spelled(like field: any FormField) throws(FormDescriptionError.Problem) -> FieldCondition {
        let traits = FieldTraits(field)
        var spelled: [FieldValue] = []
        for value in values {
            switch value {
            case .boolean where field.kind == .boolean: spelled.append(value)
            case .text(let text) where !field.options.isEmpty:
                let spelling = traits.spelling(of: text)
                guard field.options.contains(where: { $0.value == spelling }) else {
                    throw .notAnOption(text, of: field.apiKey.rawValue)
                }
                spelled.append(.text(spelling))
            case .text where field.kind != .boolean: spelled.append(value)
            case .text, .boolean, .list: throw .notAnOption(value.text, of: field.apiKey.rawValue)
            }
        }
        return FieldCondition(self.field, isAnyOf: spelled)
    }
}
