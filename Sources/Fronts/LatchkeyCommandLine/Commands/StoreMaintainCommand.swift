import LatchkeyAccounts
import LatchkeyForms
import LatchkeySQLite
import LatchkeySystem
import LatchkeyTerminal

/// `store maintain`: the periodic work on a store.
enum StoreMaintainCommand {
    static let spec = CommandSpec(
        words: ["store", "maintain"], summary: "Send queued mail and delete expired data",
        about:
            "Send queued mail, delete expired sessions and codes, and messages in outbox/new after a week. Write summary"
            + " records for floods of failures, and drop the oldest audit records beyond the configured size or age. Run it"
            + " every few minutes.",
        delivers: true, statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey store maintain", "latchkey store maintain --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        let report = try await installation.asking { (service) async throws(AccountError) in
            try await service.maintain(by: .thisUser)
        }
        if report.sessionsEnded + report.recordsDropped > 0 { context.tellAdministered() }
        // store check reports an outbox that cannot be used. It must not stop the rest of the work.
        let deleted = (try? installation.location.outbox.prune(at: SystemClock().now())) ?? 0
        let counts = [
            ("sessions_ended", report.sessionsEnded), ("records_dropped", report.recordsDropped),
            ("messages_waiting", report.messagesWaiting), ("messages_deleted", deleted),
        ]
        return .sentence(
            "tool.maintained", Dictionary(uniqueKeysWithValues: counts.map { ($0, .integer($1)) }),
            json: counts.map { ($0, .integer($1)) })
    }
}

/// `store migrate`: the store's schema becomes the newest one.
enum StoreMigrateCommand {
    static let spec = CommandSpec(
        words: ["store", "migrate"], summary: "Migrate the store to the newest schema",
        about:
            "Migrate a store that an older version made, all or nothing, and leave a copy of it next to it, named after"
            + " its schema. Until then, every other command refuses the store (78). The copy is the only way back. A"
            + " migration can be interrupted: then the store stays as it is.",
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey store migrate", "latchkey store migrate --json"]
    ) { (context) async throws(ToolFailure) in
        let location = try context.storeLocation()
        // Schema 13 is the first in a database, so that every store there has the newest one or is refused.
        if let database = context.database {
            return .sentence(
                "tool.store_current", ["path": .text(location.path), "to": .integer(database.schema)],
                json: [("from", .integer(database.schema)), ("to", .integer(database.schema)), ("copy", .null)])
        }
        // A service of the older version would go on with its own idea of the schema.
        let lock = try location.lockForServing()
        defer { lock.release() }
        SignalNotice.watchInterruptions()
        var bar: ProgressBar?
        defer { bar?.finish(saying: nil) }
        let migration: StoreMigration
        do throws(AccountError) {
            migration = try StoreMigration(of: location.path) { (done, total) in
                if bar == nil {
                    bar = context.progress("progress.migrating", total: total)
                    bar?.animate { SignalNotice.received != nil }
                }
                bar?.update(done: done)
                return SignalNotice.received == nil
            }
        } catch {
            try ToolFailure.throwInterruption { .migrationInterrupted(by: $0) }
            throw ToolFailure(error, at: location)
        }
        if migration.copy != nil { context.tellAdministered() }
        let members: CommandResult.Members = [
            ("from", .integer(migration.from ?? migration.to)), ("to", .integer(migration.to)),
            ("copy", migration.copy.map { .string($0) } ?? .null),
        ]
        var values: [String: RuleFailure.Value] = ["path": .text(location.path), "to": .integer(migration.to)]
        guard let from = migration.from, let copy = migration.copy else {
            return .sentence("tool.store_current", values, json: members)
        }
        values["from"] = .integer(from)
        values["copy"] = .text(copy)
        return .sentence("tool.store_migrated", values, json: members)
    }
}
