import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking

/// `accounts update`: changes fields of an existing account, with the sign-up form without its secrets.
struct AccountsUpdateCommand {
    static let spec = CommandSpec(
        words: ["accounts", "update"], summary: "Change an account",
        about: "Change the fields that flags give, with the rules of the sign-up form; an empty value removes a field."
            + " NAME is a username, an e-mail address or an id; --username renames the account. A new address takes"
            + " effect at once, and both addresses are notified. Sessions stay. Without flags, a terminal shows the"
            + " current values for editing. For the password use accounts set-password.",
        operand: .account, form: .flow(.setup), leavesOutSecrets: true, flags: [.takeName],
        statuses: [.done, .no, .data, .exists] + ExitStatus.ofStores,
        examples: [
            "latchkey accounts update ada --email ada@new.example",
            "latchkey accounts update ada@example.org --username countess --json",
        ]
    ) { (context) async throws(ToolFailure) in try await AccountsUpdateCommand(context: context).run() }

    let context: CommandContext

    private func run() async throws(ToolFailure) -> CommandResult {
        let setup = context.forms.form(for: .setup)
        let form = Form(
            id: setup.id, title: setup.title, submit: setup.submit, fields: setup.fields.filter { !$0.isSecret })
        let given = try FieldFlags(of: context, form: form)
        let terminal = given.isEmpty ? Terminal(context) : nil
        guard terminal != nil || !given.isEmpty else { throw .updateNothing }
        let installation = try await Installation.open(context, creating: false)
        let account = try await installation.account(named: context.operand)
        let takesReserved = context.takesReservedName
        let update: AccountUpdate
        if let terminal {
            let shown = Form(
                id: AccountType.profile.rawValue,
                title: context.messages.sentence("menu.update", ["username": .text(account.name)]),
                submit: context.forms.form(for: .profile).submit, fields: form.fields)
            update = try await installation.filling(
                shown, given, nil, in: terminal, present: account.present, of: account.id
            ) {
                (service, credentials) async throws(AccountError) in
                let draft = ProfileDraft(
                    username: credentials.text(.username), email: credentials.text(.email),
                    attributes: credentials.attributesWithEmpty)
                return try await service.update(.id(account.id), draft, by: .thisUser, takesReserved: takesReserved)
            }
        } else {
            let draft = try context.draft(given, over: account, in: form)
            do throws(ToolFailure) {
                update = try await installation.asking(about: form) { (service) async throws(AccountError) in
                    try await service.update(.id(account.id), draft, by: .thisUser, takesReserved: takesReserved)
                }
            } catch {
                await context.noteReservedName(draft.username, in: installation)
                throw error
            }
        }
        if !update.fields.isEmpty { context.tellAdministered(account.id) }
        return result(of: update, in: form)
    }

    private func result(of update: AccountUpdate, in form: Form) -> CommandResult {
        let fields = update.fields.map { form.field($0)?.flag ?? $0.rawValue }.joined(separator: ", ")
        return .sentence(
            fields.isEmpty ? "tool.account_unchanged" : "tool.account_updated",
            ["username": .text(update.account.name), "fields": .text(fields)],
            json: [
                ("account", AccountSummary(update.account).json),
                ("changed", .array(update.fields.map { .string($0.rawValue) })),
            ])
    }
}

extension FlagSpec {
    /// `--take-name`, of the commands that give an account its username.
    static let takeName = FlagSpec("take-name", "Take the username even if another account released it recently")
}

extension CommandContext {
    /// Whether the account may have a username that another one has released recently.
    var takesReservedName: Bool { invocation.has("take-name") }

    /// Prints a hint if the username that a command could not give an account belongs to none, but is reserved.
    func noteReservedName(_ typed: String?, in installation: Installation) async {
        guard !takesReservedName, let typed, let username = try? Username(typed),
            let reserved = try? await installation.service.reservation(of: username)
        else { return }
        output.note(
            messages.sentence(
                "tool.name_reserved",
                ["username": .text(username.typed), "until": .text(shown(reserved.expiresAt))]))
    }

    /// The change that flags ask for, validated together with the account's current values.
    ///
    /// - Parameter given: the new values by field. An empty value removes the field.
    /// - Throws: status 65 with each refused field. A current value that already breaks a rule is ignored, unless a
    ///   flag replaces it.
    fileprivate func draft(
        _ given: FieldFlags, over account: Account, in form: Form
    ) throws(ToolFailure) -> ProfileDraft {
        var values = FormValues()
        let present = account.present
        for field in form.fields { _ = values.set(present[field.apiKey] ?? field.emptyValue, for: field) }
        let before = form.failures(of: values)
        let fields = values.fill(given.inputs, of: form)
        // The value of a field that the change hides is no longer stored.
        let failures = form.failures(of: values).filter { failure in
            fields.contains { $0.apiKey == failure.field } || !before.contains(failure)
        }
        let hidden = form.hiddenFields(values)
        let refused = failures + form.refusals(of: given, hidden)
        guard refused.isEmpty else { throw ToolFailure.refusal(refused, in: form, messages) }
        var draft = ProfileDraft()
        for field in fields {
            let value = values.value(of: field.apiKey) ?? .text("")
            switch field.apiKey {
            case .username: draft.username = value.text
            case .email: draft.email = value.text
            default: draft.attributes[field.apiKey.rawValue] = value
            }
        }
        for key in hidden where account.attributes[key.rawValue] != nil { draft.attributes[key.rawValue] = .text("") }
        return draft
    }
}
