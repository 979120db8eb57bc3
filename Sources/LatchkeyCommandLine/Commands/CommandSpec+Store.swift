import LatchkeyAccounts
import LatchkeyForms
import LatchkeySQLite

extension CommandSpec {
    static let storeBackup = CommandSpec(
        words: ["store", "backup"], summary: "copy the store, also while it is used",
        about:
            "Copies the store to FILE as it is at one moment, looks the copy through, and writes FILE.json beside it: its"
            + " SHA-256, schema and the end of its audit trail. Nothing that is there is written over. A store must not be"
            + " copied in another way, for a change may be going on; its key (keys/store.key) is not in the backup.",
        operand: Operand(name: "FILE", isRequired: true),
        statuses: [.done, .cannotCreate] + ExitStatus.ofStores,
        examples: ["latchkey store backup /var/backups/accounts-1.sqlite", "latchkey store backup ./copy --json"]
    ) { (context) async throws(ToolFailure) in
        try BackupRun(context: context).perform()
    }

    static let storeRestore = CommandSpec(
        words: ["store", "restore"], summary: "make a store from a backup",
        about:
            "Makes the store from FILE, a backup, after it has been checked against FILE.json, if that is there, and looked"
            + " through. Where a store is, nothing is done. Every session and every code of the backup's time ends. The key"
            + " beside the store stays; where there is none a new one is made, and every throttle is cleared.",
        operand: Operand(name: "FILE", isRequired: true),
        statuses: [.done, .data, .cannotCreate] + ExitStatus.ofStores,
        examples: [
            "latchkey store restore /var/backups/accounts-1.sqlite", "latchkey store restore ./copy --store ./new",
        ]
    ) { (context) async throws(ToolFailure) in
        try await RestoreRun(context: context).perform()
    }

    static let storeCheck = CommandSpec(
        words: ["store", "check"], summary: "whether the store is sound",
        about:
            "Looks at the store and what lies beside it, and changes nothing: who can open it, every page and reference, the"
            + " audit trail, password hashes, the clock, the disk, the library. Status 1 where something is damaged or"
            + " exposed; a warning does not count.",
        flags: [FlagSpec("accept-clock", "take the clock for right although the store has seen a later time")],
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey store check", "latchkey store check --json"]
    ) { (context) async throws(ToolFailure) in
        if context.invocation.has("accept-clock") {
            try await Installation.open(context, creating: false, checkingKeys: false).acceptClock()
            context.output.note(context.messages.sentence("tool.clock_accepted"))
        }
        try await StoreCheckRun(context: context).perform()
    }

    static let storeMigrate = CommandSpec(
        words: ["store", "migrate"], summary: "take an older store to the schema of this version",
        about:
            "Every use of an older store changes its schema, all of it or nothing, and leaves the store as it was beside it,"
            + " named by the schema. This command does that alone, and says so. There is no way back but that copy.",
        statuses: [.done] + ExitStatus.ofStores,
        examples: ["latchkey store migrate", "latchkey store migrate --json"]
    ) { (context) async throws(ToolFailure) in
        let location = try StoreLocation(context.settings)
        let migration: StoreMigration
        do throws(AccountError) {
            migration = try StoreMigration(of: location.path)
        } catch {
            throw ToolFailure(error, at: location)
        }
        if migration.copy != nil { context.tellAdministered() }
        guard !context.output.json else {
            return try context.output.success([
                ("from", .integer(migration.from ?? migration.to)), ("to", .integer(migration.to)),
                ("copy", migration.copy.map { .string($0) } ?? .null),
            ])
        }
        var values: [String: RuleFailure.Value] = ["path": .text(location.path), "to": .integer(migration.to)]
        guard let from = migration.from, let copy = migration.copy else {
            return try context.output.result(context.messages.sentence("tool.store_current", values))
        }
        values["from"] = .integer(from)
        values["copy"] = .text(copy)
        try context.output.result(context.messages.sentence("tool.store_migrated", values))
    }
}
