import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySQLite
import LatchkeySystem

/// `store restore`: the store gets its name last, so that a failure leaves none.
struct StoreRestoreCommand {
    static let spec = CommandSpec(
        words: ["store", "restore"], summary: "Restore the store from a backup",
        about:
            "Create the store from the backup FILE, after comparing it with FILE.json, if there is one, and checking its"
            + " content. Refused (73) if a store exists. Every session and code from the time of the backup ends. The key"
            + " next to the store stays; if it is missing, a new one is made and every throttle is reset. If the store"
            + " requires sealed hashes (pepper rotate) and the backup has others, restore it with --seal.",
        operand: CommandSpec.Operand(name: "FILE", isRequired: true),
        flags: [FlagSpec("seal", "Seal every hash of the backup with the newest key")],
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
        // A running service would go on with the file that was moved away.
        let isServed = unsafe access(location.folder + "/" + location.servingLock, F_OK) == 0
        let lock = isServed ? try location.lockForServing() : nil
        defer { lock?.release() }
        let restoration = try await restoring(path, at: location) { () async throws(BackupError) in
            try await StoreRestoration.begin(
                from: file, digest: manifest?.digest, to: location.path, key: try? StoreKeyFile.key(nextTo: location))
        }
        do throws(ToolFailure) {
            try await refuseUnsealedHashes(of: restoration.store, at: location)
            let done = try await prepare(restoration.store, at: location, hasher)
            try await restoring(path, at: location) { () async throws(BackupError) in try await restoration.publish() }
            context.tellAdministered()
            note(done, at: location)
            return .sentence(
                "tool.store_restored", ["path": .text(location.path)],
                json: [
                    ("path", .string(location.path)), ("key_made", .bool(done.keyIsNew)),
                    ("sealed", .integer(done.sealed)), ("keys_missing", .array(done.missing.map { .string($0.text) })),
                ])
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

    /// A store that requires sealed hashes would refuse every login of the others.
    private func refuseUnsealedHashes(
        of store: SQLiteAccountStore, at location: StoreLocation
    ) async throws(ToolFailure) {
        guard !context.invocation.has("seal") else { return }
        let keys = PepperFolder(of: location)
        let count: Int
        do throws(AccountError) {
            do throws(StoreError) {
                guard try keys.requiresSealedHashes() else { return }
            } catch {
                throw .store(error)
            }
            let counts = try await store.read { (transaction) throws(AccountError) in try transaction.hashCounts }
            count = counts[nil] ?? 0
        } catch {
            throw ToolFailure(error, at: location)
        }
        guard count == 0 else { throw .restoreUnsealed(count: count, path: keys.markPath) }
    }

    /// The changes of a restored store before it gets its name.
    private struct Preparation {
        let keyIsNew: Bool
        let sealed: Int
        /// The sealing keys that the backup needs and the folder lacks.
        let missing: [SealingKeyID]
    }

    /// Revokes everything that was valid when the backup was made, and seals its hashes if requested.
    private func prepare(
        _ store: SQLiteAccountStore, at location: StoreLocation, _ hasher: Argon2Hasher
    ) async throws(ToolFailure) -> Preparation {
        let mailer = try Installation.mailer(context, location, WorkerThreads(count: 1, waitingLimit: 64))
        let seals = context.invocation.has("seal")
        do throws(AccountError) {
            let keyIsNew = try StoreKeyFile.make(nextTo: location)
            let key = try StoreKeyFile.key(nextTo: location)
            let keys = PepperFolder(of: location, acceptingUnsealed: seals)
            let service = Installation.service(
                over: store, key, at: location, hasher, mailer, context.settings, sealing: keys)
            try await service.revokeAfterRestoring(keyIsNew: keyIsNew, by: .thisUser)
            let sealed = seals ? try await seal(service, with: keys) : 0
            context.note(try await StoredNames.prepare(in: store))
            return Preparation(keyIsNew: keyIsNew, sealed: sealed, missing: try await service.missingSealingKeys())
        } catch {
            throw ToolFailure(error, at: location)
        }
    }

    /// - Returns: the number of hashes that were sealed.
    private func seal(_ service: AccountService, with keys: PepperFolder) async throws(AccountError) -> Int {
        // A backup from before `pepper add` names no key, and its key may have been retired since.
        if try await service.sealingStatus().keys.last?.isPresent != true {
            let newest: SealingKeyID?
            do throws(StoreError) { newest = try keys.newest() } catch { throw .store(error) }
            guard let newest else { throw .store(.noSealingKey) }
            try await service.adoptSealingKey(newest, by: .thisUser)
        }
        return try await service.rotateSealingKeys(by: .thisUser).sealed
    }

    private func note(_ done: Preparation, at location: StoreLocation) {
        let messages = context.messages
        if done.keyIsNew {
            let path = StoreKeyFile.path(nextTo: location)
            context.output.note(messages.sentence("tool.key_made", ["path": .text(path)]))
        }
        if context.invocation.has("seal") {
            context.output.note(messages.sentence("tool.pepper_rotated", ["count": .integer(done.sealed)]))
        }
        guard !done.missing.isEmpty else { return }
        let failure = ToolFailure.store(.sealingKeysMissing(done.missing.map(\.text)), path: location.path)
        context.output.note(failure.sentence(messages))
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
