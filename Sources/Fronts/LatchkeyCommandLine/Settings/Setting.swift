import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeyTerminal

/// A setting with its sources, its valid values and its default.
///
/// `--help`, `config show`, completions, the manual page and docs/commands.md are all generated from ``all``, so a new
/// setting needs one row there. The program reads its value with ``SettingValues/text(_:)`` and similar methods.
struct Setting: Sendable {
    /// The key in a configuration file, such as `hash.memory` for the member `memory` of the object `hash`.
    let key: String
    /// The flag's name without hyphens; nil if the setting has no flag.
    var flag: String?
    /// More names of the flag, without hyphens.
    var flagAliases: [String] = []
    /// The name of the flag's value in help; nil for a flag without a value.
    var valueName: String?
    /// The environment variables, in order of precedence.
    var variables: [String] = []
    let kind: Kind
    /// Whether a configuration file may contain the setting.
    var isInFiles = true
    /// The commands that have the flag.
    var commands = Commands.all
    var `default` = Default.unset
    /// One line without a full stop.
    let help: String

    enum Commands: Sendable {
        case all
        /// Commands that hash a password.
        case hashing
        /// `serve`.
        case serving
    }

    enum Kind: Sendable {
        case path
        /// A path, or the address of a database.
        case store
        /// Text of at most 255 bytes without control characters, for use in a message header.
        case headerText
        /// A whole number. In files, it must be in this range. ``HashSettings`` checks the numbers in flags and
        /// variables.
        case number(ClosedRange<Int>)
        /// The public origin of the service, such as `https://accounts.example.org`.
        case origin
        /// A switch that the flag or a variable turns on. A variable with the value `0` has no effect.
        case onlyOn
        /// A switch that a variable turns on, or off with the value `0`.
        case onOrOff
        case language
        case policy
        /// One of several words.
        case choice([String])
        /// The name of a group.
        case group
        /// The names of groups, as an array in a file.
        case groups
        /// Texts like ``headerText``: one or an array in a file, and one for each time that the flag is given.
        case texts
        /// A program's name or absolute path with its arguments, or an object that describes a mail server.
        case program
    }

    enum Default: Sendable {
        case unset
        case value(JSONValue)
        /// The store in the user's data folder.
        case storeOfUser
        /// The user's data folder.
        case folderOfUser
        /// The language of the locale variables.
        case locale
        /// The fastest engine that the processor supports.
        case fastestEngine
    }

    /// Whether `key` is that of a setting of `serve`.
    static func isOfService(_ key: String) -> Bool { all.contains { $0.commands == .serving && $0.key == key } }

    /// Whether the flag may be given several times.
    var isRepeatable: Bool { if case .texts = kind { true } else { false } }

    /// The object that contains the setting in a configuration file, and the member's name; nil for a key without a
    /// dot.
    var nested: (group: String, member: String)? { Self.nested(key) }

    static func nested(_ key: String) -> (group: String, member: String)? {
        guard let dot = key.firstIndex(of: ".") else { return nil }
        return (String(key[..<dot]), String(key[key.index(after: dot)...]))
    }

    /// The valid values, if there are only a few; otherwise nil.
    var choices: [String]? {
        switch kind {
        case .language: LanguageFolder().languages.map(\.rawValue)
        case .policy: PolicyPreset.all.map(\.name)
        case .choice(let words): words
        case .path, .store, .headerText, .number, .origin, .onlyOn, .onOrOff, .program, .group, .groups, .texts: nil
        }
    }

    /// The default value; nil if the setting is unset by default. ``Settings/language`` has that of the language.
    func defaultValue(in environment: ProcessEnvironment) -> JSONValue? {
        switch self.default {
        case .unset: nil
        case .value(let value): value
        case .storeOfUser:
            (try? UserFolder.data.path(in: environment)).map { .string($0 + StoreLocation.defaultName) }
        case .folderOfUser: (try? UserFolder.data.path(in: environment)).map { .string($0) }
        case .locale: nil
        case .fastestEngine: .string(Argon2Engine.fastest.rawValue)
        }
    }

    /// The default for documentation; nil if the help already mentions it.
    var defaultText: String? {
        switch self.default {
        case .unset, .value(.bool): nil
        case .value(.string(let text)): text
        case .value(let value): value.encoded
        case .storeOfUser: "~/.local/share/latchkey" + StoreLocation.defaultName
        case .folderOfUser: "~/.local/share/latchkey"
        case .locale: "from LC_ALL, LC_MESSAGES or LANG"
        case .fastestEngine: "the fastest that the processor has"
        }
    }
}

extension Setting {
    static let store = Setting(
        key: "store", flag: "store", flagAliases: ["database"], valueName: "PATH", variables: ["LATCHKEY_STORE"],
        kind: .store,
        default: .storeOfUser, help: "Database of accounts: an SQLite file, or postgresql://HOST/NAME")
    static let stateFolder = Setting(
        key: "state_dir", flag: "state-dir", valueName: "DIR", variables: ["LATCHKEY_STATE_DIR"], kind: .path,
        default: .folderOfUser, help: "Folder for the keys of a store in PostgreSQL")
    static let connections = Setting(
        key: "database.connections", kind: .number(1...1000), default: .value(.integer(16)),
        help: "Connections to a store in PostgreSQL that a process uses at once")
    static let server = Setting(
        key: "server", flag: "server", valueName: "URL", variables: ["LATCHKEY_SERVER"], kind: .headerText,
        isInFiles: false, help: "Service to use instead of a store: https://HOST or unix:/PATH")
    static let forms = Setting(
        key: "forms", flag: "forms", valueName: "DIR", variables: ["LATCHKEY_FORMS"], kind: .path,
        help: "Folder of forms that replace the built-in ones")
    static let languages = Setting(
        key: "languages", flag: "languages", valueName: "DIR", variables: ["LATCHKEY_LANGUAGES"], kind: .path,
        help: "Folder of translations, such as de.json")
    static let config = Setting(
        key: "config", flag: "config", valueName: "FILE", variables: ["LATCHKEY_CONFIG"], kind: .path,
        isInFiles: false, help: "Configuration file to read instead of the user's and the machine's")
    static let trace = Setting(
        key: "trace", flag: "trace", valueName: "FILE", variables: ["LATCHKEY_TRACE"], kind: .path, isInFiles: false,
        help: "Append each event to FILE as a line of JSON")
    static let language = Setting(
        key: "lang", flag: "lang", valueName: "LANG", variables: ["LATCHKEY_LANG"], kind: .language, default: .locale,
        help: "Language of messages: \(LanguageFolder().names) or the name of a translation")
    static let noInput = Setting(
        key: "no_input", flag: "no-input", variables: ["LATCHKEY_NO_INPUT"], kind: .onlyOn,
        default: .value(.bool(false)), help: "Never ask; fail if something is missing")
    static let noColor = Setting(
        key: "no_color", flag: "no-color", variables: ["NO_COLOR", "LATCHKEY_NO_COLOR"], kind: .onlyOn,
        default: .value(.bool(false)), help: "Show prompts without colours")
    static let terminalTheme = Setting(
        key: "terminal.theme", variables: ["LATCHKEY_THEME"], kind: .choice(Theme.allCases.map(\.rawValue)),
        default: .value(.string(Theme.auto.rawValue)),
        help: "Colours of prompts: \(Theme.allCases.map(\.rawValue).joined(separator: ", "))")
    static let policy = Setting(
        key: "policy", flag: "policy", valueName: "NAME", variables: ["LATCHKEY_POLICY"], kind: .policy,
        default: .value(.string(PolicyPreset.standard.name)),
        help: "Policy for passwords and sessions: \(PolicyPreset.all.map(\.name).joined(separator: " or "))")
    static let hashMemory = Setting(
        key: "hash.memory", flag: "hash-memory", valueName: "KIB", variables: ["LATCHKEY_HASH_MEMORY"],
        kind: .number(0...Int(UInt32.max)), commands: .hashing,
        default: .value(.integer(Int(Argon2Cost.standard.memory))), help: "Memory of a new password hash, in KiB")
    static let hashIterations = Setting(
        key: "hash.iterations", flag: "hash-iterations", valueName: "N", variables: ["LATCHKEY_HASH_ITERATIONS"],
        kind: .number(0...Int(UInt32.max)), commands: .hashing,
        default: .value(.integer(Int(Argon2Cost.standard.iterations))), help: "Passes of a new password hash")
    static let hashParallelism = Setting(
        key: "hash.parallelism", flag: "hash-parallelism", valueName: "N", variables: ["LATCHKEY_HASH_PARALLELISM"],
        kind: .number(0...Int(UInt32.max)), commands: .hashing,
        default: .value(.integer(Int(Argon2Cost.standard.parallelism))), help: "Lanes of a new password hash")
    static let hashEngine = Setting(
        key: "hash.engine", variables: ["LATCHKEY_ARGON2"], kind: .choice(Argon2Engine.allCases.map(\.rawValue)),
        default: .fastestEngine,
        help: "Implementation of Argon2id: \(Argon2Engine.allCases.map(\.rawValue).joined(separator: ", "))")
    static let serviceName = Setting(
        key: "service_name", variables: ["LATCHKEY_SERVICE_NAME"], kind: .headerText,
        default: .value(.string("Latchkey")), help: "Name of the service in messages")
    static let sender = Setting(
        key: "sender", variables: ["LATCHKEY_SENDER"], kind: .headerText,
        default: .value(.string("latchkey@localhost")),
        help: "Sender of messages, such as Desk <desk@example.org>")
    static let mailer = Setting(
        key: "mailer", kind: .program, help: #"Program or mail server that sends messages, such as ["sendmail", "-t"]"#)
    static let auditSize = Setting(
        key: "audit.size", kind: .number(1...1_048_576),  // 1 TiB
        default: .value(.integer(Int(AuditLimits().bytes >> 20))), help: "Largest size of the audit trail, in MiB")
    static let auditDays = Setting(
        key: "audit.days", kind: .number(1...36_525),  // a century
        default: .value(.integer(Int(AuditLimits().age.components.seconds / 86400))),
        help: "Number of days that audit records are kept")
    static let verifyEmail = Setting(
        key: "verify_email", variables: ["LATCHKEY_VERIFY_EMAIL"], kind: .onOrOff, default: .value(.bool(false)),
        help: "New accounts must verify their e-mail address before they set a password")
    static let factors = Setting(
        key: "factors", variables: ["LATCHKEY_FACTORS"],
        kind: .choice(AccountSettings.FactorPolicy.allCases.map(\.rawValue)),
        default: .value(.string(AccountSettings.FactorPolicy.optional.rawValue)),
        help: "Second factors: optional, or required of every account")
    static let serviceListen = Setting(
        key: "service.listen", flag: "listen", flagAliases: ["bind", "host"], valueName: "ADDRESS", kind: .texts,
        commands: .serving,
        help: "Listen here: 127.0.0.1:PORT, [::1]:PORT, :PORT for all addresses, or unix:PATH [127.0.0.1:8421]")
    static let servicePort = Setting(
        key: "service.port", flag: "port", valueName: "N", kind: .number(0...65_535), commands: .serving,
        default: .value(.integer(8421)), help: "Port of an address without one; 0 for any free port")
    static let socketGroup = Setting(
        key: "service.socket_group", flag: "socket-group", valueName: "GROUP", kind: .headerText, commands: .serving,
        help: "Group whose members can connect to the Unix sockets; the service's user must be one of them"
            + " [the group of the process]")
    static let serviceOrigin = Setting(
        key: "service.origin", flag: "origin", valueName: "URL", variables: ["LATCHKEY_ORIGIN"], kind: .origin,
        commands: .serving,
        help: "Where people reach the service, such as https://accounts.example.org; mails link there")
    static let insecureOrigin = Setting(
        key: "service.insecure_origin", flag: "insecure-origin", kind: .onOrOff, commands: .serving,
        default: .value(.bool(false)),
        help: "The origin may be http on a network, where passwords are not encrypted")
    static let trustedProxies = Setting(
        key: "service.trusted_proxies", flag: "trusted-proxy", valueName: "NETWORK", kind: .texts, commands: .serving,
        help: "Proxies that name the client, such as 10.0.0.0/8, or unix for every peer of a Unix socket")
    static let proxyHeader = Setting(
        key: "service.proxy_header", flag: "proxy-header", valueName: "NAME",
        kind: .choice(["X-Forwarded-For", "Forwarded"]), commands: .serving,
        default: .value(.string("X-Forwarded-For")), help: "Header in which proxies name the client")
    static let returnOrigins = Setting(
        key: "service.return_origins", flag: "return-origin", valueName: "NAME=URL", kind: .texts, commands: .serving,
        help: "Web sites to which pages may send people back after a login, with or without a name")
    static let cookieDomain = Setting(
        key: "service.cookie_domain", flag: "cookie-domain", valueName: "DOMAIN", kind: .headerText, commands: .serving,
        help: "Let the other hosts of DOMAIN verify a session: adds a cookie that only /verify accepts")
    static let serviceTheme = Setting(
        key: "service.theme", flag: "theme", valueName: "DIR", kind: .path, commands: .serving,
        help: "Folder with theme.css, logo.svg or logo.png, footer.txt and terms.txt for the pages, at most 64 KiB each"
    )
    static let metricsListen = Setting(
        key: "service.metrics_listen", flag: "metrics-listen", valueName: "ADDRESS", kind: .headerText,
        commands: .serving, help: "Answer /healthz, /readyz and /metrics here, without a login [off]")
    static let registration = Setting(
        key: "service.registration", flag: "registration", valueName: "WHO",
        kind: .choice(["open", "invited", "closed"]), commands: .serving, default: .value(.string("open")),
        help: "Who may sign up over HTTP: open, invited (see invite) or closed")
    static let admins = Setting(
        key: "service.admins", kind: .group, default: .value(.string(GroupName.administrators.text)),
        help: "Group whose members administer Latchkey")
    static let initialGroups = Setting(
        key: "groups.initial", kind: .groups,
        help: #"Groups of every account that signs up by itself, such as ["staff"]"#)
    static let changesPerMinute = Setting(
        key: "service.changes_per_minute", kind: .number(1...1_000_000), default: .value(.integer(60)),
        help: "Requests that may change something, for each client and minute")
    static let signUpsPerDay = Setting(
        key: "service.sign_ups_per_day", kind: .number(1...1_000_000), default: .value(.integer(10)),
        help: "Sign-ups for each client and day")
    static let recoveriesPerHour = Setting(
        key: "service.recoveries_per_hour", kind: .number(1...1_000_000), default: .value(.integer(20)),
        help: "Requests for a recovery code, for each client and hour")
    static let openIDEnabled = Setting(
        key: "openid.enabled", kind: .onOrOff, default: .value(.bool(true)),
        help: "Applications can log their users in")
    static let accessMinutes = Setting(
        key: "openid.access_minutes", kind: .number(1...1440), default: .value(.integer(10)),
        help: "Lifetime of an application's access tokens in minutes")
    static let idTokenMinutes = Setting(
        key: "openid.id_token_minutes", kind: .number(1...1440), default: .value(.integer(5)),
        help: "Lifetime of ID tokens in minutes")
    static let refreshIdleDays = Setting(
        key: "openid.refresh_idle_days", kind: .number(1...3650), default: .value(.integer(30)),
        help: "Days after which an unused refresh token expires")
    static let grantDays = Setting(
        key: "openid.grant_days", kind: .number(1...3650), default: .value(.integer(180)),
        help: "Days after which an application needs a new login, even if it refreshes its tokens")

    /// All settings except the sentences under `messages`, which have a member for each code of the message table.
    static let all = [
        store, stateFolder, connections, server, forms, languages, config, trace, language, noInput, noColor,
        terminalTheme, policy, hashMemory, hashIterations, hashParallelism, hashEngine, serviceName, sender, mailer,
        auditSize,
        auditDays, verifyEmail, factors, serviceListen, servicePort, socketGroup, serviceOrigin, insecureOrigin,
        trustedProxies,
        proxyHeader, returnOrigins, cookieDomain, serviceTheme, metricsListen, registration, admins, initialGroups,
        changesPerMinute, signUpsPerDay,
        recoveriesPerHour, openIDEnabled, accessMinutes, idTokenMinutes, refreshIdleDays, grantDays,
    ]
}
