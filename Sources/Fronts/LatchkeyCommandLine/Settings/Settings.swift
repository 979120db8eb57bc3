import LatchkeyAccounts
import LatchkeyForms
import LatchkeyTerminal

/// The current settings. A flag overrides the environment, which overrides the configuration files, which override the
/// defaults.
struct Settings: Sendable {
    var values: SettingValues
    let environment: ProcessEnvironment
    /// The problems of invalid variables and files. Their values are ignored.
    let problems: [Problem]

    /// The languages to choose from.
    let languages: LanguageFolder
    /// The sentences of the language in a setting or the locale, if the program supports it.
    let translation: Translation
    /// The sentences of the program that uses Latchkey, by language. Only these languages are used. Nil for `latchkey`.
    private let programSentences: [Language: [String: String]]?

    /// An invalid variable or file, with the reason.
    struct Problem: Sendable {
        /// The name of a variable, the path of a file, or `hash`.
        let place: String
        let failure: ToolFailure
    }

    /// - Parameters:
    ///   - tolerating: whether to collect invalid variables and files in ``problems`` instead of throwing. An invalid
    ///     flag is always thrown.
    ///   - english: the sentences whose placeholders a translation must have.
    ///   - programSentences: the sentences of the program that uses Latchkey, by language.
    /// - Throws: the first problem.
    init(
        flags: [Invocation.Flag], environment: ProcessEnvironment, tolerating: Bool = false,
        comparedWith english: MessageTable = Translation.replaceableMessages,
        programSentences: [Language: [String: String]]? = nil
    ) throws(ToolFailure) {
        self.environment = environment
        self.programSentences = programSentences
        var problems: [Problem] = []
        var values = try SettingValues(flags: flags)
            .over(SettingValues(environment: environment, problems: &problems))
        for file in ConfigurationFiles.named(values.text(.config), in: environment) {
            values = values.over(ConfigurationFiles.values(of: file, problems: &problems))
        }
        var languages = LanguageFolder()
        var translation = Translation.english
        var setting = Setting.languages
        do throws(ToolFailure) {
            if let folder = try values.languageFolder(comparedWith: english) { languages = folder }
            setting = .language
            let language = try values.language(of: languages, environment, programSentences.map { Array($0.keys) })
            setting = .languages
            translation = try languages.translation(language)
        } catch {
            if case .flag? = values[setting]?.origin { throw error }
            problems.append(Problem(place: values[setting]?.origin.name ?? setting.key, failure: error))
        }
        if !tolerating, let first = problems.first { throw first.failure }
        self.values = values
        self.problems = problems
        self.languages = languages
        self.translation = translation
    }

    /// The language in a setting or the locale, if the program supports it.
    var language: Language { translation.language }

    /// The sentences of ``language``. The program's sentences replace Latchkey's, and the operator's sentences replace
    /// both.
    var messages: MessageTable { messages(in: translation) }

    /// The sentences of a language, including those of the program and the operator.
    func messages(in translation: Translation) -> MessageTable {
        translation.allMessages.adding(programSentences?[translation.language] ?? [:]).adding(values.sentences)
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
    /// The forms of account owners: sign-up asks for no password if the address must be verified first.
    ///
    /// - Parameter verifyingEmail: whether it must be verified, whatever the settings are.
    func signUp(of forms: FormCatalogue, verifyingEmail: Bool = false) -> FormCatalogue {
        verifyingEmail || verifiesEmail ? forms.withoutPasswordOfSetup : forms
    }
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
        func texts(_ setting: Setting) -> [ServiceSettings.Text] {
            guard let entry = values[setting] else { return [] }
            let texts = entry.value.elements?.compactMap(\.string) ?? entry.value.string.map { [$0] } ?? []
            return texts.map { ServiceSettings.Text($0, of: setting, entry) }
        }
        return ServiceSettings(
            listen: texts(.serviceListen), port: number(.servicePort), socketGroup: texts(.socketGroup).first,
            origin: values.text(.serviceOrigin).flatMap { WebOrigin($0) },
            allowsInsecureOrigin: values.isOn(.insecureOrigin) ?? false, trustedProxies: texts(.trustedProxies),
            proxyHeader: text(.proxyHeader), returnOrigins: texts(.returnOrigins),
            cookieDomain: texts(.cookieDomain).first, theme: values.text(.serviceTheme),
            metricsListen: texts(.metricsListen).first, registration: text(.registration),
            changesPerMinute: number(.changesPerMinute), signUpsPerDay: number(.signUpsPerDay),
            recoveriesPerHour: number(.recoveriesPerHour))
    }
    /// Whether a setting of `serve` is set.
    var concernService: Bool { Setting.all.contains { $0.commands == .serving && values[$0] != nil } }
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
    var theme: Theme { values.text(.terminalTheme).flatMap(Theme.init) ?? .auto }
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

extension CommandContext {
    /// The settings of `serve`.
    package var serviceSettings: ServiceSettings { settings.service }
}

extension Settings {
    /// The sentences for an error that is reported before the settings are known: in the language of `--lang`, a
    /// variable, a configuration file or the locale.
    static func messages(
        before settings: some Collection<Argument>, in environment: ProcessEnvironment
    ) -> MessageTable {
        let flags = [Setting.config, .languages, .language].compactMap { setting -> Invocation.Flag? in
            guard let index = settings.firstIndex(where: { $0.longFlag?.name == setting.flag }) else { return nil }
            let value = settings[index].longFlag?.value ?? settings[settings.index(after: index)...].first
            return value.map { Invocation.Flag(name: setting.flag ?? "", value: $0) }
        }
        for flags in [flags, []] {
            if let settings = try? Settings(flags: flags, environment: environment, tolerating: true) {
                return settings.translation.allMessages
            }
        }
        return Translation.english.allMessages
    }
}

extension SettingValues {
    /// The languages of the folder in these values; nil if they name none.
    ///
    /// - Parameter english: the sentences whose placeholders a translation must have.
    /// - Throws: status 78 for a file whose name is not a language.
    func languageFolder(
        comparedWith english: MessageTable = Translation.replaceableMessages
    ) throws(ToolFailure) -> LanguageFolder? {
        guard let path = text(.languages) else { return nil }
        return try LanguageFolder(path, comparedWith: english)
    }

    /// The language in these values, otherwise that of the locale.
    ///
    /// - Parameter supported: the languages of the program that uses Latchkey; nil for `latchkey`.
    /// - Throws: status 64 or 78 for a language that does not exist.
    func language(
        of folder: LanguageFolder, _ environment: ProcessEnvironment, _ supported: [Language]?
    ) throws(ToolFailure) -> Language {
        let languages = folder.languages
        var language = Language.lookUp(environment: environment.text, in: languages) ?? .standard
        if let entry = self[.language], let name = entry.value.string {
            guard let named = Language(rawValue: name), languages.contains(named) else {
                guard let place = entry.place else {
                    throw .badValue(entry.origin.name, .language(known: folder.names))
                }
                let problem = FormDescriptionError.Problem.unknownName(
                    Setting.language.key, name, allowed: languages.map(\.rawValue))
                throw .configurationRefused(
                    FormDescriptionError(file: entry.origin.name, place: place, problem: problem))
            }
            language = named
        }
        guard let supported, !supported.contains(language) else { return language }
        return supported.contains(.standard) ? .standard : languages.first(where: supported.contains) ?? .standard
    }
}
