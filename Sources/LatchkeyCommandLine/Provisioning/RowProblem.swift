import LatchkeyForms

/// What is wrong in a row, and where.
struct RowProblem: Sendable {
    /// From 1.
    let line: Int
    /// In code points from 1; nil where it stands nowhere.
    let column: Int?
    let failure: RuleFailure

    /// As a line for people, and as `--json` has it. Neither has any value of the row.
    ///
    /// - Parameter name: of the file.
    func told(of name: String, in form: Form, _ messages: MessageTable) -> (line: String, json: JSONValue) {
        var sentence = messages.sentence(for: failure, in: form)
        if failure.field == nil {
            var values = failure.values
            values["field"] = .text(messages.sentence("tool.import_row"))
            sentence = messages.sentence("rule." + failure.code.rawValue, values)
        }
        let place = name + ":\(line)" + (column.map { ":\($0)" } ?? "")
        let field = failure.field.map { $0.rawValue + ": " } ?? ""
        return (
            "\(place): \(field)\(failure.code.rawValue): \(sentence)",
            .object([
                ("line", .integer(line)), ("column", column.map { .integer($0) } ?? .null),
                ("field", failure.field.map { .string($0.rawValue) } ?? .null),
                ("code", .string(failure.code.rawValue)), ("message", .string(sentence)),
            ])
        )
    }
}
