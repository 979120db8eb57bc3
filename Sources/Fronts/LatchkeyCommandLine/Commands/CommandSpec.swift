import LatchkeyForms

/// A row of ``CommandTable``, from which the parser, the help, the manual page and the completions are generated.
package struct CommandSpec: Sendable {
    /// `["accounts", "create"]`; none for `latchkey` alone.
    let words: [String]
    /// One line, for lists.
    let summary: String
    /// The description of the command in its help.
    let about: String
    /// More help, a line each.
    var more: [String] = []
    /// The operand after the words of the command; nil if it takes none.
    var operand: Operand?
    /// The form whose fields are flags.
    var form: FieldSource?
    /// Whether the operand is a login name, and so gives a field of the form.
    var operandIsLoginName = false
    /// Whether the field that the operand gives has a flag too.
    var keepsFlagOfOperand = false
    /// The only field of the form that has flags; nil for all fields.
    var onlyField: FieldKey?
    /// Whether the form's secrets are no flags.
    var leavesOutSecrets = false
    /// The flags that belong neither to a form nor to a setting. Computed on demand, because a process needs only one
    /// command's.
    @Deferred var flags: [FlagSpec] = []
    /// Whether it hashes a password, and so takes the flags of the cost.
    var hashesPasswords = false
    /// Whether it needs the operator's lists of passwords, although it does not open the store.
    var readsLists = false
    /// Whether it needs the current forms although none of them gives it flags.
    var readsForms = false
    /// Whether it hands messages to the mailer before it ends.
    var delivers = false
    /// Whether it takes `--server`: it works on the caller's own account.
    var worksOverServer = false
    /// Whether it takes a store of an older schema, which every other command refuses to open.
    var migrates = false
    /// Whether only `latchkey-service` has it.
    var isOfService = false
    /// Whether it runs for long, with a log on standard error.
    var writesLog = false
    /// Whether only operators run it. A group states it for its commands.
    var forOperators = false
    /// Whether it runs although keys of a configuration or variables are refused, which it then reports.
    var toleratesSettings = false
    let statuses: [ExitStatus]
    /// Replaces ``statuses`` for a command that implements an interface defined elsewhere.
    var externalExitCodes: ExternalExitCodes?
    let examples: [String]
    /// The program that has the command.
    var program = Self.mainProgram
    /// Carries out the command. `CommandLineTool` prints the result.
    let run: @Sendable (CommandContext) async throws(ToolFailure) -> CommandResult

    /// Whether the command reads the current forms; if not, a broken form does not matter.
    var needsForms: Bool {
        switch form {
        case .flow: true
        case .operand, nil: readsForms
        }
    }

    /// Whether it may open the store, or needs what is stored next to it.
    var usesStore: Bool {
        readsLists || externalExitCodes != nil || ExitStatus.ofStores.allSatisfy(statuses.contains)
    }

    /// Whether only operators run it: it or its group states that. Its messages are in English.
    func isForOperators(among commands: [CommandSpec]) -> Bool {
        commands.contains { $0.forOperators && $0.words.first == words.first }
    }

    /// The program whose commands ``CommandTable`` lists.
    static let mainProgram = "latchkey"

    /// The words with spaces.
    var name: String { words.joined(separator: " ") }

    struct Operand: Sendable {
        let name: String
        let isRequired: Bool
        /// Whether there may be several.
        var isRepeatable = false
        /// Whether it is a program with its arguments, which follow `--`.
        var isProgram = false
        /// Whether the program needs no `--`: everything after the first non-flag argument goes to it.
        var endsFlags = false
        /// The kind of value; if nil, inferred from the name.
        var kind: ValueKind?
    }

    /// The source of the form whose fields become flags.
    enum FieldSource: Sendable {
        case flow(AccountType)
        /// The file that the operand called `name` names, before the flags.
        case operand(name: String)
    }

    /// Throws status 64 if `--server` is given to a command that works on a store, or together with a store.
    func checkServer(_ settings: Settings) throws(ToolFailure) {
        guard settings.server != nil, let given = settings.values[.server] else { return }
        try settings.refuseStoreBesideServer()
        if case .flag = given.origin, !worksOverServer { throw .serverUnwanted(name: given.origin.name) }
    }

    /// Its flags except those of the form's fields and of every command.
    var ownFlags: [FlagSpec] { flags + (hashesPasswords ? FlagSpec.hashCost : []) }

    /// Its flags except those of every command.
    func flags(of form: Form?) -> [FlagSpec] {
        (form?.fields ?? []).filter {
            (keepsFlagOfOperand || $0.apiKey != operandField(of: form)) && (onlyField == nil || $0.apiKey == onlyField)
                && !(leavesOutSecrets && $0.isSecret)
        }.flatMap(FlagSpec.flags) + ownFlags
    }

    /// The field that the operand gives: the username, or the e-mail address if `form` asks for no username.
    func operandField(of form: Form?) -> FieldKey? {
        guard operandIsLoginName, let form else { return nil }
        return form.field(.username) == nil ? .email : .username
    }

    /// A command of `latchkey-bench`.
    ///
    /// - Parameters:
    ///   - words: none for the program alone.
    ///   - run: carries out the command.
    package static func benchmark(
        _ words: [String], summary: String, about: String, flags: [FlagSpec] = [], statuses: [ExitStatus],
        examples: [String], run: @escaping @Sendable (CommandContext) async throws(ToolFailure) -> CommandResult
    ) -> CommandSpec {
        CommandSpec(
            words: words, summary: summary, about: about, flags: flags, statuses: statuses, examples: examples,
            program: "latchkey-bench", run: run)
    }

    /// The first word of several commands. Alone, it fails and lists them.
    static func group(_ word: String, summary: String, about: String, forOperators: Bool = false) -> CommandSpec {
        CommandSpec(
            words: [word], summary: summary, about: about, forOperators: forOperators, statuses: [.usage],
            examples: ["latchkey \(word) --help"]
        ) { (_) async throws(ToolFailure) in
            let members = CommandTable.all.filter { $0.words.count == 2 && $0.words[0] == word }
            throw .commandMissing(group: word, known: members.map { $0.words[1] }.joined(separator: ", "))
        }
    }
}

/// A value that is computed at each access.
@propertyWrapper
struct Deferred<Value>: Sendable {
    private let make: @Sendable () -> Value

    init(wrappedValue make: @autoclosure @escaping @Sendable () -> Value) { self.make = make }

    var wrappedValue: Value { make() }
}

extension CommandSpec.Operand {
    /// A username, an e-mail address or an id.
    static let account = CommandSpec.Operand(name: "NAME", isRequired: true)
    /// The same for one or more accounts.
    static let accounts = CommandSpec.Operand(name: "NAME", isRequired: true, isRepeatable: true)
}
