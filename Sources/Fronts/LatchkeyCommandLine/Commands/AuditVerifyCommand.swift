import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem

/// `audit verify`: checks that no record of the trail was changed.
struct AuditVerifyCommand {
    static let spec = CommandSpec(
        words: ["audit", "verify"], summary: "Verify the audit trail",
        about:
            "Recompute the chain of hashes over the audit trail, compare its end with the seal of the store's key, and name the"
            + " first record that was changed.",
        more: [
            "",
            "The end of the trail has a seal made with the store's key. The command finds",
            "any record that was changed, added or removed without that key, unless an",
            "earlier end of the trail was put back.",
            "With a head that was stored elsewhere (--anchor), it proves that nothing up to",
            "that head was changed or removed. It does not prove",
            "  - that no earlier end was put back, after that head;",
            "  - anything against a holder of the key without such a head: with the key, the",
            "    whole chain can be rewritten;",
            "  - that the clock was right;",
            "  - that every event was recorded.",
            "",
            "Keep heads on another machine or medium. latchkey audit head prints the newest",
            "one.",
        ],
        flags: [
            FlagSpec(
                "anchor", value: "FILE|HASH", "Compare with stored heads: a file of audit head lines, or one hash"),
            FlagSpec("from", value: "N", "Start with record N and trust the records before it"),
        ],
        statuses: [.done, .no, .data] + ExitStatus.ofStores,
        examples: ["latchkey audit verify", "latchkey audit verify --anchor /media/usb/heads"]
    ) { (context) async throws(ToolFailure) in try await AuditVerifyCommand(context: context).run() }

    let context: CommandContext

    private func run() async throws(ToolFailure) -> CommandResult {
        let anchors = try anchors
        let first = try context.invocation.number("from", in: 1...Int.max).map { Int64($0) }
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let verification = try await installation.asking { (service) async throws(AccountError) in
            try await service.verifyAudit(from: first, anchors: anchors)
        }
        guard verification.finding == .intact else { throw .auditUnsound(verification.finding) }
        let head = verification.head
        let members: CommandResult.Members = [
            ("first", .integer(Int(verification.first))),
            ("last", head.map { .integer(Int($0.sequence)) } ?? .null),
            ("hash", head.map { .string(Hexadecimal.text(of: $0.hash)) } ?? .null),
        ]
        let values = ["first": RuleFailure.Value.integer(Int(verification.first))]
        guard let head else { return .sentence("tool.audit_nothing", values, json: members) }
        let isShortened = first == nil && verification.first > 1
        return .sentence(
            isShortened ? "tool.audit_intact_from" : "tool.audit_intact",
            values.merging(["last": .integer(Int(head.sequence))]) { $1 }, json: members)
    }

    /// The maximum size of a file with heads in bytes, enough for some years of hourly heads.
    private static let maximumFileBytes = 1 << 22

    private var anchors: [AuditAnchor] {
        get throws(ToolFailure) {
            guard let value = context.invocation.value("anchor") else { return [] }
            guard let path = value.path else { throw .badValue("--anchor", .path) }
            if let hash = AuditAnchor(path), hash.sequence == nil { return [hash] }
            let bytes = try InputFiles.contents(of: path, limit: Self.maximumFileBytes)
            let refused = ToolFailure.badValue(path, .anchor)
            guard bytes.count <= Self.maximumFileBytes, let text = String(validating: bytes, as: UTF8.self) else {
                throw refused
            }
            var anchors: [AuditAnchor] = []
            for line in text.split(whereSeparator: \.isNewline) {
                // The line may be a damaged head, which must not be ignored.
                guard let anchor = AuditAnchor(String(line)) else { throw refused }
                anchors.append(anchor)
            }
            guard !anchors.isEmpty else { throw refused }
            return anchors
        }
    }
}

/// `audit head`: prints the newest record, to be stored elsewhere.
enum AuditHeadCommand {
    static let spec = CommandSpec(
        words: ["audit", "head"], summary: "Print the newest audit record's number, hash and time",
        about:
            "Print the head of the audit trail: NUMBER HASH TIME. Store it where the store's owner cannot change it, for"
            + " audit verify --anchor.",
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey audit head", "latchkey audit head --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let end = try await installation.asking { (service) async throws(AccountError) in try await service.auditEnd() }
        guard let end else { throw .auditEmpty }
        let hash = Hexadecimal.text(of: end.hash)
        let time = end.record?.time.rfc3339Milliseconds
        return .lines(
            ["\(end.sequence) \(hash) \(time ?? "-")"],
            json: [
                ("sequence", .integer(Int(end.sequence))), ("hash", .string(hash)),
                ("time", time.map { .string($0) } ?? .null),
            ])
    }
}
