package import LatchkeyForms
import Testing

/// One row of `Tests/Fixtures/rules`: a value, and whether a rule accepts it.
package struct RuleCase: Sendable, CustomTestStringConvertible {
    package let name: String
    package let arguments: [(key: String, value: JSONValue)]
    package let value: String
    package let isSecret: Bool
    package let others: [(key: String, value: String)]
    package let isValid: Bool
    /// The code of the failure, if it differs from the rule's code.
    package let code: RuleFailure.Code?
    package let normal: String?
    package let why: String
    package let form: Form

    package var rule: any Rule { form.fields[0].validationRules[0] }

    package var testDescription: String { "\(name): \(why)" }

    /// Runs the rule as a field does.
    package func failure() throws -> RuleFailure? {
        var values = FormValues()
        for other in others {
            let field = try #require(form.field(FieldKey(rawValue: other.key)))
            #expect(values.set(other.value.utf8Span, for: field) == nil)
        }
        return (isSecret ? rule.onSecret() : rule).check(value.utf8Span, in: values)
    }

    package static func all() throws -> [RuleCase] { try RuleRegistry.standard.names.flatMap(rows) }

    package static func rows(of name: String) throws -> [RuleCase] { try #require(try tables.get()[name]) }

    /// Read once, because reading is the slowest part of the tests.
    private static let tables = Result {
        try Dictionary(
            uniqueKeysWithValues: RuleRegistry.standard.names.map { name in
                (name, try JSONLines.rows(in: "rules/\(name).jsonl").map { try RuleCase(name: name, row: $0) })
            })
    }

    private init(name: String, row: JSONValue) throws {
        self.name = name
        arguments = row["arguments"]?.members ?? []
        value = try #require(row["value"]?.string)
        why = try #require(row["why"]?.string)
        isValid = try #require(row["valid"]) == .bool(true)
        code = row["code"]?.string.map(RuleFailure.Code.init)
        normal = row["normal"]?.string
        let isSecret = row["secret"] == .bool(true)
        let others: [(key: String, value: String)] = (row["values"]?.members ?? []).compactMap { member in
            member.value.string.map { (member.key, $0) }
        }
        self.isSecret = isSecret
        self.others = others
        let rule = JSONValue.object([("rule", .string(name))] + arguments)
        form = try Trial.form(
            fields: [Trial.field("value", rules: [rule], isSecret: isSecret)]
                + others.map { Trial.field($0.key, rules: [], isSecret: isSecret) })
    }
}
