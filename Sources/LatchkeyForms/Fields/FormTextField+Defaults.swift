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

    /// Whether a password is chosen here, and not one given that was chosen before: what is asked of it tells.
    var isNewPassword: Bool {
        isSecret && validationRules.contains { $0 is NotCommonRule || $0 is StrengthRule }
    }
}
