import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// What only whoever owns the store does to an account.
extension CommandSpec {
    static let accountsDisable = operating(
        "disable", summary: "let nobody use an account",
        about:
            "Disables an account: its sessions and codes end at once, and whoever tries to log in is answered as if the"
            + " password were wrong."
    ) { (service, id, _, user) async throws(AccountError) in
        try await service.set(.disabled, of: id, by: user)
        return "tool.account_disabled"
    }

    static let accountsEnable = operating(
        "enable", summary: "let an account be used again", about: "Enables an account that was disabled."
    ) { (service, id, _, user) async throws(AccountError) in
        try await service.set(.active, of: id, by: user)
        return "tool.account_enabled"
    }

    static let accountsUnlock = operating(
        "unlock", summary: "let an account be logged in to at once",
        about: "Ends the delay after failed attempts to log in. accounts show tells whether there is one."
    ) { (service, id, _, user) async throws(AccountError) in
        try await service.unlock(id, by: user)
        return try await service.throttle(of: id).demandsRecovery
            ? "tool.account_unlocked_in_vain" : "tool.account_unlocked"
    }

    static let accountsRequireChange = operating(
        "require-change", summary: "demand another password",
        about: "The owner has to choose another password before the account can be used for anything else.",
        flags: [FlagSpec("compromised", "somebody else may have the password: sessions end too")]
    ) { (service, id, context, user) async throws(AccountError) in
        try await service.requirePasswordChange(
            of: id, isCompromised: context.invocation.has("compromised"), by: user)
        return "tool.change_required"
    }

    static let accountsSetPassword = CommandSpec(
        words: ["accounts", "set-password"], summary: "set somebody's password",
        about:
            "Sets an account's password, ends its sessions and codes, and tells the owner. NAME is a username, an e-mail"
            + " address or an id. Better is accounts recover, after which nobody but the owner knows the password.",
        operand: Operand(name: "NAME", isRequired: true), form: .flow(.setup), onlyField: .password,
        flags: [
            FlagSpec("generate", "a password that nobody chose, printed once; to be changed within a day"),
            FlagSpec("require-change", "the owner must choose another password at the next login"),
        ],
        hashesPasswords: true,
        statuses: [.done, .no, .data, .temporary] + ExitStatus.ofStores,
        examples: [
            "latchkey accounts set-password ada",
            "latchkey accounts set-password ada --generate",
            "printf '%s\\n' 'a first password' | latchkey accounts set-password ada --password-stdin --require-change",
        ]
    ) { (context) async throws(ToolFailure) in
        try await PasswordSetting(context: context).perform()
    }

    static let accountsRecover = CommandSpec(
        words: ["accounts", "recover"], summary: "make a code with which somebody sets a new password",
        about: "Makes a code for reset-password that works once, for a day, and prints it; nobody can see it again."
            + " NAME is a username, an e-mail address or an id.",
        operand: Operand(name: "NAME", isRequired: true),
        flags: [FlagSpec("send", "send it to the account's address, and print nothing of it")],
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey accounts recover ada", "latchkey accounts recover ada --send"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false)
        let account = try await installation.account(named: context.operand)
        let isSent = context.invocation.has("send")
        let code = try await installation.administering(account.id) { (service, user) async throws(AccountError) in
            try await service.issueRecoveryCode(for: .id(account.id), isSent: isSent, by: user)
        }
        guard let code else {
            return try context.output.done(
                context.messages.sentence("tool.code_sent", ["email": .text(account.email.typed)]))
        }
        // The one place where a code is shown: it was made to be carried by whoever asked.
        try context.output.secret(code, named: "recovery_code")
    }

    static let mailerTest = CommandSpec(
        words: ["mailer", "test"], summary: "send a message to see whether it arrives",
        about:
            "Hands a message for ADDRESS to the program of the setting \"mailer\", or else puts it into the outbox beside"
            + " the store.",
        operand: Operand(name: "ADDRESS", isRequired: true),
        statuses: [.done, .data] + ExitStatus.ofStores,
        examples: ["latchkey mailer test ada@example.org", "latchkey mailer test ada@example.org --json"]
    ) { (context) async throws(ToolFailure) in
        let address: EmailAddress
        do throws(RuleFailure) { address = try EmailAddress(context.operand ?? "") } catch {
            throw .badAddress
        }
        let installation = try await Installation.open(context, creating: false)
        do throws(MailerError) { try await installation.service.deliverTest(to: address) } catch {
            throw .mailer(error)
        }
        try context.output.done(context.messages.sentence("tool.message_sent", ["email": .text(address.typed)]))
    }

    /// A command that does one thing to the account of that name, and says so.
    private static func operating(
        _ word: String, summary: String, about: String, flags: [FlagSpec] = [],
        _ perform:
            @escaping @Sendable (AccountService, AccountLookup, CommandContext, AuditActor) async throws(AccountError)
            -> String
    ) -> CommandSpec {
        CommandSpec(
            words: ["accounts", word], summary: summary,
            about: about + " NAME is a username, an e-mail address or an id.",
            operand: Operand(name: "NAME", isRequired: true), flags: flags,
            statuses: [.done, .no] + ExitStatus.ofStores,
            examples: ["latchkey accounts \(word) ada", "latchkey accounts \(word) ada@example.org --json"]
        ) { (context) async throws(ToolFailure) in
            let installation = try await Installation.open(context, creating: false)
            let account = try await installation.account(named: context.operand)
            let sentence = try await installation.administering(account.id) {
                (service, user) async throws(AccountError) in
                try await perform(service, .id(account.id), context, user)
            }
            await installation.service.deliverMessages()
            try context.output.done(
                context.messages.sentence(sentence, ["username": .text(account.username.typed)]))
        }
    }
}
