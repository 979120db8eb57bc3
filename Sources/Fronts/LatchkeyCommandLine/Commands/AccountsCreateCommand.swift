import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeyProvisioning
import LatchkeySecrets

/// `accounts create`: an operator fills in the sign-up form.
struct AccountsCreateCommand {
    static let spec = CommandSpec(
        words: ["accounts", "create"], summary: "Create an account",
        about:
            "Create an account for someone else. NAME is the username, like --username; the other fields come from the sign-up form."
            + " NAME is the e-mail address if the form has no username, or an optional one and --email is not given."
            + " A terminal asks for what is missing, also for NAME. Creates the store if there is none.",
        operand: CommandSpec.Operand(name: "NAME", isRequired: false), form: .flow(.setup), operandIsLoginName: true,
        keepsFlagOfOperand: true,
        flags: [
            FlagSpec("no-password", "Set no password: the owner recovers the account first"),
            FlagSpec("generate", "Generate a password, print it once; the owner changes it within a day"),
            FlagSpec("password-hash-stdin", "Read a password hash, not a password: one line of standard input"),
            FlagSpec("password-hash-file", value: "PATH", "Read the hash from the first line of a file"),
            FlagSpec("password-hash-fd", value: "N", "Read the hash from an open descriptor, one line"),
            FlagSpec("require-change", "Require another password at the first login"),
            FlagSpec("group", value: "GROUP", of: .text, "Add the account to this group", isRepeatable: true),
            FlagSpec(
                "admin",
                "Make the owner an administrator: add the account to the group of service.admins, which is"
                    + " created if there is none"),
            FlagSpec("id", value: "UUID", "Use this id, such as one from another system [random]"),
            .takeName,
        ],
        hashesPasswords: true,
        statuses: [.done, .data, .exists, .temporary] + ExitStatus.ofStores,
        examples: [
            "printf '%s\\n' 'correct horse battery'"
                + " | latchkey accounts create ada --email ada@example.org --password-stdin",
            "latchkey accounts create ada --email ada@example.org --no-password",
            "latchkey accounts create ada --email ada@example.org --generate --group staff --admin",
        ]
    ) { (context) async throws(ToolFailure) in try await AccountsCreateCommand(context: context).run() }

    let context: CommandContext

    private func run() async throws(ToolFailure) -> CommandResult {
        let form = try form()
        let id = try id(in: form)
        let hash = try passwordHash()
        let groups = try context.groupsOfFlag()
        let values = try FieldFlags(of: context, form: form)
        let front = FlagsFront(form: form, values: values, messages: context.messages)
        let terminal = front.areComplete ? nil : Terminal(context)
        if terminal == nil, let operand = context.invocation.command.operand, context.invocation.operands.isEmpty,
            values.bytes(.username) == nil, values.bytes(.email) == nil
        {
            throw .operandMissing(name: operand.name)
        }
        let credentials = terminal == nil ? try front.credentials() : nil
        let installation = try await Installation.open(context, creating: true)
        let administrators = context.invocation.has("admin") ? [context.settings.administrators] : []
        let joined = groups + administrators.filter { !groups.contains($0) }
        for group in groups {
            _ = try await installation.asking { (service) async throws(AccountError) in try await service.group(group) }
        }
        if let group = administrators.first {
            try await installation.administering { (service, user) async throws(AccountError) in
                try await service.ensureGroup(group, by: user)
            }
        }
        let generated = context.invocation.has("generate") ? try await installation.newPassword() : nil
        let mustChangePassword = context.invocation.has("require-change")
        let takesReserved = context.takesReservedName
        let account: Account
        do throws(ToolFailure) {
            account = try await installation.filling(form, values, credentials, in: terminal) {
                (service, credentials) async throws(AccountError) in
                var draft = AccountDraft(
                    username: credentials.newUsername, email: credentials.text(.email) ?? "",
                    attributes: credentials.attributes, password: generated ?? credentials.secret(.password),
                    mustChangePassword: mustChangePassword)
                draft.isPasswordGenerated = generated != nil
                draft.passwordHash = hash
                draft.id = id
                draft.groups = joined
                return try await service.create(draft, by: .thisUser, takesReserved: takesReserved)
            }
        } catch {
            await context.noteReservedName(credentials?.newUsername, in: installation)
            throw error
        }
        context.tellAdministered(account.id)
        await installation.service.deliverMessages()
        let summary = AccountSummary(account, groups: joined)
        let response: NetworkResponse = account.verifyBy == nil ? .success(summary) : .codeSent(summary)
        let sentence = context.sentence(of: response, in: .setup, email: account.email.typed)
        guard let generated else { return .answer(response, sentence: sentence) }
        context.output.note(sentence)
        context.noteGeneratedPassword()
        return .secret(generated, named: "generated_password", of: response)
    }

    /// The ID for the new account; nil for a random one.
    private func id(in form: Form) throws(ToolFailure) -> AccountID? {
        guard let given = context.invocation.value("id") else { return nil }
        guard let id = given.text.flatMap({ AccountID($0) }) else {
            throw ToolFailure.refusal([RuleFailure(code: .notID, field: .accountID)], in: form, context.messages)
        }
        return id
    }

    /// The flags that replace the form's password.
    private static let withoutPassword = ["no-password", "generate"]

    private static let hashFlags: [(name: String, source: SecretSource)] =
        SecretSource.allCases.map { ("password-hash-" + $0.rawValue, $0) }

    /// The imported hash of the password; nil if there is no flag for it.
    private func passwordHash() throws(ToolFailure) -> PasswordHash? {
        let given = context.invocation.flags.filter { flag in Self.hashFlags.contains { $0.name == flag.name } }
        guard let flag = given.first else { return nil }
        if let other = given.dropFirst().first?.name ?? Self.withoutPassword.first(where: context.invocation.has) {
            throw .secretUnwanted(flag: flag.name, other: other)
        }
        guard let source = Self.hashFlags.first(where: { $0.name == flag.name })?.source else { return nil }
        var lines = SecretLines(try source.file(named: flag, context), named: "--" + flag.name)
        let line = try lines.line(maximumBytes: PasswordHash.maximumByteCount, flag: "--" + flag.name)
        if source == .stdin { try lines.refuseRest() }
        guard let hash = PasswordHash(imported: line) else { throw .hashUnsupported }
        return hash
    }

    /// The sign-up form with a title for operators and without links. If a flag replaces the password, the form has no
    /// password field.
    private func form() throws(ToolFailure) -> Form {
        var form = context.forms.form(for: .setup)
        let given = Self.withoutPassword.filter(context.invocation.has)
        if given.count > 1 { throw .secretUnwanted(flag: given[0], other: given[1]) }
        let hashFlag = context.invocation.flags.first { flag in Self.hashFlags.contains { $0.name == flag.name } }
        if let other = given.first ?? hashFlag?.name {
            form = try context.setupFormWithoutPassword { .secretUnwanted(flag: $0, other: other) }
        }
        return Form(
            id: form.id, title: context.messages.sentence("menu.create"), submit: form.submit, fields: form.fields)
    }
}

extension CommandContext {
    /// The sign-up form without its password.
    ///
    /// - Parameter refusal: the failure for a flag that specifies the password.
    func setupFormWithoutPassword(_ refusal: (String) -> ToolFailure) throws(ToolFailure) -> Form {
        let form = forms.form(for: .setup)
        // Nothing else reads the flags and variables of an omitted field.
        try SecretEnvironment.refuse(for: form.fields, in: environment)
        let unwanted = invocation.flags.first { SecretSource.named(by: $0.name, in: form)?.0.apiKey == .password }
        if let unwanted { throw refusal(unwanted.name) }
        return form.without(.password)
    }
}
