/// Holds for a password that is on no list of common ones, and not built from what the other answers tell of its owner,
/// or from the service's name.
///
/// Where a list is damaged, the rule holds: it is the account service that must not set a password then, and says why.
public struct NotCommonRule: DescribedRule {
    public static let name = "notCommon"
    public let code = RuleFailure.Code.notCommon

    private let passwords: CommonPasswords

    public init(_ passwords: CommonPasswords = .standard) { self.passwords = passwords }

    public init(arguments: inout RuleArguments) throws(FormDescriptionError.Problem) {
        passwords = arguments.commonPasswords
    }

    public func check(_ value: UTF8Span, in form: borrowing FormValues) -> RuleFailure? {
        (try? passwords.reason(against: value, in: PasswordContext(form))).map(RuleFailure.init)
    }
}

extension RuleFailure {
    /// That a password is too common; of no field yet.
    public init(_ reason: CommonPasswords.Reason) {
        self.init(code: .notCommon, values: ["reason": .text(reason.rawValue)])
    }
}
