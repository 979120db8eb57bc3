/// The rules that descriptions may use, by name.
public struct RuleRegistry: Sendable {
    private var rules: [String: any DescribedRule.Type]

    /// What ``NotCommonRule`` asks, where a description names it.
    public var commonPasswords = CommonPasswords.standard

    public init(_ rules: [any DescribedRule.Type]) {
        self.rules = Dictionary(rules.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
    }

    /// The rules that come with Latchkey.
    public static let standard = RuleRegistry([
        RequiredRule.self, MinLengthRule.self, MaxLengthRule.self, EmailRule.self, UsernameRule.self,
        PasswordRule.self, ConfirmationRule.self, DiffersRule.self, ExactLengthRule.self, ASCIIRule.self,
        AlphaRule.self, AlphaNumericRule.self, NumericRule.self, IntegerRule.self, FloatRule.self, HexColorRule.self,
        OneOfRule.self, NoneOfRule.self, ContainsRule.self, ExcludesRule.self, FullNameRule.self, DateRule.self,
        IPv4Rule.self, IPv6Rule.self, CardNumberRule.self, ISBNRule.self, PhoneNumberRule.self, RegexRule.self,
        CharacterSetRule.self, URLRule.self, NotCommonRule.self, StrengthRule.self, ZipCodeRule.self,
    ])

    /// Adds a rule, or replaces the one of its name.
    public mutating func register(_ rule: any DescribedRule.Type) { rules[rule.name] = rule }

    /// In the order of the alphabet.
    public var names: [String] { rules.keys.sorted() }

    func rule(named name: String) -> (any DescribedRule.Type)? { rules[name] }
}
