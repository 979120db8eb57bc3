package import LatchkeyAccounts
package import LatchkeyFlows
import LatchkeyForms

/// `metrics`: reports the store's counts.
enum MetricsCommand {
    static let spec = CommandSpec(
        words: ["metrics"], summary: "Print metrics for Prometheus",
        about: "Print how many accounts, active sessions, queued messages and audit records the store has, in the text"
            + " format of Prometheus. Run it from a timer and write the output to a file for the textfile collector of the"
            + " node exporter. Changes nothing.",
        forOperators: true, statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey metrics", "latchkey metrics --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let figures = try await installation.asking { (service) async throws(AccountError) in
            try await service.metrics()
        }
        let lines = figures.prometheus(version: CommandLineTool.version).lines
        return .lines(lines, json: [("metrics", .string(lines.joined(separator: "\n")))])
    }
}

extension StoreMetrics {
    package func prometheus(version: String) -> PrometheusText {
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
            "latchkey_accounts_to_change_password", .gauge, "Accounts that must change their password.",
            [.init(counts.accountsToChangePassword)])
        text.add("latchkey_sessions", .gauge, "Active sessions.", [.init(counts.liveSessions)])
        text.add(
            "latchkey_outbox_messages", .gauge, "Queued messages.", [.init(counts.waitingMessages)])
        text.add(
            "latchkey_outbox_oldest_seconds", .gauge, "Age of the oldest queued message; 0 if there is none.",
            [.init(.milliseconds(oldestMessageAge))])
        text.add(
            "latchkey_audit_records_total", .counter, "Audit records ever written.",
            [.init(Int(clamping: auditRecords))])
        // This is not a counter, because dropped records are no longer counted.
        text.add(
            "latchkey_audit_kept_records", .gauge, "Audit records in the trail, by event.",
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
        if let pending = pendingAuditRecords {
            text.add("latchkey_audit_lanes", .gauge, "Lanes for audit records.", [.init(pending.lanes)])
            text.add(
                "latchkey_audit_pending_records", .gauge, "Audit records that wait for their place in the trail.",
                [.init(pending.records)])
            if let oldest = pending.oldest {
                text.add(
                    "latchkey_audit_oldest_pending_timestamp_seconds", .gauge,
                    "When the oldest of these records was written.", [.init(.milliseconds(oldest.milliseconds))])
            }
        }
        return text
    }
}
