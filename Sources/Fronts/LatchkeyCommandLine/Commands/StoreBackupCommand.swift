import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySQLite
import LatchkeySecrets
import LatchkeySystem

/// `store backup`: writes the copy before its manifest, so that a manifest never exists without its copy.
struct StoreBackupCommand {
    static let spec = CommandSpec(
        words: ["store", "backup"], summary: "Back up the store",
        about:
            "Copy the store to FILE while other processes use it, check the copy, and write FILE.json next to it: its"
            + " SHA-256, schema and the end of its audit trail. Existing files are not overwritten. Do not copy a store in"
            + " another way: a change may be in progress. The backup does not contain the key (keys/store.key).",
        operand: CommandSpec.Operand(name: "FILE", isRequired: true),
        statuses: [.done, .cannotCreate] + ExitStatus.ofStores,
        examples: ["latchkey store backup /var/backups/accounts-1.sqlite", "latchkey store backup ./copy --json"]
    ) { (context) async throws(ToolFailure) in try StoreBackupCommand(context: context).run() }

    let context: CommandContext

    private func run() throws(ToolFailure) -> CommandResult {
        let location = try context.fileStoreLocation()
        let path = try path()
        let place = FilePlace(path)
        let manifest = place.name + BackupManifest.suffix
        let folder = try target(path) { () throws(FileError) in
            let folder = try GuardedFolder(at: place.folder)
            guard try !folder.contains(manifest) else { throw .alreadyThere }
            return folder
        }
        let backup: StoreBackup
        do throws(BackupError) {
            backup = try StoreBackup(of: location.path, as: place.name, in: folder)
        } catch {
            throw ToolFailure(error, backup: path, at: location)
        }
        let json = BackupManifest.json(of: backup, named: place.name, at: SystemClock().now())
        try target(path) { () throws(FileError) in
            try folder.create(manifest, holding: Array((json.encoded + "\n").utf8).span)
        }
        return .sentence(
            "tool.store_backed_up",
            [
                "path": .text(path), "schema": .integer(backup.schema),
                "records": .integer(Int(backup.auditHead?.sequence ?? 0)),
                "digest": .text(Hexadecimal.text(of: backup.digest)),
            ], json: [("path", .string(path)), ("manifest", json)])
    }

    private func path() throws(ToolFailure) -> String {
        let path = try context.invocation.path()
        guard path != "-", path.utf8.last != UInt8(ascii: "/") else { throw .badValue("FILE", .path) }
        return path
    }

    private func target<Value>(
        _ path: String, _ body: () throws(FileError) -> Value
    ) throws(ToolFailure) -> Value {
        do throws(FileError) {
            return try body()
        } catch .alreadyThere {
            throw .backupExists(path: path + BackupManifest.suffix)
        } catch {
            throw .makingBackup(path, StoreError(error, at: path, orElse: .missing))
        }
    }
}

extension CommandContext {
    /// The path of the store's file.
    ///
    /// - Throws: status 64 for a store in a database.
    func fileStoreLocation() throws(ToolFailure) -> StoreLocation {
        let location = try storeLocation()
        guard !location.isDatabase else { throw .databaseHasBackups(path: location.path, folder: location.folder) }
        return location
    }
}
