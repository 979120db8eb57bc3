/// What ``FormViewModel/validateForm()`` found.
public enum ValidationResult: Equatable, Sendable {
    case valid
    /// Each field's first failure, in the order of the fields; never empty.
    case invalid([RuleFailure])
}
