import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets

/// `applications explain`: shows what an application would learn about an account, or why it gets no access.
enum ApplicationsExplainCommand {
    static let spec = CommandSpec(
        words: ["applications", "explain"], summary: "Show what an application learns about an account",
        about:
            "Show the claims that the application ID would get if the account NAME logged in to it with all of its factors"
            + " and the application asked for all of its scopes; or the rule that refuses access, with status 1. It starts"
            + " no session. NAME is a username, an e-mail address or an id.",
        operand: CommandSpec.Operand(
            name: "ID NAME", isRequired: true, isRepeatable: true, showsRepetition: false, kind: .text),
        readsForms: true, isOfService: true, statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey applications explain wiki ada", "latchkey applications explain wiki ada --json"]
    ) { (context) async throws(ToolFailure) in
        let operands = context.invocation.operands
        guard operands.count > 1 else { throw .operandMissing(name: "NAME") }
        guard operands.count == 2 else { throw .operandTooMany(command: "latchkey applications explain") }
        let parts = try context.openIDParts()
        let id = try context.applicationID().text
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let account = try await installation.account(named: operands[1].text)
        let found = try await installation.asking { (service) async throws(AccountError) in
            try await service.previewAccess(of: id, to: .id(account.id))
        }
        guard let preview = found else { throw .application(.unknown(id: id)) }
        if let refusal = preview.refusal {
            throw .application(.noAccess(id: id, account: account.name, refusal))
        }
        return context.result(of: preview, parts.claims(preview, context.forms))
    }
}

extension CommandContext {
    fileprivate func result(of preview: AccessPreview, _ claims: OpenIDParts.Claims) -> CommandResult {
        let settings = preview.client.settings
        let isAsked =
            settings.asksForConsent
            && (settings.isPublic || !Set(settings.scopes).isSubset(of: preview.consented))
        var lines = [messages.sentence("tool.explain_userinfo")] + Self.lines(claims.userInfo)
        if !claims.idToken.isEmpty {
            lines += [messages.sentence("tool.explain_id_token")] + Self.lines(claims.idToken)
        }
        if isAsked { lines.append(messages.sentence("tool.explain_asked")) }
        return .lines(
            lines,
            json: [
                ("client_id", .string(preview.client.id)), ("account", .string(preview.account.id.text)),
                ("userinfo", .object(claims.userInfo)), ("id_token", .object(claims.idToken)),
                ("asks_for_consent", .bool(isAsked)),
            ])
    }

    /// A line for each claim, with the values below each other.
    private static func lines(_ claims: CommandResult.Members) -> [String] {
        let width = claims.map(\.key.count).max() ?? 0
        return claims.map { claim in
            let value = if case .string(let text) = claim.value { text } else { claim.value.encoded }
            return "  " + claim.key + String(repeating: " ", count: width - claim.key.count + 2) + value
        }
    }
}
