import LatchkeyAccounts
import LatchkeyForms
import LatchkeySQLite

/// `store migrate`: the store's schema becomes the newest one.
enum StoreMigrateCommand {
    static let spec = CommandSpec(
        words: ["store", "migrate"], summary: "Migrate the store to the newest schema",
        about:
            "Migrate a store that an older version made, all or nothing, and leave a copy of it next to it, named after"
            + " its schema. Until then, every other command refuses the store (78). The copy is the only way back.",
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
