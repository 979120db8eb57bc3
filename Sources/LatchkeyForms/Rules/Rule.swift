/// One check of one value in its form.
///
/// A rule that may stand on a secret reads the bytes it is lent and makes no `String` of them that outlives the check.
public protocol Rule: Sendable {
    /// The code of its failures, for ever the same.
    var code: RuleFailure.Code { get }

    /// Nil where the rule holds for `value`; `form` has the other answers, for rules across fields.
    func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure?

    /// The one spelling that stands for all that are equal to `value`; nil where the rule knows none.
    func normalForm(of value: UTF8Span) -> String?

    /// The rule as it stands on a secret field: lengths of secrets are counted in code points, whatever the unit.
    func onSecret() -> any Rule
}

extension Rule {
    public func normalForm(of value: UTF8Span) -> String? { nil }
    public func onSecret() -> any Rule { self }
}

/// A rule that a form's description can name.
public protocol DescribedRule: Rule {
    /// What a description calls it, in camel case.
    static var name: String { get }

    /// Reads its arguments from a description; what it does not read is refused as unknown.
    init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem)
}
