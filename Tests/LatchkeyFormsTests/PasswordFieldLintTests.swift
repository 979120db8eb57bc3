import Foundation
import LatchkeyForms
import TestSupport
import Testing

/// S-6: passwords are not required to contain particular kinds of characters.
@Suite(.timeLimit(.minutes(60)))
struct PasswordFieldLintTests {
    /// The rules that do not depend on kinds of characters. A new rule must be added here before a password field uses
    /// it.
    private static let harmless: Set<String> = [
        "required", "minLength", "maxLength", "password", "notCommon", "strength", "confirmation", "differs",
    ]

    private struct Description: Decodable {
        struct Field: Decodable {
            struct Rule: Decodable { let rule: String }
            let apiKey: String
            let secret: Bool?
            let rules: [Rule]?
        }
        let fields: [Field]
    }

    /// The rules of password fields that depend on kinds of characters, as `field: rule`.
    private func findings(in description: [UInt8]) throws -> [String] {
        try JSONDecoder().decode(Description.self, from: Data(description)).fields
            .filter { $0.secret == true && $0.apiKey != FieldKey.code.rawValue }
            .flatMap { field in (field.rules ?? []).map { (field.apiKey, $0.rule) } }
            .filter { !Self.harmless.contains($0.1) }.map { $0.0 + ": " + $0.1 }
    }

    @Test func `no shipped form requires particular kinds of characters in a password`() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: SourceTree.path(of: "Forms"))
            .filter { $0.hasSuffix(".json") && $0 != "form.schema.json" }
        #expect(names.count >= AccountType.allCases.count)
        for name in names { #expect(try findings(in: SourceTree.contents(of: "Forms/" + name)).isEmpty, "\(name)") }
    }

    @Test func `no password field in Swift requires particular kinds of characters`() {
        let fields: [any FormTextField] = [
            NewPasswordField(), CurrentPasswordField(),
            ConfirmationField(of: NewPasswordField(), label: "Password again"),
        ]
        let codes: Set<RuleFailure.Code> = [.required, .minLength, .password, .notCommon, .confirmation]
        for field in fields { #expect(codes.isSuperset(of: field.validationRules.map(\.code)), "\(field.apiKey)") }
    }

    @Test(arguments: ["contains", "alphaNumeric", "regex", "characterSet", "ascii", "numeric"])
    func `the check detects a rule that requires particular kinds of characters`(rule: String) throws {
        let planted = """
            {"fields": [{"apiKey": "password", "secret": true, "rules": [{"rule": "minLength"}, {"rule": "\(rule)"}]}]}
            """
        #expect(try findings(in: Array(planted.utf8)) == ["password: " + rule])
    }
}
