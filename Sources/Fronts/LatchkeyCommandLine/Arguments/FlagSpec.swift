import LatchkeyForms

/// A flag of a command.
package struct FlagSpec: Sendable {
    /// The name without hyphens.
    let name: String
    var short: Character?
    /// More names, without hyphens.
    var aliases: [String] = []
    /// The name of the value in help; nil for a flag without a value.
    var value: String?
    /// The kind of the value; nil for a flag without a value.
    var kind: ValueKind?
    /// One line without a full stop. If there is a default, it comes at the end in brackets.
    let summary: String
    /// The flag to use instead. Set only for a flag that is refused, because a secret must not be an argument.
    var refusedSecret: String?
    /// Whether the flag is repeatable.
    var isRepeatable = false

    /// Describes a flag of one command.
    ///
    /// - Parameter kind: required if the kind cannot be inferred from the name of the value
    ///   (``ValueKind/init(called:)``).
    package init(
        _ name: String, short: Character? = nil, value: String? = nil, of kind: ValueKind? = nil, _ summary: String,
        refusedSecret: String? = nil, isRepeatable: Bool = false
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.kind = value.map { kind ?? ValueKind(called: $0) }
        self.summary = summary
        self.refusedSecret = refusedSecret
        self.isRepeatable = isRepeatable
    }

    /// The flag of a setting, with its variables and default in the help; nil if the setting has no flag.
    init?(_ setting: Setting) {
        guard let flag = setting.flag else { return nil }
        let variables = setting.variables.isEmpty ? "" : " (" + setting.variables.joined(separator: ", ") + ")"
        let standard = setting.defaultText.map { " [\($0)]" } ?? ""
        self.init(
            flag, value: setting.valueName, of: setting.choices.map(ValueKind.oneOf),
            setting.help + variables + standard, isRepeatable: setting.isRepeatable)
        aliases = setting.flagAliases
    }

    /// The flag with which another program specifies the origin of a request, for the commands of the flows.
    static let source = FlagSpec(
        "source", value: "ADDRESS", "Address of the request (IPv4 or IPv6), for throttles, sessions and the audit trail"
    )

    /// The flags of every command.
    static let common =
        ofSettings(for: .all) + [
            FlagSpec("json", "Print the result as JSON on standard output"),
            FlagSpec("quiet", short: "q", "Print only results and errors"),
            FlagSpec("help", short: "h", "Show this help"),
            FlagSpec("help-all", "Show this help with every flag and the exit statuses"),
            FlagSpec("version", short: "V", "Show the version"),
        ]

    /// The flags of commands that hash a password.
    static let hashCost = ofSettings(for: .hashing)

    /// The flags of `serve`.
    static let serving = ofSettings(for: .serving)

    private static func ofSettings(for commands: Setting.Commands) -> [FlagSpec] {
        Setting.all.filter { $0.commands == commands }.compactMap { FlagSpec($0) }
    }

    /// The flags for a form field: a flag with its name, or for a secret the three flags that keep it out of the
    /// arguments.
    static func flags(for field: any FormField) -> [FlagSpec] {
        guard field.isSecret else { return flags(forPublic: field) }
        return SecretSource.allCases.map { source in
            FlagSpec(source.flag(of: field), value: source.valueName, "\(field.label) from \(source.summary)")
        } + SecretEnvironment.refusedFlags(of: field).map { FlagSpec($0, value: "", "", refusedSecret: field.flag) }
    }

    private static func flags(forPublic field: any FormField) -> [FlagSpec] {
        let standard = field.defaultValue.flatMap { value -> String? in
            if case .boolean = value { return nil }
            return " [\(value.text)]"
        }
        let help = (field.help ?? (field.placeholder.isEmpty ? field.label : field.placeholder)) + (standard ?? "")
        switch field.kind {
        case .text: return [FlagSpec(field.flag, value: "TEXT", of: .text, help)]
        case .multiline:
            return [
                FlagSpec(field.flag, value: "TEXT", of: .text, help),
                FlagSpec(field.flag + "-file", value: "PATH", "\(field.label) from a file; - for standard input"),
            ]
        case .choice, .choices:
            let values = field.options.map(\.value)
            let list = values.count <= 8 ? ": " + values.joined(separator: ", ") : ""
            let words = (field.help ?? field.label) + list + (standard ?? "")
            return [
                FlagSpec(
                    field.flag, value: "VALUE", of: .oneOf(values), words, isRepeatable: field.kind == .choices)
            ]
        case .boolean:
            let isTrue = field.defaultValue == .boolean(true)
            return [
                FlagSpec(field.flag, (field.help ?? field.label) + (isTrue ? " [yes]" : "")),
                FlagSpec("no-" + field.flag, "The opposite of --\(field.flag)" + (isTrue ? "" : " [default]")),
            ]
        case .date:
            let words = (field.help ?? field.label) + (standard ?? "")
            return [FlagSpec(field.flag, value: "YYYY-MM-DD", of: .text, words)]
        }
    }
}
