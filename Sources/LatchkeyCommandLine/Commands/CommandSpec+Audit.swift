import LatchkeyAccounts
import LatchkeyForms

extension CommandSpec {
    private static let filters = [
        FlagSpec("account", value: "NAME", "only this account's: a username, an e-mail address or an id"),
        FlagSpec(
            "event", value: "EVENT", of: .oneOf(AuditEvent.allCases.map(\.rawValue)), "only records of this event"),
        FlagSpec("since", value: "TIME", "only records of this time (RFC 3339, UTC) or day, and later"),
    ]

    static let auditList = CommandSpec(
        words: ["audit", "list"], summary: "the records of what happened",
        about:
            "Lists the records of the audit trail, oldest first: number, time, event, account, who did it, and why it failed;"
            + " with --json one object a line.",
        flags: filters + [
            FlagSpec("limit", value: "N", "the newest N of them"),
            FlagSpec("mine", "only those of the account that is signed in"),
        ],
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: [
            "latchkey audit list --account ada --since 2026-01-02",
            "latchkey audit list --event authn_login_fail --json",
            "latchkey audit list --mine --limit 20",
        ]
    ) { (context) async throws(ToolFailure) in
        try await AuditListing(
            context: context, installation: Installation.open(context, creating: false, checkingKeys: false)
        )
        .list()
    }

    static let auditFollow = CommandSpec(
        words: ["audit", "follow"], summary: "new records as they come",
        about:
            "Prints each new record of the audit trail within about a second, until a signal ends it; with --since, those"
            + " that are there already come first.",
        flags: filters, statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey audit follow", "latchkey audit follow --event excess_rate_limit_exceeded --json"]
    ) { (context) async throws(ToolFailure) in
        try await AuditListing(
            context: context, installation: Installation.open(context, creating: false, checkingKeys: false)
        )
        .follow()
    }

    static let auditVerify = CommandSpec(
        words: ["audit", "verify"], summary: "whether the trail is as it was written",
        about: "Recomputes the chain of hashes over the audit trail, and names the first record that is not as it was.",
        more: [
            "",
            "What it proves: with a head that was kept elsewhere (--anchor), that nothing up to that head was changed or",
            "removed. It does not prove",
            "  - that the records after that head are all there;",
            "  - anything against somebody who owns the file, where no head was kept: they can write the whole chain anew;",
            "  - that the clock was right;",
            "  - that nothing happened which was never recorded.",
            "",
            "Keep heads where the store's owner cannot change them: latchkey audit head prints one.",
        ],
        flags: [
            FlagSpec(
                "anchor", value: "FILE|HASH", "a head that was kept: a file with lines of audit head, or a hash alone"),
            FlagSpec("from", value: "N", "begin with record N, and believe what stands before it"),
        ],
        statuses: [.done, .no, .data] + ExitStatus.ofStores,
        examples: ["latchkey audit verify", "latchkey audit verify --anchor /media/usb/heads"]
    ) { (context) async throws(ToolFailure) in
        try await AuditCheck(context: context).perform()
    }

    static let auditHead = CommandSpec(
        words: ["audit", "head"], summary: "the newest record's number, hash and time, to be kept elsewhere",
        about:
            "Prints the head of the audit trail: NUMBER HASH TIME. Keep it where the store's owner cannot change it, for"
            + " audit verify --anchor.",
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey audit head", "latchkey audit head --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let end = try await installation.asking { (service) async throws(AccountError) in try await service.auditEnd() }
        guard let end else { throw .auditEmpty }
        try context.output.head(end)
    }

    static let storeMaintain = CommandSpec(
        words: ["store", "maintain"], summary: "do what waits to be done",
        about:
            "Delivers the messages that wait in the outbox, ends what has expired, records what was only counted, and drops"
            + " the oldest records of an audit trail that is larger or older than it may be. Meant for a timer.",
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey store maintain", "latchkey store maintain --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let report = try await installation.asking { (service) async throws(AccountError) in
            try await service.maintain(by: .thisUser)
        }
        if report.sessionsEnded + report.recordsDropped > 0 { context.tellAdministered() }
        let counts = [
            ("sessions_ended", report.sessionsEnded), ("records_dropped", report.recordsDropped),
            ("messages_waiting", report.messagesWaiting),
        ]
        guard !context.output.json else { return try context.output.success(counts.map { ($0, .integer($1)) }) }
        let values = Dictionary(uniqueKeysWithValues: counts.map { ($0, RuleFailure.Value.integer($1)) })
        try context.output.result(context.messages.sentence("tool.maintained", values))
    }
}
