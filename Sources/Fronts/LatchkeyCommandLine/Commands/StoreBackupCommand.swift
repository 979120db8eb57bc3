import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySQLite
import LatchkeySecrets
import LatchkeySystem

/// `store backup`: writes the copy before its manifest, so that every manifest has its copy.
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
    fileprivate func fileStoreLocation() throws(ToolFailure) -> StoreLocation {
        let location = try storeLocation()
        guard !location.isDatabase else { throw .databaseHasBackups(path: location.path, folder: location.folder) }
        return location
    }
}

/// `store restore`: the store gets its name last, so that a failure leaves none.
struct StoreRestoreCommand {
    static let spec = CommandSpec(
        words: ["store", "restore"], summary: "Restore the store from a backup",
        about:
            "Create the store from the backup FILE, after comparing it with FILE.json, if there is one, and checking its"
            + " content. Does nothing if a store exists. Every session and code from the time of the backup ends. The key"
            + " next to the store stays; if it is missing, a new one is made and every throttle is reset.",
        operand: CommandSpec.Operand(name: "FILE", isRequired: true),
        statuses: [.done, .data, .cannotCreate] + ExitStatus.ofStores,
        examples: [
            "latchkey store restore /var/backups/accounts-1.sqlite", "latchkey store restore ./copy --store ./new",
        ]
    ) { (context) async throws(ToolFailure) in try await StoreRestoreCommand(context: context).run() }

    let context: CommandContext

    private func run() async throws(ToolFailure) -> CommandResult {
        let location = try context.fileStoreLocation()
        let hasher = try HashSettings.hasher(context.settings.values)
        let path = try context.invocation.path()
        try refuseStoreInUse(path)
        let manifest = try BackupManifest(nextTo: path)
        let file = try InputFiles.open(path, context.output, context.messages)
        do throws(AccountError) {
            _ = try location.prepareFolder()
        } catch .store(.missing) {
            throw .storeFolderMissing(path: location.path)
        } catch {
            throw ToolFailure(error, at: location)
        }
        let restoration = try await restoring(path, at: location) { () async throws(BackupError) in
            try await StoreRestoration.begin(
                from: file, digest: manifest?.digest, to: location.path, key: try? StoreKeyFile.key(nextTo: location))
        }
        do throws(ToolFailure) {
            let keyIsNew = try await revoke(in: restoration.store, at: location, hasher)
            try await restoring(path, at: location) { () async throws(BackupError) in try await restoration.publish() }
            context.tellAdministered()
            if keyIsNew {
                context.output.note(
                    context.messages.sentence("tool.key_made", ["path": .text(StoreKeyFile.path(nextTo: location))]))
            }
            return .sentence(
                "tool.store_restored", ["path": .text(location.path)],
                json: [("path", .string(location.path)), ("key_made", .bool(keyIsNew))])
        } catch {
            await restoration.abandon()
            throw error
        }
    }

    /// A store in use has changes in files next to it, which a copy of the file alone lacks.
    private func refuseStoreInUse(_ path: String) throws(ToolFailure) {
        for other in ["-journal", "-wal"].map({ path + $0 }) where unsafe access(other, F_OK) == 0 {
            throw .backupInUse(path: path, other: other)
        }
    }

    /// - Returns: whether a new key was made.
    private func revoke(
        in store: SQLiteAccountStore, at location: StoreLocation, _ hasher: Argon2Hasher
    ) async throws(ToolFailure) -> Bool {
        let mailer = try Installation.mailer(context, location, WorkerThreads(count: 1, waitingLimit: 64))
        do throws(AccountError) {
            let keyIsNew = try StoreKeyFile.make(nextTo: location)
            let key = try StoreKeyFile.key(nextTo: location)
            try await Installation.service(over: store, key, at: location, hasher, mailer, context.settings)
                .revokeAfterRestoring(keyIsNew: keyIsNew, by: .thisUser)
            return keyIsNew
        } catch {
            throw ToolFailure(error, at: location)
        }
    }

    private func restoring<Value>(
        _ path: String, at location: StoreLocation, _ body: () async throws(BackupError) -> Value
    ) async throws(ToolFailure) -> Value {
        do throws(BackupError) {
            return try await body()
        } catch {
            throw switch error {
            case .alreadyThere: ToolFailure.restoreExists(path: location.path)
            case .store(.store(.corrupt)): ToolFailure.backupDamaged(path: path)
            case .store(.store(.notAStore)): ToolFailure.backupNotOne(path: path)
            case .store(.store(.newer)): ToolFailure.backupNewer(path: path)
            case .store(.store(.tooOld(let schema))): ToolFailure.store(.tooOld(schema: schema), path: path)
            default: ToolFailure(error, backup: path, at: location)
            }
        }
    }
}
