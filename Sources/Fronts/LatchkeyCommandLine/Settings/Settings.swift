package import LatchkeyAccounts
import LatchkeyForms
import LatchkeyTerminal

/// The current settings. A flag overrides the environment, which overrides the configuration files, which override the
/// defaults.
struct Settings: Sendable {
    var values: SettingValues
    let environment: ProcessEnvironment
    /// The problems of invalid variables and files. Their values are ignored.
    let problems: [Problem]

    /// The sentences of the program that uses Latchkey, by language. Only these languages are used. Nil for `latchkey`.
    var programSentences: [Language: [String: String]]?

    /// An invalid variable or file, with the reason.
    struct Problem: Sendable {
        /// The name of a variable, the path of a file, or `hash`.
        let place: String
        let failure: ToolFailure
    }

    /// - Parameter tolerating: whether to collect invalid variables and files in ``problems`` instead of throwing. An
    ///   invalid flag is always thrown.
    /// - Throws: the first problem.
    init(
        flags: [Invocation.Flag], environment: ProcessEnvironment, tolerating: Bool = false
    ) throws(ToolFailure) {
        self.environment = environment
        var problems: [Problem] = []
        var values = try SettingValues(flags: flags)
            .over(SettingValues(environment: environment, problems: &problems))
        for file in ConfigurationFiles.named(values.text(.config), in: environment) {
            values = values.over(ConfigurationFiles.values(of: file, problems: &problems))
        }
        if !tolerating, let first = problems.first { throw first.failure }
        self.values = values
        self.problems = problems
    }

    /// The language in a setting or the locale, if the program supports it.
    var language: Language {
        let named = values.text(.language).flatMap(Language.init(rawValue:)) ?? Language(environment: environment.text)
        return programSentences.map { named.oneOf($0.keys) } ?? named
    }

    /// The sentences of ``language``. The program's sentences replace Latchkey's, and the operator's sentences replace
    /// both.
    var messages: MessageTable { messages(in: language) }

    /// The sentences of a language, including those of the program and the operator.
    func messages(in language: Language) -> MessageTable {
        language.allMessages.adding(programSentences?[language] ?? [:]).adding(values.sentences)
    }

    /// The codes under `messages` for which there is no sentence any more.
    var retiredSentences: [String] { values.sentences.keys.filter(ModuleSentences.retiredCodes.contains).sorted() }

    /// The service to use instead of a store; nil to use a store.
    var server: String? {
        guard let server = values[.server] else { return nil }
        if case .flag? = values[.store]?.origin, case .variable = server.origin { return nil }
        return server.value.string
    }

    /// Throws status 64 if two flags, or two variables, set both ``server`` and a store: one of them is a mistake.
    func refuseStoreBesideServer() throws(ToolFailure) {
        guard server != nil, let server = values[.server], let store = values[.store] else { return }
        switch (server.origin, store.origin) {
        case (.flag, .flag), (.variable, .variable):
            throw .serverAndStore(server: server.origin.name, store: store.origin.name)
        default: break
        }
    }

    /// The name of the service in messages.
    var serviceName: String { text(.serviceName) }
    /// The sender of messages.
    var sender: String { text(.sender) }
    /// Whether new accounts must verify their e-mail address.
    var verifiesEmail: Bool { values.isOn(.verifyEmail) ?? false }
    /// The accounts that need a second factor.
    var factors: AccountSettings.FactorPolicy { .init(rawValue: text(.factors)) ?? .optional }
    /// The group whose members administer Latchkey.
    var administrators: GroupName { GroupName(text(.admins)) ?? .administrators }
    /// The groups of every account that signs up by itself.
    var initialGroups: [GroupName] {
        (values[.initialGroups]?.value.elements ?? []).compactMap { $0.string.flatMap { GroupName($0) } }
    }
    /// The settings of the OpenID provider.
    var openID: OpenIDSettings {
        var settings = OpenIDSettings()
        settings.isEnabled = values.isOn(.openIDEnabled) ?? true
        settings.accessLifetime = .seconds(60 * number(.accessMinutes))
        settings.idTokenLifetime = .seconds(60 * number(.idTokenMinutes))
        settings.refreshIdle = .seconds(86400 * number(.refreshIdleDays))
        settings.grantLifetime = .seconds(86400 * number(.grantDays))
        return settings
    }
    /// The settings of `serve`.
    var service: ServiceSettings {
        ServiceSettings(
            origin: values.text(.serviceOrigin).flatMap { WebOrigin($0) },
            allowsInsecureOrigin: values.isOn(.insecureOrigin) ?? false, registration: text(.registration),
            changesPerMinute: number(.changesPerMinute), signUpsPerDay: number(.signUpsPerDay),
            recoveriesPerHour: number(.recoveriesPerHour))
    }
    /// The policy for passwords and sessions.
    var policy: PolicyPreset { values.text(.policy).flatMap(PolicyPreset.init(named:)) ?? .standard }
    /// The limits of the audit trail.
    var auditLimits: AuditLimits {
        var limits = AuditLimits()
        if let mebibytes = values.number(.auditSize) { limits.bytes = Int64(mebibytes) << 20 }
        if let days = values.number(.auditDays) { limits.age = .seconds(days * 86400) }
        return limits
    }
    /// The maximum number of database connections of a process.
    var connections: Int { number(.connections) }
    var noInput: Bool { values.isOn(.noInput) ?? false }
    var theme: Theme { values.text(.theme).flatMap(Theme.init) ?? .auto }
    var noColor: Bool { values.isOn(.noColor) ?? false }

    private func number(_ setting: Setting) -> Int {
        values.number(setting) ?? setting.defaultValue(in: environment)?.integer ?? 0
    }

    private func text(_ setting: Setting) -> String {
        values.text(setting) ?? setting.defaultValue(in: environment)?.string ?? ""
    }

    /// The folder of this user's session file; nil if there is none. If the policy does not allow sessions on disk,
    /// this is the runtime folder. The system removes it when the user logs out of the machine.
    func sessionFolder() throws(ToolFailure) -> String? {
        if policy.keepsSessionsOnDisk { return try UserFolder.state.path(in: environment) }
        return try? UserFolder.runtime.path(in: environment)
    }
}

/// The settings of `serve`.
package struct ServiceSettings: Sendable {
    /// The public origin of the service; nil if it is not set.
    package let origin: WebOrigin?
    /// Whether the origin may be `http` on a network.
    package let allowsInsecureOrigin: Bool
    /// The people who may sign up.
    package let registration: String
    /// The number of requests per client and minute that may change data.
    package let changesPerMinute: Int
    /// The number of sign-ups per client and day.
    package let signUpsPerDay: Int
    /// The number of recovery requests per client and hour.
    package let recoveriesPerHour: Int

    /// Refuses an origin that passwords would reach without encryption.
    ///
    /// - Parameter isAllowed: whether the operator accepts that.
    /// - Throws: status 78.
    package static func check(_ origin: WebOrigin, insecureIsAllowed isAllowed: Bool) throws(ToolFailure) {
        guard isAllowed || !origin.exposesPasswords else { throw .originInsecure(origin: origin.text) }
    }
}

extension CommandContext {
    /// The settings of `serve`.
    package var serviceSettings: ServiceSettings { settings.service }
}

extension Language {
    /// The language for an error that is reported before the settings are known: from `--lang` or `LATCHKEY_LANG`,
    /// otherwise from the locale.
    init(before settings: some Collection<Argument>, in environment: ProcessEnvironment) {
        let given = settings.firstIndex { $0.longFlag?.name == Setting.language.flag }.flatMap { index in
            settings[index].longFlag?.value ?? settings[settings.index(after: index)...].first
        }
        self =
            given?.text.flatMap(Language.init(rawValue:))
            ?? environment.text("LATCHKEY_LANG").flatMap(Language.init(rawValue:))
            ?? Language(environment: environment.text)
    }
}
