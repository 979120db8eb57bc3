/// The settings in force: a flag beats the environment, which beats the configuration files, which beat the default.
struct Settings: Sendable {
    let values: SettingValues
    let environment: ProcessEnvironment

    init(flags: [Invocation.Flag], environment: ProcessEnvironment) throws(ToolFailure) {
        self.environment = environment
        let given = try SettingValues(flags: flags).over(SettingValues(environment: environment))
        values = given.over(try ConfigurationFiles.values(named: given.config, in: environment))
    }

    /// What messages call the service.
    var serviceName: String { values.serviceName ?? "Latchkey" }
    /// Whether new accounts have to prove their address.
    var verifiesEmail: Bool { values.verifyEmail ?? false }
    var noInput: Bool { values.noInput ?? false }
    var noColor: Bool { values.noColor ?? false }
}
