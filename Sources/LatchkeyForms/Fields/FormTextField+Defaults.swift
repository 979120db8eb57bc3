import LatchkeyText

extension FormTextField {
    public var label: String { placeholder }
    public var flag: String { apiKey.asFlag }
    public var help: String? { nil }
    public var keyboardType: KeyboardType { .default }
    public var validationRules: [any Rule] { [RequiredRule()] }
    public var messages: [Int: String] { [:] }
    public var isSecret: Bool { false }
    public var confirms: Bool { false }
    public var isOptional: Bool { false }
    public var trims: Bool { !isSecret }
    public var textColor: ColorRole { .default }
    public var autocomplete: String? { nil }

    /// What the values of this kind may have: a password 1024, a code 64, a name 255, an address 254, others 1024.
    public var maximumBytes: Int {
        if isSecret { return apiKey == .code ? 64 : PasswordRule.maximumBytes }
        switch apiKey {
        case .username: return 255
        case .email: return 254
        default: return 1024
        }
    }
}

extension FormTextField {
    /// Whether the built-in flows know what the value is for; any other is an attribute of the account.
    public var isAttribute: Bool { !isSecret && apiKey != .username && apiKey != .email }

    /// Why `text` cannot be a value of this field at all.
    func unusable(_ text: UTF8Span) -> RuleFailure? {
        if text.count > maximumBytes { return tooLong }
        let bytes = text.span
        return bytes.indices.contains { bytes[$0] == 0 } ? RuleFailure(code: .nul) : nil
    }

    var tooLong: RuleFailure { RuleFailure(code: .tooLong, values: ["maximum": .integer(maximumBytes)]) }

    /// The first of the field's rules that fails, if any, for the value in `values`.
    ///
    /// - Parameter pending: fields that are still to be asked for. What fails only for their sake is passed over.
    func failure(in values: borrowing FormValues, pending: [FieldKey] = []) -> RuleFailure? {
        if let failure = values.unusable(apiKey) { return failure }
        return values.withValue(of: apiKey) { value in
            if isOptional && value.isEmpty { return nil }
            for (index, rule) in validationRules.enumerated() {
                guard var failure = (isSecret ? rule.onSecret() : rule).check(value, in: values) else { continue }
                if let other = failure.other, pending.contains(other) { continue }
                failure.field = apiKey
                failure.rule = index
                return failure
            }
            // An attribute is shown to others: what steers their terminal must not get into it.
            guard isAttribute, DisplayText.violation(in: value) != nil else { return nil }
            return RuleFailure(code: .unprintable, field: apiKey)
        }
    }
}
