public import LatchkeyForms
import LatchkeySystem

/// A rule that accepts every value and counts its runs.
public struct CountingRule: Rule {
    public let code = RuleFailure.Code(rawValue: "counting")

    private let runs = Locked(0)

    public init() {}

    /// The number of runs.
    public var count: Int { runs.withLock { $0 } }

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        runs.withLock { $0 += 1 }
        return nil
    }
}

/// A password field with a ``CountingRule``.
public struct CountedPasswordField: FormTextField {
    public let apiKey = FieldKey.password
    public let placeholder = "Password"
    public let isSecret = true
    public let rule = CountingRule()

    public init() {}

    public var validationRules: [any Rule] { [rule, RequiredRule()] }
}
