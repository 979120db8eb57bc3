import LatchkeyAccounts
import LatchkeyForms

/// A flag that a command takes.
struct FlagSpec: Sendable {
    /// Without its hyphens.
    let name: String
    var short: Character?
    /// What its value is called in help; nil for a flag that takes none.
    var value: String?
    /// What the value is; nil for a flag that takes none.
    let kind: ValueKind?
    let summary: String
    /// For a flag that is there only to be refused, since a secret must not be an argument: the one to use instead.
    var refusedSecret: String?

    /// - Parameter kind: what the value is, where what it is called (``ValueKind/init(called:)``) does not say it.
    init(
        _ name: String, short: Character? = nil, value: String? = nil, of kind: ValueKind? = nil, _ summary: String,
        refusedSecret: String? = nil
    ) {
        self.name = name
        self.short = short
        self.value = value
        self.kind = value.map { kind ?? ValueKind(called: $0) }
        self.summary = summary
        self.refusedSecret = refusedSecret
    }

    private static let languages = Language.allCases.map(\.rawValue)

    /// Of the flows, for a program in front of this one.
    static let source = FlagSpec(
        "source", value: "ADDRESS", "where the request came from (IPv4 or IPv6): for delays, sessions and records")

    /// Of what is asked in the terminal.
    static let record = FlagSpec(
        "record", value: "FILE", "keep what happens in the terminal in a new FILE, without any secret: latchkey replay")

    /// The flags that belong to no command.
    static let common = [
        FlagSpec("store", value: "PATH", "the store (LATCHKEY_STORE)"),
        FlagSpec("forms", value: "DIR", "a folder of forms that replace the built-in ones (LATCHKEY_FORMS)"),
        FlagSpec("config", value: "FILE", "the configuration (LATCHKEY_CONFIG)"),
        FlagSpec("trace", value: "FILE", "add each event to FILE, a line of JSON each (LATCHKEY_TRACE)"),
        FlagSpec(
            "policy", value: "NAME", of: .oneOf(PolicyPreset.all.map(\.name)),
            "what is asked of passwords: standard or nist (LATCHKEY_POLICY)"),
        FlagSpec(
            "lang", value: "LANG", of: .oneOf(languages),
            "the language of messages: \(languages.joined(separator: ", "))"
                + " (LATCHKEY_LANG, LC_ALL, LC_MESSAGES, LANG)"),
        FlagSpec("hash-memory", value: "KIB", "memory of a new password hash (LATCHKEY_HASH_MEMORY)"),
        FlagSpec("hash-iterations", value: "N", "passes of a new password hash (LATCHKEY_HASH_ITERATIONS)"),
        FlagSpec("hash-parallelism", value: "N", "lanes of a new password hash (LATCHKEY_HASH_PARALLELISM)"),
        FlagSpec("json", "the result as JSON on standard output"),
        FlagSpec("quiet", short: "q", "nothing but results and errors"),
        FlagSpec("no-input", "never ask; fail where something is missing (LATCHKEY_NO_INPUT)"),
        FlagSpec("no-color", "no colours in prompts (NO_COLOR, LATCHKEY_NO_COLOR)"),
        FlagSpec("help", short: "h", "this text"),
        FlagSpec("version", "the version"),
    ]
}
