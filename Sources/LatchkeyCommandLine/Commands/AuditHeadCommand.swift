import LatchkeyAccounts
import LatchkeyForms

/// `audit head`: the newest record, to be stored elsewhere.
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
