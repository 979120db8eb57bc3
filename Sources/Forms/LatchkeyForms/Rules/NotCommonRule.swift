/// Refuses passwords on a blocklist, and passwords derived from other values of the form or from the name of the
/// service.
///
/// If a list cannot be searched, the rule accepts the password. The account service then refuses it and reports the
/// reason.
public struct NotCommonRule: DescribedRule {
    public static let name = "notCommon"
    public static let kinds: Set<FieldKind> = [.text]
    public let code = RuleFailure.Code.notCommon

    private let passwords: CommonPasswords

    /// Creates the rule.
    public init(_ passwords: CommonPasswords = .standard) { self.passwords = passwords }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        passwords = arguments.commonPasswords
    }

    /// Fails with ``RuleFailure/Code/notCommon``.
    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        (try? passwords.reason(against: value, in: PasswordContext(form))).map(RuleFailure.init)
    }
}

extension RuleFailure {
    /// Creates the failure for a common password. Its field is nil.
    public init(_ reason: CommonPasswords.Reason) {
        self.init(code: .notCommon, values: ["reason": .text(reason.rawValue)])
    }
}

extension RuleFailure.Code {
    /// The password is common, or derived from public facts about its owner. Values: `reason`, a
    /// ``CommonPasswords/Reason``.
    public static let notCommon = Self(rawValue: "not_common")
}
