import LatchkeyAccounts
import LatchkeyForms
import LatchkeyNetworking
import LatchkeySecrets

/// `tokens create`: creates a token with which another program manages accounts through the service.
struct TokensCreateCommand {
    static let spec = CommandSpec(
        words: ["tokens", "create"], summary: "Create a token for a program and print it",
        about: "Create a token with which another program manages accounts over the service, and print it. It cannot be"
            + " shown again. The audit trail names it as token:ID. A token with the scope sign-up is an invitation to create"
            + " one account. If service.origin is set, the command prints it as a link. The scope accounts:recover lets a"
            + " program take accounts over. To change or free the username or address of an account that has a"
            + " credential, accounts:write also needs accounts:recover. To change the group of the administrators, groups:write"
            + " also needs admin. NAME is the same as --name.",
        operand: CommandSpec.Operand(name: "NAME", isRequired: false, kind: .text, flag: "name"),
        flags: [
            FlagSpec("name", value: "TEXT", of: .text, "What the token is for, at most 64 bytes"),
            FlagSpec(
                "scope", value: "SCOPE", of: .oneOf(OperatorToken.Scope.allCases.map(\.rawValue)),
                "What it may do: " + OperatorToken.Scope.allCases.map(\.rawValue).joined(separator: ", ")
                    + "; several with commas [accounts:read]", isRepeatable: true),
            FlagSpec(
                "group", value: "GROUP", of: .text, "Add the account that an invitation creates to this group",
                isRepeatable: true),
            FlagSpec("expires", value: "TIME", of: .text, "Valid for this long, such as 90d or 12h [no end]"),
        ],
        statuses: [.done] + ExitStatus.ofStores,
        examples: [
            "latchkey tokens create --name ci",
            "latchkey tokens create --name sync --scope accounts:read,accounts:write --expires 90d --json",
            "latchkey tokens create --name Grace --scope sign-up --group staff --expires 7d",
        ]
    ) { (context) async throws(ToolFailure) in
        let command = TokensCreateCommand(context: context)
        let (name, scopes, lifetime) = (try command.name(), try command.scopes(), try lifetime(context.invocation))
        let groups = try command.groups(scopes)
        let installation = try await Installation.open(context, creating: true)
        let created = try await installation.administering { (service, user) async throws(AccountError) in
            try await service.createToken(name, scopes: scopes, groups: groups, lifetime: lifetime, by: user)
        }
        guard let (token, text) = created else { throw .tooManyTokens(maximum: AccountService.maximumTokens) }
        let members = [("id", .string(token.id))] + token.members
        let result: CommandResult =
            if scopes == [.signUp], let origin = context.serviceSettings.origin {
                .secret(OperatorToken.link(to: origin, invitation: text), named: "link", json: members)
            } else {
                .secret(text, named: "token", json: members)
            }
        try await context.disclose { (output) throws(ToolFailure) in
            try output.show(result, context.messages)
        } orUndo: { () async throws(ToolFailure) in
            _ = try await installation.asking { (service) async throws(AccountError) in
                try await service.revokeToken(token.id, by: .thisUser)
            }
        }
        return .printed
    }

    let context: CommandContext

    private func name() throws(ToolFailure) -> String {
        guard let flag = context.invocation.value("name") else { throw .flagMissing(name: "--name") }
        guard let name = flag.text, OperatorToken.isName(name) else { throw .badValue("--name", .text(maximum: 64)) }
        return name
    }

    private func scopes() throws(ToolFailure) -> Set<OperatorToken.Scope> {
        var scopes: Set<OperatorToken.Scope> = []
        for word in context.invocation.texts("scope").flatMap({
            $0.split(separator: ",", omittingEmptySubsequences: false)
        }) {
            guard let scope = OperatorToken.Scope(rawValue: String(word)) else {
                let known = OperatorToken.Scope.allCases.map(\.rawValue).joined(separator: ", ")
                throw .badValue("--scope", .choice(known: known))
            }
            scopes.insert(scope)
        }
        return scopes.isEmpty ? [.readAccounts] : scopes
    }

    /// The groups of an invitation.
    private func groups(_ scopes: Set<OperatorToken.Scope>) throws(ToolFailure) -> [GroupName] {
        let groups = try Self.groupsOfInvitation(context)
        guard groups.isEmpty || scopes == [.signUp] else { throw .groupOfSignUp }
        return groups
    }

    /// The groups given for `--group`.
    static func groupsOfInvitation(_ context: CommandContext) throws(ToolFailure) -> [GroupName] {
        let groups = try context.groupsOfFlag()
        guard groups.count <= OperatorToken.maximumGroups else {
            throw .tooManyGroupsOfToken(maximum: OperatorToken.maximumGroups)
        }
        return groups
    }

    /// The time given for `--expires`; nil if the flag is absent.
    static func lifetime(_ invocation: Invocation) throws(ToolFailure) -> Duration? {
        guard let flag = invocation.value("expires") else { return nil }
        // The limit is a century, longer than any program is used.
        guard let lifetime = flag.text.flatMap({ Duration($0) }), .zero < lifetime, lifetime <= .seconds(3_155_760_000)
        else { throw .badValue("--expires", .duration) }
        return lifetime
    }
}

/// `tokens list`: lists all tokens, without their text.
enum TokensListCommand {
    static let spec = CommandSpec(
        words: ["tokens", "list"], summary: "List the tokens of programs",
        about: "List the tokens that `tokens create` made: id, name, scopes, creation, last use and end. In a pipe or"
            + " file, print a line for each, with a tab between the cells; with --json one object a line.",
        flags: [.utc], statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey tokens list", "latchkey tokens list --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let tokens = try await installation.asking { (service) async throws(AccountError) in try await service.tokens()
        }
        var table = ListTable(
            context, titles: ["list.id", "list.name", "list.scopes", "list.created", "list.used", "list.expires"])
        let never = context.messages.sentence("list.never")
        for token in tokens {
            table.add(
                [
                    .id(token.id), .text(token.name), .text(token.scopeNames.joined(separator: ",")),
                    .time(token.createdAt), token.lastUsedAt.map { .time($0) } ?? .text(never),
                    token.expiresAt.map { .time($0) } ?? .text(never),
                ], json: .object([("id", .string(token.id))] + token.members))
        }
        try table.finish(counted: "list.tokens", none: "list.tokens_none")
        return .printed
    }
}

/// `tokens revoke`: deletes a token. This takes effect immediately.
enum TokensRevokeCommand {
    static let spec = CommandSpec(
        words: ["tokens", "revoke"], summary: "Revoke the token of a program",
        about: "Delete the token ID (from tokens list). The service refuses it from the next request on.",
        operand: CommandSpec.Operand(name: "ID", isRequired: true), statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey tokens revoke 3f9a1c02", "latchkey tokens revoke 3f9a1c02 --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let revoked = try await installation.asking { (service) async throws(AccountError) in
            try await service.revokeToken(context.operand ?? "", by: .thisUser)
        }
        guard let revoked else { throw .noSuchToken }
        context.tellAdministered()
        return .sentence("tool.token_revoked", ["name": .text(revoked.name)], json: [("id", .string(revoked.id))])
    }
}

extension OperatorToken {
    fileprivate var scopeNames: [String] { Scope.allCases.filter(scopes.contains).map(\.rawValue) }

    /// All members except the ID.
    var members: CommandResult.Members {
        [
            ("name", .string(name)), ("scopes", .array(scopeNames.map { .string($0) })),
            ("groups", .array(groups.map { .string($0.text) })),
            ("created_at", .string(createdAt.rfc3339)),
            ("last_used_at", lastUsedAt.map { .string($0.rfc3339) } ?? .null),
            ("expires_at", expiresAt.map { .string($0.rfc3339) } ?? .null),
        ]
    }
}
