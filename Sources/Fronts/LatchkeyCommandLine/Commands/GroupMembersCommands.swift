import LatchkeyAccounts
import LatchkeyForms

/// `groups add` and `groups remove`: change the members of a group.
enum GroupMembersCommand {
    static let add = spec(
        "add", summary: "Add accounts to a group", isMember: true,
        about: "Add accounts to GROUP. It takes effect with their next request.",
        sentences: ("tool.member_added", "tool.member_present"))

    static let remove = spec(
        "remove", summary: "Remove accounts from a group", isMember: false,
        about: "Remove accounts from GROUP. It takes effect with their next request.", flags: [.lastAdministrator],
        sentences: ("tool.member_removed", "tool.member_absent"))

    /// - Parameter sentences: the codes of the sentences for a changed and an unchanged membership.
    private static func spec(
        _ word: String, summary: String, isMember: Bool, about: String, flags: [FlagSpec] = [],
        sentences: (changed: String, same: String)
    ) -> CommandSpec {
        CommandSpec(
            words: ["groups", word], summary: summary,
            about: about + " NAME is a username, an e-mail address or an id; there may be several.",
            operand: CommandSpec.Operand(name: "GROUP NAME", isRequired: true, isRepeatable: true, kind: .text),
            flags: flags, statuses: [.done, .no] + ExitStatus.ofStores,
            examples: ["latchkey groups \(word) staff ada", "latchkey groups \(word) staff ada grace --json"]
        ) { (context) async throws(ToolFailure) in
            let operands = context.invocation.operands
            guard operands.count > 1 else { throw .operandMissing(name: "NAME") }
            let group = try GroupName(operand: operands[0].text, "GROUP")
            let installation = try await Installation.open(context, creating: false)
            return try await context.forEachName(after: 1) { (name) async throws(ToolFailure) in
                let account = try await installation.account(named: name.text)
                let hasChanged = try await installation.asking { (service) async throws(AccountError) in
                    try await service.setMembership(
                        of: .id(account.id), in: group, to: isMember, mayLeaveNone: context.mayLeaveNone, by: .thisUser)
                }
                if hasChanged { context.tellAdministered(account.id) }
                return .sentence(
                    hasChanged ? sentences.changed : sentences.same,
                    ["username": .text(account.name), "name": .text(group.text)], json: [("changed", .bool(hasChanged))]
                )
            }
        }
    }
}
