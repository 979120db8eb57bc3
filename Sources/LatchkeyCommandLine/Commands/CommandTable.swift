import LatchkeyForms

/// Every command. The parser, the help and the list of commands are made from this.
package enum CommandTable {
    /// Every command, for the program that has the service in it.
    ///
    /// - Parameter run: carries out `serve`.
    package static func all(
        serving run: @escaping @Sendable (CommandContext) async throws(ToolFailure) -> CommandResult
    ) -> [CommandSpec] {
        let serve = ServeCommand.spec(run: run)
        return all.map { $0.words == serve.words ? serve : $0 }
    }

    static let all: [CommandSpec] = [
        FrontCommand.spec,
        FlowCommand.login,
        FlowCommand.setup,
        FlowCommand.forgotPassword,
        FlowCommand.resetPassword,
        FlowCommand.changePassword,
        ProfileCommand.spec,
        FlowCommand.deleteAccount,
        LogoutCommand.spec,
        WhoamiCommand.spec,
        RunCommand.spec,
        CheckpasswordCommand.spec,
        .group(
            "sessions", summary: "List, create, end and verify sessions",
            about: "List, create, end and verify sessions."),
        SessionsListCommand.spec,
        SessionsCreateCommand.spec,
        SessionsRevokeCommand.spec,
        SessionsVerifyCommand.spec,
        .group(
            "accounts", summary: "Administer accounts", about: "Create, show, list, change and delete accounts."),
        AccountsCreateCommand.spec,
        AccountsShowCommand.spec,
        AccountsListCommand.spec,
        AccountsUpdateCommand.spec,
        AccountsImportCommand.spec,
        AccountsExportCommand.spec,
        AccountsApplyCommand.spec,
        AccountsDeleteCommand.spec,
        AccountsStateCommand.disable,
        AccountsStateCommand.enable,
        AccountsStateCommand.unlock,
        AccountsStateCommand.requireChange,
        AccountsSetPasswordCommand.spec,
        AccountsRecoverCommand.spec,
        .group(
            "audit", summary: "Read and verify the audit trail", about: "List, follow and verify the audit trail."),
        AuditListCommand.list,
        AuditListCommand.follow,
        AuditVerifyCommand.spec,
        AuditHeadCommand.spec,
        .group(
            "store", summary: "Maintain, check and back up the store",
            about: "Maintain, check, back up, restore and migrate the store."),
        StoreMaintainCommand.spec,
        StoreCheckCommand.spec,
        StoreBackupCommand.spec,
        StoreRestoreCommand.spec,
        StoreMigrateCommand.spec,
        MetricsCommand.spec,
        ServeCommand.spec(run: ServeCommand.becomeService),
        .group(
            "policy", summary: "Show and test the password policy",
            about: "Show the current policy and test passwords."),
        PolicyShowCommand.spec,
        PolicyTestCommand.spec,
        .group("blocklist", summary: "Manage refused passwords", about: "Add passwords that Latchkey refuses."),
        BlocklistImportCommand.spec,
        .group("mailer", summary: "Test mail delivery", about: "Test whether messages arrive."),
        MailerTestCommand.spec,
        .group("forms", summary: "List, show, check and try forms", about: "List, show, check and try forms."),
        FormsListCommand.spec,
        FormsShowCommand.spec,
        FormsCheckCommand.spec,
        FormsTryCommand.spec,
        FormsPreviewCommand.spec,
        ValidateCommand.spec,
        ReplayCommand.spec,
        .group(
            "hash", summary: "Measure, inspect and verify password hashes",
            about: "Measure, inspect, count and verify password hashes."),
        HashCalibrateCommand.spec,
        HashInspectCommand.spec,
        HashReportCommand.spec,
        HashVerifyCommand.spec,
        .group(
            "pepper", summary: "Manage the keys that seal password hashes",
            about: "Add, rotate, show and retire the keys that seal password hashes."),
        PepperAddCommand.spec,
        PepperRotateCommand.spec,
        PepperStatusCommand.spec,
        PepperRetireCommand.spec,
        .group("config", summary: "Show and check the settings", about: "Show and check the current settings."),
        ConfigShowCommand.spec,
        ConfigCheckCommand.spec,
        CompletionsCommand.spec,
        ManualCommand.spec,
        HelpCommand.help,
        HelpCommand.version,
    ]
}
