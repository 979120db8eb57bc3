import LatchkeyAccounts
import LatchkeyForms

/// `store maintain`: the periodic work on a store.
enum StoreMaintainCommand {
    static let spec = CommandSpec(
        words: ["store", "maintain"], summary: "Send queued mail and delete expired data",
        about: "Send queued mail, delete expired sessions and codes, write summary records for floods of failures,"
            + " and drop the oldest audit records beyond the configured size or age. Run it every few minutes.",
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
        return .sentence(
            "tool.maintained", Dictionary(uniqueKeysWithValues: counts.map { ($0, .integer($1)) }),
            json: counts.map { ($0, .integer($1)) })
    }
}
