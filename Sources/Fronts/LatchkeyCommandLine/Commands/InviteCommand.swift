import LatchkeyAccounts
import LatchkeyForms

/// `invite`: creates an invitation to sign up.
struct InviteCommand {
    /// The command that people mean by a verb after `invite`, which is not a name; nil for a name. An invitation is a
    /// token, so `invite list` means `tokens list`.
    private static func command(insteadOf name: String) -> String? {
        if name == "help" { return "invite --help" }
        let verb = name == "show" ? "list" : name
        guard let command = Alias.command(["tokens", verb], among: CommandTable.all) else { return nil }
        return command.last == "create" ? "invite --help" : command.joined(separator: " ")
    }

    static let spec = CommandSpec(
        words: ["invite"], summary: "Invite someone to sign up",
        about:
            "Create an invitation to sign up once and print its link, which is not shown again. If NAME is an e-mail"
            + " address, the link goes there too. tokens list shows the open invitations, and tokens revoke withdraws one.",
        operand: CommandSpec.Operand(name: "NAME", isRequired: true, kind: .text),
        flags: [
            FlagSpec(
                "group", value: "GROUP", of: .text, "Add the new account to this group", isRepeatable: true),
            FlagSpec("expires", value: "TIME", of: .text, "Valid for this long, such as 12h or 30d [7d]"),
        ],
        delivers: true, forOperators: true, statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey invite Grace", "latchkey invite grace@example.org --group staff --expires 30d"]
    ) { (context) async throws(ToolFailure) in
        let invocation = context.invocation
        guard let name = context.operand, OperatorToken.isName(name) else {
            throw .badValue("NAME", .text(maximum: 64))
        }
        if let command = Self.command(insteadOf: name) {
            throw .unknownCommandSuggestion(command: "invite " + name, nearest: "latchkey " + command)
        }
        let address = name.contains("@") ? try? EmailAddress(name) : nil
        if name.contains("@"), address == nil { throw .badValue("NAME", .emailAddress) }
        let lifetime = try TokensCreateCommand.lifetime(invocation) ?? .seconds(7 * 86_400)
        let groups = try TokensCreateCommand.groupsOfInvitation(context)
        let installation = try await Installation.open(context, creating: true)
        guard let origin = context.serviceSettings.originOrTrial else { throw .internal }
        if context.serviceSettings.origin == nil { context.output.note(context.messages.sentence("tool.invite_local")) }
        let invited = try await installation.administering { (service, user) async throws(AccountError) in
            try await service.invite(
                name, sendingTo: address, groups: groups, lifetime: lifetime, at: origin, by: user)
        }
        guard let invited else { throw .tooManyTokens(maximum: AccountService.maximumTokens) }
        try await context.disclose { (output) throws(ToolFailure) in
            if let address {
                output.note(context.messages.sentence("tool.invited", ["email": .text(address.typed)]))
            }
            let members = [("id", .string(invited.token.id))] + invited.token.members
            try output.show(.secret(invited.link, named: "link", json: members), context.messages)
        } orUndo: { () async throws(ToolFailure) in
            _ = try await installation.asking { (service) async throws(AccountError) in
                try await service.revokeToken(invited.token.id, by: .thisUser)
            }
        }
        return .printed
    }
}
