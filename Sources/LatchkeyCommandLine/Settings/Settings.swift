import LatchkeyAccounts
import LatchkeyForms

/// The settings in force: a flag beats the environment, which beats the configuration files, which beat the default.
struct Settings: Sendable {
    let values: SettingValues
    let environment: ProcessEnvironment
    /// What each place says, the strongest first.
    let sources: [SettingSource]
    /// The places that could not be understood, and say nothing.
    let problems: [SettingProblem]

    static let defaultServiceName = "Latchkey"
    static let defaultSender = "latchkey@localhost"

    /// - Parameter tolerating: whether a place that cannot be understood is passed over, and kept as a problem. Flags
    ///   never are.
    /// - Throws: where it is not, why the first of them cannot.
    init(
        flags: [Invocation.Flag], environment: ProcessEnvironment, tolerating: Bool = false
    ) throws(ToolFailure) {
        self.environment = environment
        var problems: [SettingProblem] = []
        let given = try SettingValues(flags: flags)
        let surroundings =
            tolerating
            ? Self.values(of: environment, &problems) : try SettingValues(environment: environment)
        var sources = [
            SettingSource(place: .flags, values: given), SettingSource(place: .environment, values: surroundings),
        ]
        for file in ConfigurationFiles.named(given.over(surroundings).config, in: environment) {
            do throws(ToolFailure) {
                guard let values = try ConfigurationFiles.values(of: file) else { continue }
                sources.append(SettingSource(place: .file(file.path), values: values))
            } catch {
                guard tolerating else { throw error }
                problems.append(SettingProblem(place: file.path, failure: error))
            }
        }
        self.sources = sources
        self.problems = problems
        values = sources.reduce(SettingValues()) { $0.over($1.values) }
    }

    /// What the variables say that can be understood, each by itself.
    private static func values(
        of environment: ProcessEnvironment, _ problems: inout [SettingProblem]
    ) -> SettingValues {
        var values = SettingValues()
        for variable in SettingSpec.all.flatMap(\.variables) {
            do throws(ToolFailure) {
                values = values.over(try SettingValues(environment: environment.only(variable)))
            } catch {
                problems.append(SettingProblem(place: variable, failure: error))
            }
        }
        return values
    }

    /// The language that is set, or that the environment asks for.
    var language: Language { values.language ?? Language(environment: environment.text) }

    /// The sentences of the language that is set, or that the environment asks for, with those of the operator's own.
    var messages: MessageTable { language.messages.adding(values.sentences) }

    /// Codes in the setting `messages` that no sentence has any more.
    var retiredSentences: [String] { values.sentences.keys.filter(MessageTable.retiredCodes.contains).sorted() }

    /// What messages call the service.
    var serviceName: String { values.serviceName ?? Self.defaultServiceName }
    /// Who messages are from.
    var sender: String { values.sender ?? Self.defaultSender }
    /// Whether new accounts have to prove their address.
    var verifiesEmail: Bool { values.verifyEmail ?? false }
    /// What is asked of passwords and sessions.
    var policy: PolicyPreset { values.policy ?? .standard }
    /// How much of the audit trail is kept.
    var auditLimits: AuditLimits {
        var limits = AuditLimits()
        if let mebibytes = values.auditSize { limits.bytes = Int64(mebibytes) << 20 }
        if let days = values.auditDays { limits.age = .seconds(days * 86400) }
        return limits
    }

    /// Where the session of this user is kept; nil where there is no such place. What may not lie on a disk is kept in the
    /// folder that the system removes when the user leaves the machine, or nowhere.
    func sessionFolder() throws(ToolFailure) -> String? {
        if policy.keepsSessionsOnDisk { return try UserFolder.state.path(in: environment) }
        return try? UserFolder.runtime.path(in: environment)
    }

    var noInput: Bool { values.noInput ?? false }
    var noColor: Bool { values.noColor ?? false }
}
