/// A rule that a form's description can name.
public protocol DescribedRule: Rule {
    /// What a description calls it, in camel case.
    static var name: String { get }

    /// Reads its arguments from a description; what it does not read is refused as unknown.
    init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem)
}
