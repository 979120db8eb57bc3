import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms

/// `accounts disable|enable|unlock|require-change`: changes the state of accounts.
enum AccountsStateCommand {
    static let disable = spec(
        "disable", summary: "Disable an account",
        about:
            "Disable an account. Its sessions and codes end at once, and a login fails as if the password were wrong.",
        flags: [.lastAdministrator]
    ) { (service, account, context, user) async throws(AccountError) in
        try await service.set(.disabled, of: .id(account.id), mayLeaveNone: context.mayLeaveNone, by: user)
        return sentence("tool.account_disabled", account)
    }

    static let enable = spec(
        "enable", summary: "Enable an account", about: "Enable an account that was disabled."
    ) { (service, account, _, user) async throws(AccountError) in
        try await service.set(.active, of: .id(account.id), by: user)
        return sentence("tool.account_enabled", account)
    }

    static let unlock = spec(
        "unlock", summary: "Unlock an account",
        about: "End the delay after failed logins. accounts show reports it. It does not enable a disabled account."
    ) { (service, account, _, user) async throws(AccountError) in
        let state: CommandResult.Members = [("state", .string(account.state.rawValue))]
        if account.state == .disabled { return sentence("tool.account_disabled_still", account, json: state) }
        try await service.unlock(.id(account.id), by: user)
        let demandsRecovery = try await service.throttle(of: .id(account.id)).demandsRecovery
        return sentence(
            demandsRecovery ? "tool.account_unlocked_in_vain" : "tool.account_unlocked", account, json: state)
    }

    static let resetFactors = spec(
        "reset-factors", summary: "Remove the second factors of an account",
        about:
            "Remove the authenticator app, the passkeys, the saved codes and the app passwords of an account whose owner"
            + " has lost them, and end its sessions. A message tells the owner. Make sure that it is the owner who asks."
    ) { (service, account, _, user) async throws(AccountError) in
        let hadSome = try await service.resetFactors(of: .id(account.id), by: user)
        return sentence(hadSome ? "tool.factors_reset" : "tool.factors_none", account)
    }

    static let requireChange = spec(
        "require-change", summary: "Require a new password",
        about: "Require the owner to choose another password before using the account for anything else.",
        flags: [FlagSpec("compromised", "End the sessions too: someone else may know the password")]
    ) { (service, account, context, user) async throws(AccountError) in
        try await service.requirePasswordChange(
            of: .id(account.id), isCompromised: context.invocation.has("compromised"), by: user)
        return sentence("tool.change_required", account)
    }

    private static func sentence(
        _ code: String, _ account: Account, json: CommandResult.Members = []
    ) -> CommandResult { .sentence(code, ["username": .text(account.name)], json: json) }

    private static func spec(
        _ word: String, summary: String, about: String, flags: [FlagSpec] = [],
        _ change:
            @escaping @Sendable (
                AccountService, Account, CommandContext, AuditActor
            ) async throws(AccountError) -> CommandResult
    ) -> CommandSpec {
        CommandSpec(
            words: ["accounts", word], summary: summary,
            about: about + " NAME is a username, an e-mail address or an id; there may be several.",
            operand: .accounts, flags: flags, statuses: [.done, .no] + ExitStatus.ofStores,
            examples: ["latchkey accounts \(word) ada", "latchkey accounts \(word) ada@example.org --json"]
        ) { (context) async throws(ToolFailure) in
            let installation = try await Installation.open(context, creating: false)
            let result = try await context.forEachName { (name) async throws(ToolFailure) in
                let account = try await installation.account(named: name.text)
                return try await installation.administering(account.id) { (service, user) async throws(AccountError) in
                    try await change(service, account, context, user)
                }
            }
            await installation.service.deliverMessages()
            return result
        }
    }
}

/// `accounts delete`: in a terminal, the operator must type the login name first.
struct AccountsDeleteCommand {
    static let spec = CommandSpec(
        words: ["accounts", "delete"], summary: "Delete accounts",
        about:
            "Delete an account with its sessions and codes. NAME is a username, an e-mail address or an id; there may"
            + " be several. In a terminal you type the username or address to confirm, or for several accounts their"
            + " number; elsewhere --yes is required.",
        operand: .accounts, flags: [FlagSpec("yes", "Do not ask for confirmation"), .lastAdministrator],
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey accounts delete ada", "latchkey accounts delete ada bob --yes"]
    ) { (context) async throws(ToolFailure) in try await AccountsDeleteCommand(context: context).run() }

    let context: CommandContext

    private func run() async throws(ToolFailure) -> CommandResult {
        let terminal = context.invocation.has("yes") ? nil : Terminal(context)
        guard terminal != nil || context.invocation.has("yes") else { throw .yesNeeded }
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        guard context.invocation.operands.count == 1 else { return try await deleteSeveral(terminal, installation) }
        let account = try await installation.account(named: context.operand)
        let name = account.name
        if let terminal {
            let typed = try await ask(
                "menu.delete", "menu.delete_confirmation", ["username": .text(name)], in: terminal)
            guard let typed, LoginName(mapping: typed) == account.loginName else {
                throw .otherNameTyped(username: name)
            }
        }
        return try await delete(account, installation)
    }

    /// Asks once for all accounts that exist.
    private func deleteSeveral(
        _ terminal: Terminal?, _ installation: Installation
    ) async throws(ToolFailure) -> CommandResult {
        var report = CommandContext.NameReport(context)
        var found: [(name: CommandContext.Name, account: Account)] = []
        for name in context.invocation.operands.map(CommandContext.Name.init) {
            do throws(ToolFailure) {
                let account = try await installation.account(named: name.text)
                if !found.contains(where: { $0.account.id == account.id }) { found.append((name, account)) }
            } catch {
                report.fail(name, error)
            }
        }
        if let terminal, !found.isEmpty {
            let count = found.count
            let typed = try await ask(
                "menu.delete_several", "menu.delete_several_confirmation",
                ["count": .integer(count), "names": .text(found.map(\.account.name).joined(separator: ", "))],
                in: terminal)
            guard typed == String(count) else { throw .otherCountTyped(count: count) }
        }
        for (name, account) in found {
            try await report.add(name) { () async throws(ToolFailure) in try await delete(account, installation) }
        }
        return report.result
    }

    private func delete(
        _ account: Account, _ installation: Installation
    ) async throws(ToolFailure) -> CommandResult {
        try await installation.administering(account.id) { (service, user) async throws(AccountError) in
            try await service.delete(.id(account.id), by: user, mayLeaveNone: context.mayLeaveNone)
        }
        return .sentence("tool.account_deleted", ["username": .text(account.name)])
    }

    /// - Parameters:
    ///   - title: the code of the form's title.
    ///   - confirmation: the code of the sentence with the text to type.
    /// - Returns: the text that the user typed.
    private func ask(
        _ title: String, _ confirmation: String, _ values: [String: RuleFailure.Value], in terminal: Terminal
    ) async throws(ToolFailure) -> String? {
        let form = Form(
            id: "deletion", title: context.messages.sentence(title, values),
            submit: context.messages.sentence("menu.delete_account"),
            // The field has no rules, because any other input cancels the deletion.
            fields: [DeletionField(request: context.messages.sentence(confirmation, values))])
        return try await terminal.ask(form, FieldFlags()).text(DeletionField.key)
    }
}

extension FlagSpec {
    /// `--last-admin` of commands that can take away the last administrator.
    static let lastAdministrator = FlagSpec("last-admin", "Do it even if no active administrator remains")
}

extension CommandContext {
    /// Whether the command may take away the last administrator.
    var mayLeaveNone: Bool { invocation.has("last-admin") }
}

/// The field in which the user confirms a deletion.
struct DeletionField: FormTextField {
    static let key: FieldKey = "confirmation"

    let apiKey = Self.key
    /// The sentence that contains the text to type.
    let placeholder: String
    let validationRules: [any Rule]
    let messages: [Int: String]
    let textColor = ColorRole.warning

    /// - Parameter expected: the only accepted text; nil for any text.
    init(request: String, expecting expected: String? = nil) {
        placeholder = request
        validationRules = expected.map { [OneOfRule([$0])] } ?? [RequiredRule()]
        messages = expected == nil ? [:] : [0: request]
    }
}

extension AppDependency {
    /// A copy in which the form for deleting the account also asks for the account's name.
    func confirmingDeletion(of name: String) -> AppDependency {
        var dependency = self
        let form = forms.form(for: .deleteAccount)
        let request = messages.sentence("menu.delete_confirmation", ["username": .text(name)])
        dependency.forms = forms.replacing(
            Form(
                id: form.id, title: form.title, submit: form.submit, links: form.links,
                fields: form.fields + [DeletionField(request: request, expecting: name)]))
        return dependency
    }
}
