import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySystem

/// `accounts update`: the fields of the set-up form but its secrets, for an account that is there. Where no flag gives one,
/// a terminal shows them as they are.
struct AccountUpdating {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
        let change = AccountChange(context.forms, context.messages)
        let given = try FieldFlags(of: context, form: change.form).texts
        let terminal = given.isEmpty ? Terminal(context) : nil
        guard terminal != nil || !given.isEmpty else { throw .updateNothing }
        let installation = try await Installation.open(context, creating: false)
        let account = try await installation.account(named: context.operand)
        if let terminal { return try await update(account, change.form, in: terminal, installation) }
        let draft = try change.draft(given, over: account)
        let update = try await installation.asking(about: change.form) { (service) async throws(AccountError) in
            try await service.update(.id(account.id), draft, by: .thisUser)
        }
        if !update.fields.isEmpty { context.tellAdministered(account.id) }
        try context.output.updated(update, in: change.form, context.messages)
    }

    private func update(
        _ account: Account, _ setup: Form, in terminal: Terminal, _ installation: Installation
    ) async throws(ToolFailure) {
        let form = Form(
            id: AccountType.profile.rawValue,
            title: context.messages.sentence("menu.update", ["username": .text(account.username.typed)]),
            submit: context.forms.form(for: .profile).submit, fields: setup.fields)
        let networking = UpdateNetworking(service: installation.service, id: account.id)
        var dependency = installation.dependency(networking: networking)
        dependency.forms = dependency.forms.replacing(form)
        let coordinator = AccountCoordinator(
            dependency: dependency, opening: .profile, until: .success(of: .profile))
        _ = try await terminal.run(coordinator, nil, present: account.present)
        guard let update = networking.update.withLock({ $0 }) else { return }
        if !update.fields.isEmpty { context.tellAdministered(account.id) }
        // The terminal has said it in words already.
        if context.output.json { try context.output.updated(update, in: setup, context.messages) }
    }
}

/// ``Networking`` of a form that an operator fills in for somebody else: to send it is to change the account.
private struct UpdateNetworking: Networking {
    let service: AccountService
    let id: AccountID
    /// What came of it.
    let update = Locked<AccountUpdate?>(nil)

    func perform(call: AccountType, with credentials: Credentials) async -> NetworkResponse {
        let draft = ProfileDraft(
            username: credentials.text(.username), email: credentials.text(.email),
            attributes: credentials.attributesWithEmpty)
        do throws(AccountError) {
            let done = try await service.update(.id(id), draft, by: .thisUser)
            update.withLock { $0 = done }
            return .success(AccountSummary(done.account))
        } catch {
            return NetworkResponse(error)
        }
    }
}

extension Output {
    fileprivate func updated(
        _ update: AccountUpdate, in form: Form, _ messages: MessageTable
    ) throws(ToolFailure) {
        guard !json else {
            return try success([
                ("account", AccountSummary(update.account).json),
                ("changed", .array(update.fields.map { .string($0.rawValue) })),
            ])
        }
        let fields = update.fields.map { form.field($0)?.flag ?? $0.rawValue }.joined(separator: ", ")
        try result(
            messages.sentence(
                fields.isEmpty ? "tool.account_unchanged" : "tool.account_updated",
                ["username": .text(update.account.username.typed), "fields": .text(fields)]))
    }
}
