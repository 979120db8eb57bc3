extension Form {
    /// A JSON Schema (2020-12) for the values that a program sends with the form.
    ///
    /// It accepts all values that the form accepts. The form is stricter, because most rules cannot be expressed in
    /// JSON Schema.
    ///
    /// - Parameters:
    ///   - isRequest: whether the values are those of a request, which may use ``otherNameOfEmail``.
    ///   - requires: whether the schema requires a field that the form refuses without a value. By default, it requires all
    ///     of them, except in the profile, which changes only the fields that it receives.
    package func valueSchema(isRequest: Bool = false, requires: ((any FormField) -> Bool)? = nil) -> JSONValue {
        let requires = requires ?? { _ in accountType != .profile }
        // A form that hides unusable values accepts strings of any length and with NULs.
        let isBounded = accountType?.traits.hidesUnusableValues != true
        var properties = fields.map { ($0.apiKey, $0.valueSchema(isBounded: isBounded)) }
        var required = fields.filter { $0.mustBeGiven && requires($0) }.map(\.apiKey)
        var choice: [FieldKey] = []
        if isRequest, field(Self.otherNameOfEmail) == nil, let email = field(.email) {
            properties.append((Self.otherNameOfEmail, email.valueSchema(isBounded: isBounded)))
            if let index = required.firstIndex(of: .email) {
                required.remove(at: index)
                choice = [.email, Self.otherNameOfEmail]
            }
        }
        var members: [(key: String, value: JSONValue)] = [
            ("type", .string("object")), ("properties", .object(properties.map { ($0.rawValue, $1) })),
        ]
        if !required.isEmpty { members.append(Self.requirement(of: required)) }
        // A request gives the address under one of the two names.
        if !choice.isEmpty {
            members.append(("oneOf", .array(choice.map { .object([Self.requirement(of: [$0])]) })))
        }
        members.append(("additionalProperties", .bool(false)))
        return .object(members)
    }

    private static func requirement(of keys: [FieldKey]) -> (key: String, value: JSONValue) {
        ("required", .array(keys.map { .string($0.rawValue) }))
    }
}

extension FormField {
    /// Whether the form refuses every request without the field, whatever the other values are.
    fileprivate var mustBeGiven: Bool { condition == nil && refusesEmptyValue }

    /// Whether an empty value is refused while the field is visible.
    private var refusesEmptyValue: Bool {
        if isOptional || defaultValue != nil { return false }
        return switch kind {
        case .choice, .date: true
        case .choices: validationRules.contains { $0 is RequiredRule } || (optionCount.minimum ?? 0) > 0
        case .text, .multiline, .boolean: validationRules.contains { $0.refusesEmptyText }
        }
    }

    fileprivate func valueSchema(isBounded: Bool) -> JSONValue {
        var members: [(key: String, value: JSONValue)] = []
        // The form does not check the value of a field that is not asked.
        let isChecked = condition == nil
        switch kind {
        case .boolean:
            members.append(("type", .string("boolean")))
            if isChecked, validationRules.contains(where: { $0 is RequiredRule }) {
                members.append(("const", .bool(true)))
            }
        case .choices:
            members += [("type", .string("array")), ("items", optionSchema)]
            if isChecked, isBounded, refusesEmptyValue {
                members.append(("minItems", .integer(max(optionCount.minimum ?? 0, 1))))
            }
        case .choice: members.append(("anyOf", optionSchema["anyOf"] ?? .array([])))
        case .text, .multiline, .date:
            members.append(("type", .string("string")))
            if isChecked {
                if let minimum = minimumLength(isBounded) { members.append(("minLength", .integer(minimum))) }
                if isBounded { members.append(("maxLength", .integer(maximumLength))) }
            }
        }
        members.append(("title", .string(label)))
        if let help { members.append(("description", .string(help))) }
        if let defaultValue { members.append(("default", defaultValue.json)) }
        if isSecret { members.append(("writeOnly", .bool(true))) }
        return .object(members)
    }

    /// One of the options, or any string, because the form ignores case and surrounding white space in options.
    private var optionSchema: JSONValue {
        .object([
            (
                "anyOf",
                .array([
                    .object([("enum", .array(options.map { .string($0.value) }))]),
                    .object([("type", .string("string"))]),
                ])
            )
        ])
    }

    /// The minimum number of code points, the unit of JSON Schema; nil for none.
    private func minimumLength(_ isBounded: Bool) -> Int? {
        guard refusesEmptyValue else { return nil }
        // Preparation can make a secret longer.
        guard isBounded, !isSecret else { return 1 }
        return validationRules.reduce(1) { max($0, $1.leastScalars) }
    }

    /// The maximum number of code points, which never exceeds the number of bytes.
    private var maximumLength: Int {
        // Trimming and replacing CR LF shorten a value before it is measured, and preparation can shorten a secret.
        guard kind == .text, !isSecret, (self as? any FormTextField)?.trims == false else { return maximumBytes }
        return validationRules.reduce(maximumBytes) { min($0, $1.mostScalars ?? $0) }
    }
}

extension Rule {
    /// Whether the rule refuses an empty string, whatever the other values are.
    fileprivate var refusesEmptyText: Bool {
        self is RequiredRule || self is EmailRule || self is UsernameRule || leastScalars > 0
    }

    /// The minimum number of code points that the rule accepts.
    fileprivate var leastScalars: Int {
        guard let rule = self as? any LengthDemandingRule else { return 0 }
        return switch rule.unit {
        case .graphemes, .scalars: rule.length
        case .utf16: (rule.length + 1) / 2
        case .bytes: (rule.length + 3) / 4
        }
    }

    /// The maximum number of code points that the rule accepts; nil for no bound.
    fileprivate var mostScalars: Int? {
        let (length, unit): (Int, TextUnit)
        switch self {
        case let rule as MaxLengthRule: (length, unit) = (rule.length, rule.unit)
        case let rule as ExactLengthRule: (length, unit) = (rule.length, rule.unit)
        default: return nil
        }
        // A grapheme can have any number of code points.
        return unit == .graphemes ? nil : length
    }
}
