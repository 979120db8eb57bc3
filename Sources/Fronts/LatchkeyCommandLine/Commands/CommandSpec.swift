import LatchkeyForms

/// A row of ``CommandTable``, from which the parser, the help, the manual page and the completions are generated.
package struct CommandSpec: Sendable {
    /// The words of the command, such as `["accounts", "create"]`; empty for `latchkey` alone.
    let words: [String]
    /// One line, for lists of commands.
    let summary: String
    /// The description of the command in its help.
    let about: String
    /// More help, one line each.
    var more: [String] = []
    /// The operand after the words of the command; nil if there is none.
    var operand: Operand?
    /// The form whose fields are flags; nil if there is none.
    var form: FieldSource?
    /// Whether the operand is a login name that fills in a field of the form.
    var operandIsLoginName = false
    /// Whether the field filled in by the operand also has a flag.
    var keepsFlagOfOperand = false
    /// The only field of the form that has flags; nil for all fields.
    var onlyField: FieldKey?
    /// Whether to omit the flags for the form's secrets.
    var leavesOutSecrets = false
    /// The flags that belong to neither a form nor a setting. They are computed on demand, because a process only needs
    /// those of one command.
    @Deferred var flags: [FlagSpec] = []
    /// Whether the command hashes a password, and therefore has the flags for the cost.
    var hashesPasswords = false
    /// Whether the command is `serve` or checks its start, and therefore has the flags of the service's settings.
    var serves = false
    /// Whether the command checks the service's settings, which only `latchkey-service` can.
    var checksService = false
    /// Whether the command needs the operator's lists of passwords without opening the store.
    var readsLists = false
    /// Whether the command needs the current forms although none of its flags comes from them.
    var readsForms = false
    /// Whether the command passes messages to the mailer before it exits.
    var delivers = false
    /// Whether the command accepts `--server`, because it works on the caller's account.
    var worksOverServer = false
    /// Whether the command opens stores with an older schema, which all other commands refuse.
    var migrates = false
    /// Whether only `latchkey-service` has the command.
    var isOfService = false
    /// Whether the command runs until it is stopped and logs to standard error.
    var writesLog = false
    /// Whether only operators run it. A group states it for its commands.
    var forOperators = false
    /// Whether the command runs despite invalid settings, which it then reports.
    var toleratesSettings = false
    let statuses: [ExitStatus]
    /// Replaces ``statuses`` for a command that implements an external interface.
    var externalExitCodes: ExternalExitCodes?
    let examples: [String]
    /// The program to which the command belongs.
    var program = Self.mainProgram
    /// Runs the command. `CommandLineTool` prints the result.
    let run: @Sendable (CommandContext) async throws(ToolFailure) -> CommandResult

    /// Whether the command reads the current forms. If not, it ignores a broken form.
    var needsForms: Bool {
        switch form {
        case .flow: true
        case .operand, nil: readsForms
        }
    }

    /// Whether the command may open the store or needs files next to it.
    var usesStore: Bool {
        readsLists || externalExitCodes != nil || ExitStatus.ofStores.allSatisfy(statuses.contains)
    }

    /// Whether only operators run the command, as set for it or its group. Its messages are then in English.
    func isForOperators(among commands: [CommandSpec]) -> Bool {
        commands.contains { $0.forOperators && $0.words.first == words.first }
    }

    /// The program whose commands ``CommandTable`` lists.
    static let mainProgram = "latchkey"

    /// The words, separated by spaces.
    var name: String { words.joined(separator: " ") }

    struct Operand: Sendable {
        let name: String
        let isRequired: Bool
        /// Whether the operand may occur several times.
        var isRepeatable = false
        /// Whether the help shows that the last operand may occur any number of times.
        var showsRepetition = true
        /// Whether the operand is a program with its arguments, after `--`.
        var isProgram = false
        /// Whether `--` is optional: everything after the first non-flag argument goes to the program.
        var endsFlags = false
        /// The kind of value; if nil, inferred from the name.
        var kind: ValueKind?
        /// The flag, without hyphens, that has the same meaning; nil if there is none.
        var flag: String?
    }

    /// The source of the form whose fields become flags.
    enum FieldSource: Sendable {
        case flow(AccountType)
        /// The file given as the operand `name`, which comes before the flags.
        case operand(name: String)
    }

    /// Throws status 64 if `--server` is combined with a command that needs a store, or with a store.
    func checkServer(_ settings: Settings) throws(ToolFailure) {
        guard settings.server != nil, let given = settings.values[.server] else { return }
        try settings.refuseStoreBesideServer()
        if case .flag = given.origin, !worksOverServer { throw .serverUnwanted(name: given.origin.name) }
    }

    /// The command's flags, without those of the form's fields and those of every command.
    var ownFlags: [FlagSpec] { flags + flagsOfSettings }

    /// The flags of settings that are not those of every command.
    var flagsOfSettings: [FlagSpec] {
        (serves ? FlagSpec.serving : []) + (hashesPasswords ? FlagSpec.hashCost : [])
    }

    /// The command's flags, without those of every command.
    func flags(of form: Form?) -> [FlagSpec] {
        (form?.fields ?? []).filter {
            (keepsFlagOfOperand || $0.apiKey != operandField(of: form)) && (onlyField == nil || $0.apiKey == onlyField)
                && !(leavesOutSecrets && $0.isSecret)
        }.flatMap(FlagSpec.flags) + ownFlags
    }

    /// The field that the operand fills in: the username, or the e-mail address if `form` does not ask for a username.
    func operandField(of form: Form?) -> FieldKey? {
        guard operandIsLoginName, let form else { return nil }
        return form.field(.username) == nil ? .email : .username
    }

    /// A command of `latchkey-bench`.
    ///
    /// - Parameters:
    ///   - words: the words of the command; empty for the program alone.
    ///   - run: runs the command.
    package static func benchmark(
        _ words: [String], summary: String, about: String, flags: [FlagSpec] = [], statuses: [ExitStatus],
        examples: [String], run: @escaping @Sendable (CommandContext) async throws(ToolFailure) -> CommandResult
    ) -> CommandSpec {
        CommandSpec(
            words: words, summary: summary, about: about, flags: flags, statuses: statuses, examples: examples,
            program: "latchkey-bench", run: run)
    }

    /// A group of commands, identified by their first words. Without another word, it fails and lists the commands.
    static func group(_ name: String, summary: String, about: String, forOperators: Bool = false) -> CommandSpec {
        let words = name.split(separator: " ").map(String.init)
        return CommandSpec(
            words: words, summary: summary, about: about, forOperators: forOperators, statuses: [.usage],
            examples: ["latchkey \(name) --help"]
        ) { (_) async throws(ToolFailure) in
            let members = CommandTable.all.filter { $0.words.count == words.count + 1 && $0.words.starts(with: words) }
            throw .commandMissing(group: name, known: members.map { $0.words[words.count] }.joined(separator: ", "))
        }
    }
}

/// A value that is computed on each access.
@propertyWrapper
struct Deferred<Value>: Sendable {
    private let make: @Sendable () -> Value

    init(wrappedValue make: @autoclosure @escaping @Sendable () -> Value) { self.make = make }

    var wrappedValue: Value { make() }
}

extension CommandSpec.Operand {
    /// A username, an e-mail address or an ID.
    static let account = CommandSpec.Operand(name: "NAME", isRequired: true)
    /// One or more usernames, e-mail addresses or IDs.
    static let accounts = CommandSpec.Operand(name: "NAME", isRequired: true, isRepeatable: true)
}
