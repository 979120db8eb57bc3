import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing

/// A setting as the table has it: what gives it, and what it is where nothing does.
struct SettingSpec: Sendable {
    /// What a configuration file calls it, with a point before what is within: `hash.memory`. Where no file has it, what
    /// its flag is called.
    let key: String
    /// Without its hyphens; nil where no flag gives it.
    var flag: String?
    /// The environment variables that give it, the strongest first.
    var variables: [String] = []
    let summary: String
    /// What a source says of it; nil where it is silent.
    let value: @Sendable (SettingValues) -> JSONValue?
    /// What it is where no source says anything; nil where there is nothing then.
    var standard: @Sendable (ProcessEnvironment) -> JSONValue? = { _ in nil }

    /// Every setting but `messages`, which has a member for each sentence.
    static let all = [
        SettingSpec(
            key: "store", flag: "store", variables: ["LATCHKEY_STORE"], summary: "the store",
            value: { $0.store.map { .string($0) } },
            standard: { environment in
                (try? UserFolder.data.path(in: environment)).map { .string($0 + StoreLocation.defaultName) }
            }),
        SettingSpec(
            key: "forms", flag: "forms", variables: ["LATCHKEY_FORMS"],
            summary: "a folder of forms that replace the built-in ones", value: { $0.forms.map { .string($0) } }),
        SettingSpec(
            key: "config", flag: "config", variables: ["LATCHKEY_CONFIG"],
            summary: "the configuration, in the place of the two files", value: { $0.config.map { .string($0) } }),
        SettingSpec(
            key: "trace", flag: "trace", variables: ["LATCHKEY_TRACE"], summary: "a file to which each event is added",
            value: { $0.trace.map { .string($0) } }),
        SettingSpec(
            key: "lang", flag: "lang", variables: ["LATCHKEY_LANG"], summary: "the language of messages",
            value: { $0.language.map { .string($0.rawValue) } },
            standard: { .string(Language(environment: $0.text).rawValue) }),
        SettingSpec(
            key: "no_input", flag: "no-input", variables: ["LATCHKEY_NO_INPUT"],
            summary: "never ask; fail where something is missing", value: { $0.noInput.map { .bool($0) } },
            standard: { _ in .bool(false) }),
        SettingSpec(
            key: "no_color", flag: "no-color", variables: ["NO_COLOR", "LATCHKEY_NO_COLOR"],
            summary: "no colours in prompts", value: { $0.noColor.map { .bool($0) } }, standard: { _ in .bool(false) }),
        SettingSpec(
            key: "policy", flag: "policy", variables: ["LATCHKEY_POLICY"],
            summary: "what is asked of passwords: standard or nist", value: { $0.policy.map { .string($0.name) } },
            standard: { _ in .string(PolicyPreset.standard.name) }),
        SettingSpec(
            key: "hash.memory", flag: "hash-memory", variables: ["LATCHKEY_HASH_MEMORY"],
            summary: "memory of a new password hash, in KiB", value: { $0.hashMemory.map { .integer($0) } },
            standard: { _ in .integer(Int(Argon2Cost.standard.memory)) }),
        SettingSpec(
            key: "hash.iterations", flag: "hash-iterations", variables: ["LATCHKEY_HASH_ITERATIONS"],
            summary: "passes of a new password hash", value: { $0.hashIterations.map { .integer($0) } },
            standard: { _ in .integer(Int(Argon2Cost.standard.iterations)) }),
        SettingSpec(
            key: "hash.parallelism", flag: "hash-parallelism", variables: ["LATCHKEY_HASH_PARALLELISM"],
            summary: "lanes of a new password hash", value: { $0.hashParallelism.map { .integer($0) } },
            standard: { _ in .integer(Int(Argon2Cost.standard.parallelism)) }),
        SettingSpec(
            key: "service_name", variables: ["LATCHKEY_SERVICE_NAME"], summary: "what messages call the service",
            value: { $0.serviceName.map { .string($0) } }, standard: { _ in .string(Settings.defaultServiceName) }),
        SettingSpec(
            key: "sender", variables: ["LATCHKEY_SENDER"], summary: "who messages are from",
            value: { $0.sender.map { .string($0) } }, standard: { _ in .string(Settings.defaultSender) }),
        SettingSpec(
            key: "mailer", summary: "a program that sends messages, with its arguments",
            value: { $0.mailer.map { .array($0.map { .string($0) }) } }),
        SettingSpec(
            key: "audit.size", summary: "how much of the audit trail is kept, in MiB",
            value: { $0.auditSize.map { .integer($0) } },
            standard: { _ in .integer(Int(AuditLimits().bytes >> 20)) }),
        SettingSpec(
            key: "audit.days", summary: "for how many days the audit trail is kept",
            value: { $0.auditDays.map { .integer($0) } },
            standard: { _ in .integer(Int(AuditLimits().age.components.seconds / 86400)) }),
        SettingSpec(
            key: "verify_email", variables: ["LATCHKEY_VERIFY_EMAIL"], summary: "new accounts prove their address",
            value: { $0.verifyEmail.map { .bool($0) } }, standard: { _ in .bool(false) }),
    ]
}
