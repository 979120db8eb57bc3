/// A rule that checks one value of a form.
///
/// A rule for secrets must not copy the value into a `String` that outlives the check.
public protocol Rule: Sendable {
    /// The stable code of its failures.
    var code: RuleFailure.Code { get }

    /// Checks `value`. Returns nil if it is valid.
    ///
    /// - Parameters:
    ///   - form: the values of all fields, for rules that compare fields.
    ///   - value: the text of the field.
    func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure?

    /// The canonical spelling of `value`; nil if the rule defines none.
    func normalForm(of value: UTF8Span) -> String?

    /// The variant of the rule for a secret field. It counts the length of a secret in code points, whatever the unit.
    func onSecret() -> any Rule
}

extension Rule {
    public func normalForm(of value: UTF8Span) -> String? { nil }
    public func onSecret() -> any Rule { self }
}

/// A rule that form descriptions can use by name.
public protocol DescribedRule: Rule {
    /// The name in descriptions, in camelCase.
    static var name: String { get }

    /// The kinds of fields to which the rule applies. It receives the canonical string of a value, and each value of a
    /// list separately. The default is all kinds except `boolean`.
    static var kinds: Set<FieldKind> { get }

    /// Creates the rule from the arguments in a description. Arguments that it does not read are refused as unknown.
    init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem)
}

extension DescribedRule {
    public static var kinds: Set<FieldKind> { Set(FieldKind.allCases).subtracting([.boolean]) }
}

/// A rule without arguments.
public protocol ArgumentlessRule: DescribedRule {
    /// Creates the rule.
    init()
}

extension ArgumentlessRule {
    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) { self.init() }
}
