import LatchkeyAccounts
import LatchkeyForms

/// The settings in force: a flag beats the environment, which beats the configuration files, which beat the default.
struct Settings: Sendable {
    let values: SettingValues
    let environment: ProcessEnvironment

    init(flags: [Invocation.Flag], environment: ProcessEnvironment) throws(ToolFailure) {
        self.environment = environment
        let given = try SettingValues(flags: flags).over(SettingValues(environment: environment))
        values = given.over(try ConfigurationFiles.values(named: given.config, in: environment))
    }

    /// The sentences of the language that is set, or that the environment asks for, with those of the operator's own.
    var messages: MessageTable {
        let language = values.language ?? Language(environment: environment.text)
        return language.messages.adding(values.sentences)
    }

    /// What messages call the service.
    var serviceName: String { values.serviceName ?? "Latchkey" }
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
