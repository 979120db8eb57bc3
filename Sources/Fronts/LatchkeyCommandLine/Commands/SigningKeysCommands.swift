import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem

/// `openid keys`: lists the keys that sign ID tokens, replaces and withdraws them.
enum SigningKeysCommands {
    static let list = CommandSpec(
        words: ["openid", "keys", "list"], summary: "List the keys that sign ID tokens",
        about:
            "List the keys: ID, algorithm, state, and the times from which each signs and stops. A new key is published"
            + " for 24 hours before it signs, and an old one for 24 hours after it has stopped. The list names the"
            + " applications that have not fetched a key yet from the address of their logins, in a terminal and with"
            + " --json.",
        flags: [.utc], statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey openid keys list", "latchkey openid keys list --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let (keys, clients) = try await installation.asking { (service) async throws(AccountError) in
            (try await service.signingKeys(), try await service.clients())
        }
        let now = SystemClock().now()
        var table = ListTable(
            context, titles: ["list.id", "list.algorithm", "list.state", "list.signs_from", "list.signs_until"])
        var missing: [String] = []
        for key in keys where key.isPublished(at: now) {
            let without = key.retiredAt.map { $0 <= now } ?? false ? [] : key.clientsWithoutIt(among: clients).map(\.id)
            if !without.isEmpty {
                missing.append(
                    context.messages.sentence(
                        "tool.signing_key_not_fetched",
                        ["id": .text(key.id), "names": .text(without.joined(separator: ", "))]))
            }
            let (state, title) =
                key.signs(at: now)
                ? ("signs", "list.key_signs")
                : now < key.activeAt ? ("published", "list.key_published") : ("retired", "list.key_retired")
            table.add(
                [
                    .id(key.id), .text(key.algorithm.rawValue), .text(context.messages.sentence(title)),
                    .time(key.activeAt), key.retiredAt.map { .time($0) } ?? .text("-"),
                ],
                json: .object([
                    ("kid", .string(key.id)), ("algorithm", .string(key.algorithm.rawValue)), ("state", .string(state)),
                    ("created_at", .string(key.createdAt.rfc3339)), ("signs_from", .string(key.activeAt.rfc3339)),
                    ("signs_until", key.retiredAt.map { .string($0.rfc3339) } ?? .null),
                    ("not_fetched_by", .array(without.map { .string($0) })),
                ]))
        }
        try table.finish(counted: "list.signing_keys", none: "list.signing_keys_none")
        if table.isForPeople { for line in missing { context.output.note(line) } }
        return .printed
    }

    static let rotate = CommandSpec(
        words: ["openid", "keys", "rotate"], summary: "Replace the keys that sign ID tokens",
        about: "Create a new key for each algorithm in use. It is published at once and signs after 24 hours, so that"
            + " applications can fetch it first. While such a key waits, another one is created only with --now. The service"
            + " does this by itself every 90 days.",
        flags: [
            FlagSpec("now", "Sign with the new keys at once: applications may refuse logins until they fetch the keys")
        ], isOfService: true, statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey openid keys rotate", "latchkey openid keys rotate --now --json"]
    ) { (context) async throws(ToolFailure) in
        let parts = try context.openIDParts()
        let isAtOnce = context.invocation.has("now")
        let delay = isAtOnce ? Duration.zero : SigningKeyRecord.publication
        let installation = try await Installation.open(context, creating: false)
        let (created, waiting) = try await installation.administering {
            (service, user) async throws(AccountError) -> ([SigningKeyRecord], [SigningKeyRecord]) in
            var created: [SigningKeyRecord] = []
            for algorithm in try await service.usedAlgorithms() {
                let key = try await service.addSigningKey(
                    try parts.newKey(algorithm), activeAfter: delay, unlessWaiting: !isAtOnce, by: user)
                if let key { created.append(key) }
            }
            let now = service.clock.now()
            return (created, try await service.signingKeys().filter { $0.waits(at: now) })
        }
        let signsFrom = (created.isEmpty ? waiting : created).map(\.activeAt).max()
        let sentence =
            created.isEmpty
            ? "tool.signing_keys_waiting" : isAtOnce ? "tool.signing_keys_sign" : "tool.signing_keys_rotated"
        return .sentence(
            sentence,
            [
                "count": .integer(created.isEmpty ? waiting.count : created.count),
                "time": .text(signsFrom.map { context.shown($0) } ?? ""),
            ],
            json: [
                ("kids", .array(created.map { .string($0.id) })),
                ("signs_from", signsFrom.map { .string($0.rfc3339) } ?? .null),
            ])
    }

    static let retire = CommandSpec(
        words: ["openid", "keys", "retire"], summary: "Withdraw a key at once",
        about:
            "Withdraw the key KID, for example because someone else may have it. A running service stops using and publishing"
            + " it within ten seconds, and applications refuse its ID tokens after at most five minutes. If no other key"
            + " signs, the service creates one.",
        operand: CommandSpec.Operand(name: "KID", isRequired: true), statuses: [.done, .no] + ExitStatus.ofStores,
        examples: [
            "latchkey openid keys retire pXr3TzZ0Tn2qT6VxJ9n0Yg",
            "latchkey openid keys retire pXr3TzZ0Tn2qT6VxJ9n0Yg --json",
        ]
    ) { (context) async throws(ToolFailure) in
        let id = context.operand ?? ""
        let installation = try await Installation.open(context, creating: false)
        let isDone = try await installation.asking { (service) async throws(AccountError) in
            try await service.retireSigningKey(id, by: .thisUser)
        }
        guard isDone else { throw .application(.unknownKey(id: id)) }
        context.tellAdministered()
        return .sentence("tool.signing_key_retired", ["id": .text(id)], json: [("kid", .string(id))])
    }
}
