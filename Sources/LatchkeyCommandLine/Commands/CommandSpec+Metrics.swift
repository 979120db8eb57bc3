import LatchkeyAccounts
import LatchkeyFlows
import LatchkeyForms

extension CommandSpec {
    static let metrics = CommandSpec(
        words: ["metrics"], summary: "figures of the store, as Prometheus reads them",
        about:
            "Prints how many accounts, live sessions, waiting messages and audit records the store has, in the text format"
            + " of Prometheus. Meant for a timer that writes a file for the textfile collector of its node exporter."
            + " Changes nothing.",
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey metrics", "latchkey metrics --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let figures = try await installation.asking { (service) async throws(AccountError) in
            try await service.metrics()
        }
        try context.output.text(figures.prometheus(version: CommandLineTool.version).lines, named: "metrics")
    }
}

extension StoreMetrics {
    func prometheus(version: String) -> PrometheusText {
        var text = PrometheusText()
        text.add("latchkey_build_info", .gauge, "The version, as a label.", [.init(1, [("version", version)])])
        text.add(
            "latchkey_accounts", .gauge, "Accounts by state.",
            [
                .init(counts.activeAccounts, [("state", "active")]),
                .init(counts.disabledAccounts, [("state", "disabled")]),
                .init(counts.unverifiedAccounts, [("state", "unverified")]),
            ])
        text.add(
            "latchkey_accounts_to_change_password", .gauge, "Accounts of which another password is demanded.",
            [.init(counts.accountsToChangePassword)])
        text.add("latchkey_sessions", .gauge, "Live sessions.", [.init(counts.liveSessions)])
        text.add(
            "latchkey_outbox_messages", .gauge, "Messages that wait to be delivered.", [.init(counts.waitingMessages)])
        text.add(
            "latchkey_audit_records_total", .counter, "Audit records that were ever written.",
            [.init(Int(clamping: auditRecords))])
        // No counter: what the trail forgets is counted no more.
        text.add(
            "latchkey_audit_kept_records", .gauge, "Audit records that are kept, by event.",
            AuditEvent.allCases.map { event in
                .init(
                    keptAuditRecords[event] ?? 0,
                    [("event", event.rawValue), ("outcome", event.isFailure ? "failure" : "success")])
            } + [.init(keptAuditRecords[nil] ?? 0, [("event", "other"), ("outcome", "unknown")])])
        if let newestAuditRecord {
            text.add(
                "latchkey_audit_newest_record_timestamp_seconds", .gauge, "When the newest audit record was written.",
                [.init(.milliseconds(newestAuditRecord.milliseconds))])
        }
        return text
    }
}
