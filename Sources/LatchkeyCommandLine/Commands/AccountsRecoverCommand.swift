import LatchkeyAccounts
import LatchkeyForms

/// `accounts recover`: a recovery code, printed or sent.
enum AccountsRecoverCommand {
    static let spec = CommandSpec(
        words: ["accounts", "recover"], summary: "Create a code to set a new password",
        about: "Create a code for reset-password and print it. It works once, for a day, and cannot be shown again."
            + " NAME is a username, an e-mail address or an id.",
        operand: .account,
        flags: [FlagSpec("send", "Send the code to the account's address and do not print it")],
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey accounts recover ada", "latchkey accounts recover ada --send"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false)
        let account = try await installation.account(named: context.operand)
        let isSent = context.invocation.has("send")
        let code = try await installation.administering(account.id) { (service, user) async throws(AccountError) in
            try await service.issueRecoveryCode(for: .id(account.id), isSent: isSent, by: user)
        }
        guard let code else { return .sentence("tool.code_sent", ["email": .text(account.email.typed)]) }
        return .secret(code, named: "recovery_code")
    }
}
