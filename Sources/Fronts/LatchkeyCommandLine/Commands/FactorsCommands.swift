import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets

/// `factors list`: lists the second factors of an account.
enum FactorsListCommand {
    static let spec = CommandSpec(
        words: ["factors", "list"], summary: "Show your second factors",
        about:
            "Show whether the logged-in account has an authenticator app, when a code of it was last used, and how many"
            + " saved codes are left.",
        flags: [.sessionAccount], worksOverServer: true, statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey factors list", "latchkey factors list --account ada --json"]
    ) { (context) async throws(ToolFailure) in
        let factors: FactorSummary
        if context.invocation.has("account") {
            let installation = try await Installation.open(context, creating: false)
            factors = try await installation.factors(of: context.sessionAccount(in: installation))
        } else {
            let owner = try await context.owner()
            _ = try await owner.fullSession()
            factors = try await owner.factors()
        }
        return .sentences(factors.lines(context.messages), json: factors.members)
    }
}

/// `factors add`: sets up an authenticator app.
struct FactorsAddCommand {
    /// The kind of factor that can be added here.
    private static let kind = "totp"
    /// The kind of factor that only a browser can add.
    static let passkey = "passkey"

    static let spec = CommandSpec(
        words: ["factors", "add"], summary: "Set up an authenticator app",
        about:
            "Set up an authenticator app (TOTP). A terminal shows a QR code and asks for a code of the app. Elsewhere the"
            + " command prints the otpauth: URI; run it again with --code-stdin to finish. At the end it prints ten codes to"
            + " save, for the day the app is lost. Requires a login within the last 5 minutes. A passkey is added in a"
            + " browser, on the page /account.",
        operand: CommandSpec.Operand(name: "KIND", isRequired: false, kind: .oneOf([kind])), form: .flow(.addFactor),
        worksOverServer: true, statuses: [.done, .no, .exists, .data] + ExitStatus.ofStores,
        examples: [
            "latchkey factors add totp", "latchkey factors add totp --no-input --json",
            "printf '%s\\n' \"$CODE\" | latchkey factors add totp --code-stdin",
        ]
    ) { (context) async throws(ToolFailure) in try await FactorsAddCommand(context: context).run() }

    let context: CommandContext

    private func run() async throws(ToolFailure) -> CommandResult {
        if let operand = context.invocation.operands.first, operand.text != Self.kind {
            if [Self.passkey, "passkeys", "webauthn"].contains(operand.text) {
                throw .passkeyInBrowser(page: context.accountPage)
            }
            throw .badValue("KIND", .choice(known: Self.kind))
        }
        let form = context.forms.form(for: .addFactor)
        let given = try FieldFlags(of: context, form: form)
        let terminal = given.isEmpty ? Terminal(context) : nil
        if given.bytes(.code)?.isEmpty == true {
            throw .refusal([RuleFailure(code: .required, field: .code)], in: form, context.messages)
        }
        let owner = try await context.owner()
        if let terminal { return try await run(in: terminal, owner) }
        try await owner.reauthenticate()
        let coordinator = AccountCoordinator(
            dependency: owner.dependency(), opening: .addFactor, until: .success(of: .addFactor))
        let credentials = given.bytes(.code).map { Credentials([.code: .secret($0)]) } ?? Credentials([:])
        let (_, response) = await coordinator.userProvidedValidated(credentials: credentials, type: .addFactor)
        await owner.deliverMessages()
        guard let response else { throw .internal }
        if let failure = owner.failure(behind: response) { throw failure }
        return try context.result(of: response, in: .addFactor, about: form)
    }

    /// Shows the QR code and asks for a code in a terminal.
    func run(in terminal: Terminal, _ owner: AccountOwner) async throws(ToolFailure) -> CommandResult {
        try await owner.reauthenticate()
        if try await owner.factors().addedAt != nil {
            throw .response(.refused(.factorExists), [])
        }
        let coordinator = AccountCoordinator(
            dependency: owner.dependency(), opening: .addFactor, until: .success(of: .addFactor))
        let (_, response) = try await terminal.run(coordinator, nil)
        await owner.deliverMessages()
        guard context.output.json else { return .printed }
        return try context.result(of: response, in: .addFactor, about: context.forms.form(for: .addFactor))
    }
}

/// `factors codes`: replaces the saved codes.
enum FactorsCodesCommand {
    static let spec = CommandSpec(
        words: ["factors", "codes"], summary: "Replace your saved codes",
        about: "Replace the codes for a lost authenticator app, and print the new ones. They cannot be shown again."
            + " Requires a login within the last 5 minutes.",
        worksOverServer: true, statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey factors codes", "latchkey factors codes --json"]
    ) { (context) async throws(ToolFailure) in try await run(context.owner()) }

    static func run(_ owner: AccountOwner) async throws(ToolFailure) -> CommandResult {
        try await owner.reauthenticate()
        let codes = try await owner.asking { (client, token) async throws(ClientError) in
            try await client.replaceSavedCodes(of: token)
        }
        guard let codes else { throw .noFactor }
        return .answer(
            .success().disclosing(.savedCodes(codes)),
            sentence: owner.context.messages.sentence("tool.saved_codes_replaced"))
    }
}

/// `factors remove`: removes the authenticator app, or a passkey.
enum FactorsRemoveCommand {
    static let spec = CommandSpec(
        words: ["factors", "remove"], summary: "Remove a second factor",
        about:
            "Remove the authenticator app of the logged-in account, or the passkey ID (from factors list). Without any"
            + " second factor, a login needs only the password, and the saved codes stop working. A message confirms the"
            + " removal. A terminal asks first; elsewhere --yes is required. Requires a login within the last 5"
            + " minutes.",
        operand: CommandSpec.Operand(name: "ID", isRequired: false),
        flags: [FlagSpec("yes", "Do not ask for confirmation")], worksOverServer: true,
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey factors remove", "latchkey factors remove --yes"]
    ) { (context) async throws(ToolFailure) in
        let terminal = context.invocation.has("yes") ? nil : Terminal(context)
        guard terminal != nil || context.invocation.has("yes") else { throw .yesNeeded }
        let passkey = context.invocation.operands.first.map { $0.text ?? "" }
        return try await run(context.owner(), passkey: passkey, asking: terminal)
    }

    /// - Parameter passkey: the ID of a passkey; nil for the authenticator app.
    static func run(
        _ owner: AccountOwner, passkey: String? = nil, asking terminal: Terminal?
    ) async throws(ToolFailure) -> CommandResult {
        let messages = owner.context.messages
        try await owner.reauthenticate()
        let factors = try await owner.factors()
        let removed = factors.passkeys.first { $0.id == passkey?.lowercased() }
        guard passkey == nil ? factors.addedAt != nil : removed != nil else {
            throw passkey == nil ? .noFactor : .noSuchPasskey
        }
        if let terminal {
            let left = factors.passkeys.count + (factors.addedAt == nil ? 0 : 1) - 1
            let question =
                (passkey == nil ? "menu.remove_factor_ask" : "menu.remove_passkey_ask") + (left > 0 ? ".other" : "")
            let answers = ["menu.end_not", passkey == nil ? "menu.remove_factor" : "menu.remove_passkey"]
            let title = messages.sentence(question, ["name": .text(removed?.name ?? "")])
            guard await terminal.choose(title, answers.map { messages.sentence($0) }) == 1 else {
                throw .cancelled(isShown: true)
            }
        }
        let isDone = try await owner.asking { (client, token) async throws(ClientError) in
            guard let passkey else { return try await client.removeAuthenticator(of: token) }
            return try await client.removePasskey(passkey, of: token)
        }
        guard isDone else { throw passkey == nil ? .noFactor : .noSuchPasskey }
        await owner.deliverMessages()
        return .sentence(passkey == nil ? "tool.factor_removed" : "tool.passkey_removed")
    }
}

extension AccountOwner {
    /// The second factors of the logged-in account.
    func factors() async throws(ToolFailure) -> FactorSummary {
        try await asking { (client, token) async throws(ClientError) in try await client.factors(of: token) }
    }
}

extension CommandContext {
    /// The address of the owner's page of the service.
    fileprivate var accountPage: String {
        let base = settings.server ?? settings.service.originOrTrial?.text ?? ""
        return (base.hasSuffix("/") ? String(base.dropLast()) : base) + "/account"
    }
}

extension FactorSummary {
    /// The lines for people.
    func lines(_ messages: MessageTable) -> [String] {
        let now = SystemClock().now()
        func times(_ added: Timestamp, _ used: Timestamp?) -> [String: RuleFailure.Value] {
            [
                "added": .text(messages.relative(added, now: now)),
                "used": .text(messages.relative(used ?? added, now: now)),
            ]
        }
        var lines = addedAt.map { [messages.sentence("tool.factor", times($0, lastUsedAt))] } ?? []
        for passkey in passkeys {
            let values = times(passkey.addedAt, passkey.lastUsedAt)
            lines.append(
                messages.sentence(
                    "tool.passkey",
                    values.merging(["id": .text(passkey.id), "name": .text(passkey.name)]) { first, _ in first }))
        }
        guard !lines.isEmpty else { return [messages.sentence("tool.factor_none")] }
        return lines + [messages.sentence("tool.saved_codes_left", ["count": .integer(savedCodes)])]
    }
}
