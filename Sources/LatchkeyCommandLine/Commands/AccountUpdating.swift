import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking

/// `accounts update`: the fields of the set-up form but its secrets, for an account that is there.
struct AccountUpdating {
    let run: Run

    func perform() async throws(ToolFailure) {
        let change = AccountChange(run.forms, run.messages)
        let given = try FieldFlags(of: run, form: change.form).texts
        guard !given.isEmpty else { throw ToolFailure(.usage, "update_nothing") }
        let installation = try await Installation.open(run, creating: false)
        let account = try await installation.account(named: run.operand)
        let draft = try change.draft(given, over: account)
        let update = try await installation.administering(
            account.id, about: change.form, where: { (update: AccountUpdate) in !update.fields.isEmpty }
        ) { (service, user) async throws(AccountError) in
            try await service.update(.id(account.id), draft, by: user)
        }
        try run.output.updated(update, in: change.form, run.messages)
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
