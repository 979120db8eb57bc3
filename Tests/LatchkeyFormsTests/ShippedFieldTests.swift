import LatchkeyForms
import Testing

/// The fields in Swift equal those of the shipped forms.
@Suite(.timeLimit(.minutes(60)))
struct ShippedFieldTests {
    private static let fields: [(AccountType, any FormTextField)] = [
        (.setup, EmailField()), (.setup, UsernameField()), (.setup, NewPasswordField()),
        (.forgotPassword, EmailField()),
        (.resetPassword, RecoveryCodeField()), (.resetPassword, NewPasswordField(placeholder: "New password")),
        (.changePassword, CurrentPasswordField()),
    ]

    @Test(arguments: fields)
    func `a field in Swift matches the shipped form`(type: AccountType, field: any FormTextField) throws {
        let shipped = try #require(try FormCatalogue().form(for: type).field(field.apiKey) as? any FormTextField)
        #expect(properties(of: field) == properties(of: shipped))
        let rules = field.validationRules.map { String(reflecting: $0) }
        #expect(rules == shipped.validationRules.map { String(reflecting: $0) })
    }

    /// All properties except the rules.
    private func properties(of field: any FormTextField) -> [String] {
        [
            field.apiKey.rawValue, field.placeholder, field.label, field.flag, field.help ?? "",
            field.keyboardType.rawValue, "\(field.messages)", "\(field.isSecret)", "\(field.confirms)",
            "\(field.isOptional)", "\(field.trims)", field.textColor.rawValue, field.autocomplete ?? "",
            "\(field.maximumBytes)",
        ]
    }
}
