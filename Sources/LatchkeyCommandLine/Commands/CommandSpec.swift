import LatchkeyForms

/// A command as the table has it: from it come the parser's understanding and the help.
struct CommandSpec: Sendable {
    /// `["accounts", "create"]`; none for `latchkey` alone.
    let words: [String]
    /// One line, for lists.
    let summary: String
    /// What it does, for its own help.
    let about: String
    /// More of that, a line each, for those of whom it is long.
    var more: [String] = []
    /// What stands behind the words; nil where nothing may.
    var operand: Operand?
    /// The form whose fields are flags.
    var form: FieldSource?
    /// A field that is no flag because the operand gives it.
    var operandField: FieldKey?
    /// The one field of the form whose flags it takes; nil for all.
    var onlyField: FieldKey?
    /// Whether the form's secrets are no flags.
    var leavesOutSecrets = false
    /// Those that come from no form and from no setting.
    var flags: [FlagSpec] = []
    /// Whether it hashes a password, and so takes the flags of the cost.
    var hashesPasswords = false
    /// Whether it needs the forms in force although none of them gives it flags.
    var readsForms = false
    /// Whether it runs though settings are refused, to say which.
    var toleratesSettings = false
    let statuses: [ExitStatus]
    /// Replaces ``statuses`` for a command that implements an interface defined elsewhere.
    var externalExitCodes: ExternalExitCodes?
    let examples: [String]
    /// The program that has the command.
    var program = "latchkey"
    let run: @Sendable (CommandContext) async throws(ToolFailure) -> Void

    /// Whether the forms in force are needed; where not, broken ones do not matter.
    var needsForms: Bool {
        switch form {
        case .flow: true
        case .operand, nil: readsForms
        }
    }

    /// The words with spaces.
    var name: String { words.joined(separator: " ") }

    struct Operand: Sendable {
        let name: String
        let isRequired: Bool
        /// Whether it is a program with its arguments, which stand behind `--`.
        var isProgram = false
        /// Whether `--` is not needed in front of that program: all from the first word on that is no flag is its.
        var endsFlags = false
        /// What it is; where nil, its name says so.
        var kind: ValueKind?
    }

    /// Where a form comes from whose fields are flags.
    enum FieldSource: Sendable {
        case flow(AccountType)
        /// The file that the operand names. It is called `name`, and stands before the flags.
        case operand(name: String)
    }

    /// Its flags except those of the form's fields and of every command.
    var ownFlags: [FlagSpec] { flags + (hashesPasswords ? FlagSpec.hashCost : []) }

    /// Its flags except those of every command.
    func flags(of form: Form?) -> [FlagSpec] {
        (form?.fields ?? []).filter {
            $0.apiKey != operandField && (onlyField == nil || $0.apiKey == onlyField)
                && !(leavesOutSecrets && $0.isSecret)
        }.flatMap(FlagSpec.flags) + ownFlags
    }
}
