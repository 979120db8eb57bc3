import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySQLite
import LatchkeySystem

/// `store restore`: the store gets its name when all is done, so that what fails leaves none.
struct RestoreRun {
    let run: Run

    func perform() async throws(ToolFailure) {
        let location = try StoreLocation(run.settings)
        let hasher = try HashSettings.hasher(run.settings.values)
        guard let path = run.invocation.operands.first?.path else {
            throw ToolFailure(.usage, "bad_path", ["name": .text("FILE")])
        }
        try refuseStoreInUse(path)
        let manifest = try BackupManifest(beside: path)
        let file = try GivenFiles.open(path, run.output, run.messages)
        do throws(AccountError) {
            _ = try location.prepareFolder()
        } catch .store(.missing) {
            throw ToolFailure(.noInput, "store_folder_missing", ["path": .text(location.path)])
        } catch {
            throw ToolFailure(error, at: location)
        }
        let restoration = try await restoring(path, at: location) { () async throws(BackupError) in
            try await StoreRestoration.begin(from: file, digest: manifest?.digest, to: location.path)
        }
        do throws(ToolFailure) {
            let keyIsNew = try await revoke(in: restoration.store, at: location, hasher)
            try await restoring(path, at: location) { () async throws(BackupError) in try await restoration.publish() }
            run.tellAdministered()
            try tell(location, keyIsNew: keyIsNew)
        } catch {
            await restoration.abandon()
            throw error
        }
    }

    /// Changes that lie beside a file are missing in it.
    private func refuseStoreInUse(_ path: String) throws(ToolFailure) {
        for other in ["-journal", "-wal"].map({ path + $0 }) where unsafe access(other, F_OK) == 0 {
            throw ToolFailure(.data, "backup_in_use", ["path": .text(path), "other": .text(other)])
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
            try await Installation.service(over: store, key, at: location, hasher, threads, run.settings)
                .revokeAfterRestoring(keyIsNew: keyIsNew, by: .thisUser)
            return keyIsNew
        } catch {
            throw ToolFailure(error, at: location)
        }
    }

    private func tell(_ location: StoreLocation, keyIsNew: Bool) throws(ToolFailure) {
        if keyIsNew {
            run.output.note(
                run.messages.sentence("tool.key_made", ["path": .text(StoreKeyFile.path(beside: location))]))
        }
        guard !run.output.json else {
            return try run.output.success([("path", .string(location.path)), ("key_made", .bool(keyIsNew))])
        }
        try run.output.result(run.messages.sentence("tool.store_restored", ["path": .text(location.path)]))
    }

    private func restoring<Value>(
        _ path: String, at location: StoreLocation, _ body: () async throws(BackupError) -> Value
    ) async throws(ToolFailure) -> Value {
        let values: [String: RuleFailure.Value] = ["path": .text(path)]
        do throws(BackupError) {
            return try await body()
        } catch {
            throw switch error {
            case .alreadyThere: ToolFailure(.cannotCreate, "restore_exists", ["path": .text(location.path)])
            case .store(.store(.corrupt)): ToolFailure(.inputOutput, "backup_damaged", values)
            case .store(.store(.notAStore)): ToolFailure(.inputOutput, "backup_not_one", values)
            case .store(.store(.newer)): ToolFailure(.configuration, "backup_newer", values)
            default: ToolFailure(error, backup: path, at: location)
            }
        }
    }
}
