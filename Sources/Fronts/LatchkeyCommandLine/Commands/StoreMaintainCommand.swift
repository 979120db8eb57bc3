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
            "Send queued mail and logout notices, delete expired sessions and codes, and messages in outbox/new after a"
            + " week. Write summary"
            + " records for floods of failures, and drop the oldest audit records beyond the configured size or age. Run it"
            + " every few minutes. Ends with 69, after all the work, while mail waits that could not be delivered.",
        delivers: true, statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey store maintain", "latchkey store maintain --json"]
    ) { (context) async throws(ToolFailure) in
        let installation = try await Installation.open(context, creating: false, checkingKeys: false)
        // Only `latchkey-service` can sign logout notices. Without it, they wait for a service.
        if context.parts == nil, await installation.service.hasDueLogouts() { try? context.inherited?.becomeService() }
        let report = try await installation.asking { (service) async throws(AccountError) in
            try await service.reportingDeliveries { context.note($0) }.maintain(by: .thisUser)
        }
        if report.sessionsEnded + report.recordsDropped > 0 { context.tellAdministered() }
        // `store check` reports an unusable outbox, which must not prevent the rest of the work.
        let deleted = (try? installation.location.outbox.prune(at: SystemClock().now())) ?? 0
        let counts = [
            ("sessions_ended", report.sessionsEnded), ("records_dropped", report.recordsDropped),
            ("messages_waiting", report.messagesWaiting), ("messages_deleted", deleted),
        ]
        let values = Dictionary(uniqueKeysWithValues: counts.map { ($0, RuleFailure.Value.integer($1)) })
        if let undelivered = report.undelivered {
            context.output.note(context.messages.sentence("tool.maintained", values))
            throw .mailUndelivered(undelivered, counts.map { ($0, .integer($1)) })
        }
        return .sentence("tool.maintained", values, json: counts.map { ($0, .integer($1)) })
    }
}

extension CommandContext {
    /// Reports a failed attempt to deliver a message on standard error.
    fileprivate func note(_ failure: DeliveryFailure) {
        let next = failure.nextAttempt.map { shown($0) } ?? messages.sentence("tool.mail_attempt_last")
        output.note(
            messages.sentence(
                failure.client == nil ? "tool.mail_attempt_failed" : "tool.logout_attempt_failed",
                ["id": .text(failure.client ?? failure.message), "reason": .text(failure.reason), "next": .text(next)]))
    }
}

/// `store migrate`: migrates the store to the newest schema.
enum StoreMigrateCommand {
    static let spec = CommandSpec(
        words: ["store", "migrate"], summary: "Migrate the store to the newest schema",
        about:
            "Migrate a store that an older version made, all or nothing. Until then, every other command refuses the"
            + " store (78). A copy of an SQLite store stays next to it, named after its schema; it is the only way back."
            + " A database is migrated without a copy: stop the services and run pg_dump first. A migration can be"
            + " interrupted: then the store stays as it is.",
        migrates: true, statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey store migrate", "latchkey store migrate --json"]
    ) { (context) async throws(ToolFailure) in
        let location = try context.storeLocation(mayBeMissing: true)
        // A running service of the older version would continue to use the old schema.
        let lock = location.isDatabase ? nil : try location.lockForServing()
        defer { lock?.release() }
        SignalNotice.watchInterruptions()
        var bar: ProgressBar?
        defer { bar?.finish(saying: nil) }
        func mayContinue(done: Int, total: Int) -> Bool {
            if bar == nil {
                bar = context.progress("progress.migrating", total: total)
                bar?.animate { SignalNotice.received != nil }
            }
            bar?.update(done: done)
            return SignalNotice.received == nil
        }
        let migrate = location.isDatabase ? context.parts?.migrate : nil
        guard migrate != nil || !location.isDatabase else { throw .databaseUnusable(path: location.path) }
        let migration: StoreMigration
        do throws(AccountError) {
            migration =
                if let migrate {
                    try migrate(
                        location.path,
                        { (identity) throws(AccountError) in try StoreKeyFile.key(nextTo: location, of: identity) },
                        mayContinue)
                } else {
                    try SQLiteAccountStore.migrate(
                        location.path,
                        key: { () throws(AccountError) in try StoreKeyFile.key(nextTo: location) },
                        mayContinue: mayContinue)
                }
        } catch {
            try ToolFailure.throwInterruption { .migrationInterrupted(by: $0) }
            throw ToolFailure(error, at: location)
        }
        if !migration.names.isEmpty { context.tellAdministered() }
        return result(of: migration, try await prepareNames(at: location, context), at: location)
    }

    /// Stores usernames as they are compared now, and notes those that collide.
    private static func prepareNames(
        at location: StoreLocation, _ context: CommandContext
    ) async throws(ToolFailure) -> [StoredNames.Collision] {
        let database = location.isDatabase ? try await context.parts?.openDatabase(context.settings) : nil
        do throws(AccountError) {
            let store: any AccountStore =
                if let database { database.store } else {
                    try await SQLiteAccountStore.open(location.path, create: false)
                }
            let collisions = try await StoredNames.prepare(in: store)
            context.note(collisions)
            return collisions
        } catch {
            throw ToolFailure(error, at: location)
        }
    }

    private static func result(
        of migration: StoreMigration, _ collisions: [StoredNames.Collision], at location: StoreLocation
    ) -> CommandResult {
        var values: [String: RuleFailure.Value] = [
            "path": .text(location.path), "from": .integer(migration.from), "to": .integer(migration.to),
        ]
        values["copy"] = migration.copy.map { .text($0) }
        let code =
            if migration.names.isEmpty { "tool.store_current" } else if migration.copy == nil {
                "tool.database_migrated"
            } else { "tool.store_migrated" }
        return .sentence(
            code, values,
            json: [
                ("from", .integer(migration.from)), ("to", .integer(migration.to)),
                ("migrations", .array(migration.names.map { .string($0) })),
                ("copy", migration.copy.map { .string($0) } ?? .null),
                (
                    "collisions",
                    .array(
                        collisions.map {
                            .object([("id", .string($0.account.id.text)), ("other", .string($0.other.id.text))])
                        })
                ),
            ])
    }
}

extension CommandContext {
    /// Lists usernames that are equal since their comparison changed.
    func note(_ collisions: [StoredNames.Collision]) {
        for collision in collisions {
            output.note(
                messages.sentence(
                    "tool.name_collision",
                    [
                        "name": .text(collision.account.name), "id": .text(collision.account.id.text),
                        "other": .text(collision.other.name), "other_id": .text(collision.other.id.text),
                    ]))
        }
    }
}
