import Glibc
import LatchkeyAccounts
import LatchkeyForms
import LatchkeySQLite
import LatchkeySecrets
import LatchkeySystem
import LatchkeyTerminal

/// `store copy`: copies all tables of a store and its keys into a new store, SQLite or PostgreSQL.
struct StoreCopyCommand {
    static let spec = CommandSpec(
        words: ["store", "copy"], summary: "Copy the store to PostgreSQL, or back",
        about:
            "Copy the store with its sessions, its audit trail and its keys into a new one: a PostgreSQL database without"
            + " a store, or an SQLite file. Stop the services first: nothing can be written to the store meanwhile. If the"
            + " copy is interrupted, the same command continues it. Afterwards, change the setting store everywhere.",
        flags: [FlagSpec("to", value: "PATH", "The new store: a path, or postgresql://HOST/NAME")],
        isOfService: true, statuses: [.done, .cannotCreate] + ExitStatus.ofStores,
        examples: [
            "latchkey store copy --to postgresql://db.example.org/accounts",
            "latchkey store copy --store postgresql://db.example.org/accounts --to ./accounts.sqlite",
        ]
    ) { (context) async throws(ToolFailure) in try await StoreCopyCommand(context).run() }

    let context: CommandContext
    private let parts: ServiceParts
    private let source: StoreLocation
    /// The settings for the new store.
    private let settings: Settings

    private init(_ context: CommandContext) throws(ToolFailure) {
        guard let parts = context.parts else { throw .internal }
        let given = context.invocation.flags.first { $0.name == "to" }
        guard let flag = given else { throw .flagMissing(name: "--to") }
        self.context = context
        self.parts = parts
        source = try context.storeLocation()
        var settings = context.settings
        guard let value = try Setting.store.value(from: .flag(flag)) else { throw .badValue("--to", .store) }
        settings.values.set(value, for: .store, from: .flag("--to"))
        self.settings = settings
    }

    private func run() async throws(ToolFailure) -> CommandResult {
        try await refuseExisting()
        let lock = source.isDatabase ? nil : try source.lockForServing()
        defer { lock?.release() }
        SignalNotice.watchInterruptions()
        var bar: ProgressBar?
        defer { bar?.finish(saying: nil) }
        let tables: any StoreTables
        let locked: (id: [UInt8], state: String)
        let key: StoreKey
        do throws(AccountError) {
            tables = try self.tables(of: source)
            key = try self.key()
            locked = try await lockSealed(tables, with: key)
        } catch {
            throw ToolFailure(error, at: source)
        }
        let target = try StoreLocation(settings, id: locked.id)
        let transfer: StoreTransfer
        do throws(AccountError) {
            // The files come before the tables, so that the new store never exists without its key.
            try copyFiles(to: target)
            transfer = try StoreTransfer(
                from: tables, locked, to: self.tables(of: target), key: key,
                progress: { (done, total) throws(AccountError) in
                    if bar == nil {
                        bar = context.progress("progress.copying", total: total)
                        bar?.animate { SignalNotice.received != nil }
                    }
                    bar?.update(done: done)
                    guard SignalNotice.received == nil else { throw .store(.failed(resultCode: EINTR)) }
                })
        } catch {
            try ToolFailure.throwInterruption { .copyInterrupted(by: $0) }
            throw ToolFailure(error, at: target)
        }
        context.tellAdministered()
        return .sentence(
            "tool.store_copied",
            [
                "path": .text(source.path), "target": .text(target.path), "count": .integer(transfer.rows),
                "keys": .text(target.keysFolder),
            ],
            json: [
                ("path", .string(target.path)), ("rows", .integer(transfer.rows)), ("keys", .string(target.keysFolder)),
            ])
    }

    private func tables(of location: StoreLocation) throws(AccountError) -> any StoreTables {
        location.isDatabase ? try parts.tables(location.path) : try SQLiteTables(at: location.path)
    }

    private func refuseExisting() async throws(ToolFailure) {
        let target = try StoreLocation(settings)
        let exists: Bool
        do throws(ToolFailure) {
            exists =
                target.isDatabase
                ? try await parts.openDatabase(settings) != nil : unsafe access(target.path, F_OK) == 0
        } catch {
            // An interrupted copy resumes.
            guard case .store(.incomplete, _) = error else { throw error }
            return
        }
        if exists { throw .restoreExists(path: target.path) }
    }

    /// Locks the source after its last audit records got their place in the trail.
    private func lockSealed(
        _ tables: any StoreTables, with key: StoreKey
    ) async throws(AccountError) -> (id: [UInt8], state: String) {
        guard let database = context.database else { return try tables.lock() }
        let sealer = AuditSealer(key: key, limits: context.settings.auditLimits)
        for _ in 1...5 {
            try await sealer.sealAll(in: database.store)
            // A service may have written meanwhile.
            do throws(AccountError) { return try tables.lock() } catch .store(.busy) { continue }
        }
        throw .store(.busy)
    }

    private func key() throws(AccountError) -> StoreKey {
        guard let database = context.database else { return try StoreKeyFile.key(nextTo: source) }
        return try StoreKeyFile.key(nextTo: source, of: database.identity)
    }

    /// Copies the files that the store needs in addition to its tables.
    private func copyFiles(to target: StoreLocation) throws(AccountError) {
        try copyKey(StoreKeyFile.name, from: source.keysFolder, to: target.keysFolder)
        for name in try names(in: source.pepperFolder) where name.hasSuffix(".key") {
            try copyKey(name, from: source.pepperFolder, to: target.pepperFolder)
        }
        for name in try names(in: source.folder) where OperatorLists.fileNames.contains(name) {
            try copyList(name, to: target)
        }
        do throws(StoreError) {
            guard try PepperFolder(of: source).requiresSealedHashes() else { return }
            try PepperFolder(of: target).requireSealedHashes()
        } catch {
            throw .store(error)
        }
    }

    private func names(in folder: String) throws(AccountError) -> [String] {
        do throws(FileError) {
            return try FolderNames.all(in: folder).compactMap { String(validating: $0, as: UTF8.self) }
        } catch .notFound {
            return []
        } catch {
            throw .store(StoreError(error, at: folder, orElse: .missing))
        }
    }

    /// - Throws: ``StoreError/keyForeign(path:)`` if a different key with this name exists.
    private func copyKey(_ name: String, from old: String, to new: String) throws(AccountError) {
        let path = new + "/" + name
        do throws(FileError) {
            let folder = try GuardedFolder(making: new)
            let key = try GuardedFolder(at: old).readSecret(name, limit: StoreKey.byteCount)
            guard try folder.contains(name) else {
                return try key.withBytes { (bytes) throws(FileError) in try folder.create(name, holding: bytes) }
            }
            let there = try folder.readSecret(name, limit: StoreKey.byteCount)
            let isSame = key.withBytes { own in there.withBytes { ConstantTime.areEqual(own, $0) } }
            guard isSame else { throw .alreadyThere }
        } catch .alreadyThere {
            throw .store(.keyForeign(path: path))
        } catch {
            throw .store(StoreError(error, at: path, orElse: .missing))
        }
    }

    /// Copies a list, unless the target already has one.
    private func copyList(_ name: String, to target: StoreLocation) throws(AccountError) {
        do throws(FileError) {
            let folder = try GuardedFolder(making: target.folder)
            guard try !folder.contains(name) else { return }
            let list = try GuardedFolder(at: source.folder).openForReading(name)
            var offset = 0
            try folder.create(name) { (piece) throws(FileError) in
                let bytes = try list.bytes(at: offset, count: min(piece.count, list.size - offset))
                for index in bytes.indices { piece[index] = bytes[index] }
                offset += bytes.count
                return bytes.count
            }
        } catch {
            throw .store(StoreError(error, at: target.folder + "/" + name, orElse: .missing))
        }
    }
}
