import LatchkeyForms

/// A command as the table has it: from it come the parser's understanding and the help.
struct CommandSpec: Sendable {
    /// `["accounts", "create"]`; none for `latchkey` alone.
    let words: [String]
    /// One line, for lists.
    let summary: String
    /// What it does, for its own help.
    let about: String
    /// What stands behind the words; nil where nothing may.
    var operand: Operand?
    /// The flow whose fields are flags.
    var form: AccountType?
    /// A field that is no flag because the operand gives it.
    var operandField: FieldKey?
    var flags: [FlagSpec] = []
    /// Whether it needs the forms in force although none of them gives it flags.
    var readsForms = false
    let statuses: [ExitStatus]
    let examples: [String]
    let run: @Sendable (Run) async throws(ToolFailure) -> Void

    /// Whether the forms in force are needed; where not, broken ones do not matter.
    var needsForms: Bool { form != nil || readsForms }

    /// The words with spaces.
    var name: String { words.joined(separator: " ") }

    struct Operand: Sendable {
        let name: String
        let isRequired: Bool
    }

    /// All flags of its own: those of the form's fields, and the rest.
    func flags(in forms: FormCatalogue) -> [FlagSpec] {
        let fields = form.map { forms.form(for: $0).fields } ?? []
        return fields.filter { $0.apiKey != operandField }.flatMap(FlagSpec.flags) + flags
    }
}
