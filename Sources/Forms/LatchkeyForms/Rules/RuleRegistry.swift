/// The rules that descriptions may use, by name.
public struct RuleRegistry: Sendable {
    private var rules: [String: any DescribedRule.Type]

    /// The check for common passwords that ``NotCommonRule`` uses in descriptions.
    public var commonPasswords = CommonPasswords.standard

    /// Creates a registry of rules. If two rules have the same name, the last one is used.
    public init(_ rules: [any DescribedRule.Type]) {
        self.rules = Dictionary(rules.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
    }

    /// The built-in rules.
    public static let standard = RuleRegistry([
        RequiredRule.self, MinLengthRule.self, MaxLengthRule.self, EmailRule.self, UsernameRule.self,
        AccountNameRule.self, PasswordRule.self, ConfirmationRule.self, DiffersRule.self, ExactLengthRule.self,
        ASCIIRule.self,
        AlphaRule.self, AlphaNumericRule.self, NumericRule.self, IntegerRule.self, FloatRule.self, HexColorRule.self,
        OneOfRule.self, NoneOfRule.self, ContainsRule.self, ExcludesRule.self, FullNameRule.self, DateRule.self,
        IPv4Rule.self, IPv6Rule.self, CardNumberRule.self, ISBNRule.self, PhoneNumberRule.self, RegexRule.self,
        CharacterSetRule.self, URLRule.self, NotCommonRule.self, StrengthRule.self, ZipCodeRule.self,
    ])

    /// Adds a rule, or replaces the rule with the same name.
    public mutating func register(_ rule: any DescribedRule.Type) { rules[rule.name] = rule }

    /// A copy with another rule.
    public func adding(_ rule: any DescribedRule.Type) -> RuleRegistry {
        var registry = self
        registry.register(rule)
        return registry
    }

    /// The names of the rules, sorted.
    public var names: [String] { rules.keys.sorted() }

    package func rule(named name: String) -> (any DescribedRule.Type)? { rules[name] }
}
