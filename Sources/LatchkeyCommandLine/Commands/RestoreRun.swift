import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySQLite
import LatchkeySystem

/// `store restore`: the store gets its name when all is done, so that what fails leaves none.
struct RestoreRun {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
        let location = try StoreLocation(context.settings)
        let hasher = try HashSettings.hasher(context.settings.values)
        guard let path = context.invocation.operands.first?.path else {
            throw .badPath(name: "FILE")
        }
        try refuseStoreInUse(path)
        let manifest = try BackupManifest(beside: path)
        let file = try InputFiles.open(path, context.output, context.messages)
        do throws(AccountError) {
            _ = try location.prepareFolder()
        } catch .store(.missing) {
            throw .storeFolderMissing(path: location.path)
        } catch {
            throw ToolFailure(error, at: location)
        }
        let restoration = try await restoring(path, at: location) { () async throws(BackupError) in
            try await StoreRestoration.begin(from: file, digest: manifest?.digest, to: location.path)
        }
        do throws(ToolFailure) {
            let keyIsNew = try await revoke(in: restoration.store, at: location, hasher)
            try await restoring(path, at: location) { () async throws(BackupError) in try await restoration.publish() }
            context.tellAdministered()
            try tell(location, keyIsNew: keyIsNew)
        } catch {
            await restoration.abandon()
            throw error
        }
    }

    /// Changes that lie beside a file are missing in it.
    private func refuseStoreInUse(_ path: String) throws(ToolFailure) {
        for other in ["-journal", "-wal"].map({ path + $0 }) where unsafe access(other, F_OK) == 0 {
            throw .backupInUse(path: path, other: other)
        }
    }

    /// - Returns: whether the store's key had to be made.
    private func revoke(
        in store: SQLiteAccountStore, at location: StoreLocation, _ hasher: Argon2Hasher
    ) async throws(ToolFailure) -> Bool {
        do throws(AccountError) {
            let keyIsNew = try StoreKeyFile.make(beside: location)
            let key = try StoreKeyFile.key(beside: location)
            let threads = WorkerThreads(count: 1, waitingLimit: 64)
            try await Installation.service(over: store, key, at: location, hasher, threads, context.settings)
                .revokeAfterRestoring(keyIsNew: keyIsNew, by: .thisUser)
            return keyIsNew
        } catch {
            throw ToolFailure(error, at: location)
        }
    }

    private func tell(_ location: StoreLocation, keyIsNew: Bool) throws(ToolFailure) {
        if keyIsNew {
            context.output.note(
                context.messages.sentence("tool.key_made", ["path": .text(StoreKeyFile.path(beside: location))]))
        }
        guard !context.output.json else {
            return try context.output.success([("path", .string(location.path)), ("key_made", .bool(keyIsNew))])
        }
        try context.output.result(context.messages.sentence("tool.store_restored", ["path": .text(location.path)]))
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
            default: ToolFailure(error, backup: path, at: location)
            }
        }
    }
}
