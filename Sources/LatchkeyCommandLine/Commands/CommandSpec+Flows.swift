import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms

extension CommandSpec {
    /// The command of one flow: prompts for what flags did not give, and ends when the flow succeeds.
    static func flow(
        _ type: AccountType, summary: String, about: String, statuses: [ExitStatus], examples: [String],
        flags: [FlagSpec] = []
    ) -> CommandSpec {
        CommandSpec(
            words: [type.commandName], summary: summary, about: about, form: .flow(type),
            flags: flags + [.record, .source], hashesPasswords: type.hashesPasswords,
            statuses: [.done, .cannotCreate] + statuses + ExitStatus.ofStores, examples: examples
        ) { (context) async throws(ToolFailure) in
            switch type {
            case .login where context.invocation.has("batch") || context.invocation.has("jobs"):
                try SessionRecording.refuse(context)
                try await LoginBatch(context: context).perform()
            case .profile: try await ProfileRun(context: context).perform()
            case .setup where context.settings.verifiesEmail:
                try await AccountCreation(context: context).performForOneself()
            default: try await FlowRun(type: type, context: context).perform()
            }
        }
    }

    /// `latchkey` alone.
    static let front = CommandSpec(
        words: [], summary: "open the front in the terminal",
        about: "Opens the front in the terminal: on set-up while the store has no account, otherwise on login."
            + " Whoever is signed in already is offered what they may want.",
        flags: [
            FlagSpec(
                "open", value: "FLOW", of: .oneOf(AccountType.allCases.map(\.commandName)),
                "the flow to open first, such as forgot-password"),
            .record,
        ],
        hashesPasswords: true, readsForms: true, statuses: [.done, .no, .cannotCreate] + ExitStatus.ofStores,
        examples: ["latchkey", "latchkey --open forgot-password"]
    ) { (context) async throws(ToolFailure) in
        try await FrontRun(context: context).perform()
    }
}

extension AccountType {
    /// What the flow's command is called.
    var commandName: String {
        switch self {
        case .login: "login"
        case .setup: "setup"
        case .forgotPassword: "forgot-password"
        case .resetPassword: "reset-password"
        case .changePassword: "change-password"
        case .profile: "profile"
        case .deleteAccount: "delete-account"
        }
    }

    /// Whether its command makes the store where there is none.
    var makesStore: Bool {
        switch self {
        case .setup: true
        case .login, .forgotPassword, .resetPassword, .changePassword, .profile, .deleteAccount: false
        }
    }

    /// Whether its command hashes a new password, or rehashes one that is right.
    var hashesPasswords: Bool {
        switch self {
        case .login, .setup, .resetPassword, .changePassword: true
        case .forgotPassword, .profile, .deleteAccount: false
        }
    }

    /// Whether it is for those alone who are signed in.
    var needsSession: Bool {
        switch self {
        case .changePassword, .profile, .deleteAccount: true
        case .login, .setup, .forgotPassword, .resetPassword: false
        }
    }
}
