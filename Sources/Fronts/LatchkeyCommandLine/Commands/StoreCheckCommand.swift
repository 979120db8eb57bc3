import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySQLite

/// `store check`: runs all checks that change nothing, as far as damage allows.
struct StoreCheckCommand {
    static let spec = CommandSpec(
        words: ["store", "check"], summary: "Check the store",
        about:
            "Check the store and the files next to it without changing anything: permissions, every page and reference,"
            + " the audit trail, password hashes, the clock, the disk, the library. Ends with 1 if something is damaged or"
            + " exposed; a warning does not count.",
        flags: [FlagSpec("accept-clock", "Accept the clock although the store has seen a later time")],
        statuses: [.done, .no] + ExitStatus.ofStores,
        examples: ["latchkey store check", "latchkey store check --json"]
    ) { (context) async throws(ToolFailure) in
        if context.invocation.has("accept-clock") {
            let installation = try await Installation.open(context, creating: false, checkingKeys: false)
            try await installation.administering { (service, user) async throws(AccountError) in
                try await service.acceptClock(by: user)
            }
            context.output.note(context.messages.sentence("tool.clock_accepted"))
        }
        return try await StoreCheckCommand(context: context).run()
    }

    let context: CommandContext

    private func run() async throws(ToolFailure) -> CommandResult {
        let location = try context.storeLocation()
        let findings = try await findings(at: location)
        guard !findings.contains(where: { $0.verdict == .bad }) else {
            throw .storeUnsound(
                path: location.path, findings.filter { $0.verdict != .sound }.map { $0.error(context.messages) })
        }
        return .sentences(
            findings.map { $0.line(context.messages) },
            json: [("checks", .array(findings.map { $0.json(context.messages) }))])
    }

    /// Runs all checks.
    func findings(at location: StoreLocation) async throws(ToolFailure) -> [StoreFinding] {
        let hasher = try HashSettings.hasher(context.settings.values)
        var findings: [StoreFinding] = []
        do throws(AccountError) {
            // A database server checks its pages and references itself.
            let report = location.isDatabase ? nil : try StoreReport(of: location.path)
            if let report { findings = report.findings(at: location, context.messages) }
            findings.append(key(nextTo: location))
            findings += lists(nextTo: location)
            let checked = findings.count
            var waiting: [OutboxMessage] = []
            if let database = context.database {
                let missing = try missingTables()
                findings += missing.isEmpty ? [.sound("tables")] : missing
                if missing.isEmpty {
                    waiting = try await waitingMessages(in: database.store)
                    findings += try await content(of: database.store, at: location, hasher)
                }
            } else if report?.contentIsReadable == true {
                let store = try await SQLiteAccountStore.openReadOnly(location.path)
                waiting = try await waitingMessages(in: store)
                findings += try await content(of: store, at: location, hasher)
            }
            findings.insert(
                contentsOf: [mail(nextTo: location, UndeliveredMessages(waiting)), queue(waiting)], at: checked)
        } catch {
            throw ToolFailure(error, at: location)
        }
        return findings
    }

    /// The findings about tables that a database lacks. In an SQLite store, the check of its pages finds them.
    private func missingTables() throws(AccountError) -> [StoreFinding] {
        guard let address = context.settings.database, let parts = context.parts else { return [] }
        return try parts.tables(address.text).missing().map {
            .bad("tables", "check.table_missing", ["table": .text($0)])
        }
    }

    /// Nil if the key cannot be used, which another finding reports.
    private func key(of location: StoreLocation) -> StoreKey? { try? readKey(of: location) }

    private func readKey(of location: StoreLocation) throws(AccountError) -> StoreKey {
        guard let database = context.database else { return try StoreKeyFile.key(nextTo: location) }
        return try StoreKeyFile.key(nextTo: location, of: database.identity)
    }

    private func key(nextTo location: StoreLocation) -> StoreFinding {
        do throws(AccountError) {
            _ = try readKey(of: location)
            return .sound("key")
        } catch .store(.keyForeign(let path)) {
            return .bad("key", "check.key_foreign", ["path": .text(path)])
        } catch {
            if case .store(let error) = error, let finding = StoreFinding.bad("key", accessible: error) {
                return finding
            }
            return .bad("key", "check.key_missing", ["path": .text(StoreKeyFile.path(nextTo: location))])
        }
    }

    private func lists(nextTo location: StoreLocation) -> [StoreFinding] {
        let unusable = OperatorLists(folder: location.folder).unusable
        guard !unusable.isEmpty else { return [.sound("blocklist")] }
        return unusable.map { .bad("blocklist", "check.list_unusable", ["path": .text($0)]) }
    }

    private func waitingMessages(in store: any AccountStore) async throws(AccountError) -> [OutboxMessage] {
        try await store.read { (transaction) throws(AccountError) in
            try transaction.waitingMessages(limit: UndeliveredMessages.maximumCount)
        }
    }

    private func queue(_ waiting: [OutboxMessage]) -> StoreFinding {
        guard !waiting.isEmpty else { return .sound("queue") }
        return .sound("queue", "check.queue", ["count": .integer(waiting.count)])
    }

    private func mail(nextTo location: StoreLocation, _ undelivered: UndeliveredMessages?) -> StoreFinding {
        if let undelivered { return .warning("mail", "check.mail_undelivered", undelivered.values(context)) }
        guard !context.settings.sendsMail else { return .sound("mail") }
        return .warning("mail", "check.mail_unsent", ["path": .text(location.outbox.new)])
    }

    private func content(
        of store: any AccountStore, at location: StoreLocation, _ hasher: Argon2Hasher
    ) async throws(AccountError) -> [StoreFinding] {
        let keys = PepperFolder(of: location)
        return try await [auditTrail(of: store, sealedWith: key(of: location))] + hashes(in: store, keys, hasher)
            + sealingKeys(of: store, keys)
            + [clock(of: store)]
    }

    private func auditTrail(
        of store: any AccountStore, sealedWith key: StoreKey?
    ) async throws(AccountError) -> StoreFinding {
        let verification = try await store.read { (transaction) throws(AccountError) in
            try AuditVerification(in: transaction, sealedWith: key)
        }
        switch verification.finding {
        case .broken(let sequence):
            return .bad("audit", "check.audit_broken", ["sequence": .integer(Int(sequence))])
        case .endDiffers, .endWasChanged: return .bad("audit", "check.audit_end_differs")
        case .laneBroken(let lane): return .bad("audit", "check.audit_lane_broken", ["lane": .integer(Int(lane))])
        case .intact, .anchorDiffers, .anchorAfterEnd, .anchorBeforeStart, .anchorUnknown, .endsEarlier:
            return .sound("audit")
        }
    }

    /// A hash with a missing key is not reported, because the missing key already is.
    private func hashes(
        in store: any AccountStore, _ keys: PepperFolder, _ hasher: Argon2Hasher
    ) async throws(AccountError) -> [StoreFinding] {
        var (unusable, bare) = (0, 0)
        var last: AccountID?
        while true {
            let page = try await store.read { [last] (transaction) throws(AccountError) in
                try transaction.hashes(notSealedWith: nil, after: last, limit: 500)
            }
            guard let end = page.last else { break }
            last = end.account
            for row in page {
                switch keys.opened(row.hash, of: row.account) {
                case .none, .keyMissing: break
                case .refused: unusable += 1
                case .notSealed: bare += 1
                case .hash(let hash): unusable += (try? hasher.parse(hash)) == nil ? 1 : 0
                }
            }
        }
        var findings: [StoreFinding] = []
        if unusable > 0 { findings.append(.bad("hashes", "check.hash_unusable", ["count": .integer(unusable)])) }
        if bare > 0 {
            findings.append(
                .bad("hashes", "check.hash_not_sealed", ["count": .integer(bare), "path": .text(keys.markPath)]))
        }
        return findings.isEmpty ? [.sound("hashes")] : findings
    }

    private func sealingKeys(
        of store: any AccountStore, _ keys: PepperFolder
    ) async throws(AccountError) -> [StoreFinding] {
        let needed = try await store.read { (transaction) throws(AccountError) in try transaction.neededSealingKeys }
        var findings: [StoreFinding] = []
        for id in needed {
            do throws(StoreError) {
                guard try keys.key(id) == nil else { continue }
                findings.append(.bad("pepper", "check.pepper_missing", ["id": .text(id.text)]))
            } catch {
                findings.append(
                    .bad("pepper", accessible: error)
                        ?? .bad("pepper", "check.pepper_missing", ["id": .text(id.text)]))
            }
        }
        return findings.isEmpty ? [.sound("pepper")] : findings
    }

    private func clock(of store: any AccountStore) async throws(AccountError) -> StoreFinding {
        let mark = try await store.read { (transaction) throws(AccountError) in try transaction.clockMark }
        let minutes = mark.highest.since(SystemClock().now()).components.seconds / 60
        guard minutes > 5 else { return .sound("clock") }
        return .warning("clock", "check.clock_behind", ["minutes": .integer(Int(minutes))])
    }
}
