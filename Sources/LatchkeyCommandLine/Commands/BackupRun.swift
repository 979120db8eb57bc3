import LatchkeyAccounts
import LatchkeyForms
import LatchkeySQLite
import LatchkeySystem

/// `store backup`: the copy first and then its manifest, so that no manifest is ever without what it describes.
struct BackupRun {
    let context: CommandContext

    func perform() throws(ToolFailure) {
        let location = try StoreLocation(context.settings)
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
        guard !context.output.json else {
            return try context.output.success([("path", .string(path)), ("manifest", json)])
        }
        try context.output.result(
            context.messages.sentence(
                "tool.store_backed_up",
                [
                    "path": .text(path), "schema": .integer(backup.schema),
                    "records": .integer(Int(backup.auditHead?.sequence ?? 0)),
                    "digest": .text(Hexadecimal.text(of: backup.digest)),
                ]))
    }

    private func path() throws(ToolFailure) -> String {
        guard let path = context.invocation.operands.first?.path, path != "-", path.utf8.last != UInt8(ascii: "/")
        else {
            throw .badPath(name: "FILE")
        }
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
