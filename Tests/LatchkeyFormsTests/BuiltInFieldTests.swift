import LatchkeyForms
import Testing

/// The fields in Swift are those of the shipped descriptions.
@Suite struct BuiltInFieldTests {
    private static let forms: [(AccountType, [any FormTextField])] = [
        (.setup, [EmailField(), UsernameField(), NewPasswordField()]),
        (.forgotPassword, [EmailField()]),
        (.resetPassword, [RecoveryCodeField(), NewPasswordField(placeholder: "New password")]),
    ]

    @Test(arguments: forms)
    func `a form in Swift asks what the shipped one asks`(type: AccountType, fields: [any FormTextField]) throws {
        let shipped = try FormCatalogue().form(for: type).fields
        try #require(fields.count == shipped.count)
        for (field, described) in zip(fields, shipped) {
            #expect(field.apiKey == described.apiKey)
            #expect(field.placeholder == described.placeholder)
            #expect(field.flag == described.flag)
            #expect(field.keyboardType == described.keyboardType)
            #expect(field.isSecret == described.isSecret)
            #expect(field.confirms == described.confirms)
            #expect(field.autocomplete == described.autocomplete)
            #expect(field.validationRules.map(\.code) == described.validationRules.map(\.code))
        }
    }

    @Test func `the current password is only required`() {
        let field = CurrentPasswordField()
        #expect(field.isSecret && !field.confirms && !field.trims)
        #expect(field.validationRules.map(\.code) == [.required])
    }
}
