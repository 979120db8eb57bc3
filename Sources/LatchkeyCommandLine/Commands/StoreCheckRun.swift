import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHashing
import LatchkeySQLite

/// `store check`: everything that can be found out without changing anything, and as much of it as damage allows.
struct StoreCheckRun {
    let context: CommandContext

    func perform() async throws(ToolFailure) {
        let location = try StoreLocation(context.settings)
        let hasher = try HashSettings.hasher(context.settings.values)
        var findings: [StoreFinding]
        do throws(AccountError) {
            let report = try StoreReport(of: location.path)
            findings = report.findings(at: location, context.messages)
            findings.append(key(beside: location))
            findings += lists(beside: location)
            if report.contentIsReadable { findings += try await content(at: location, hasher) }
        } catch {
            throw ToolFailure(error, at: location)
        }
        try tell(findings, at: location)
    }

    private func key(beside location: StoreLocation) -> StoreFinding {
        do throws(AccountError) {
            _ = try StoreKeyFile.key(beside: location)
            return .sound("key")
        } catch .store(.exposed(let path)) {
            return .bad("key", "check.exposed", ["path": .text(path)])
        } catch {
            return .bad("key", "check.key_missing", ["path": .text(StoreKeyFile.path(beside: location))])
        }
    }

    private func lists(beside location: StoreLocation) -> [StoreFinding] {
        let unusable = OperatorLists(folder: location.folder).unusable
        guard !unusable.isEmpty else { return [.sound("blocklist")] }
        return unusable.map { .bad("blocklist", "check.list_unusable", ["path": .text($0)]) }
    }

    private func content(
        at location: StoreLocation, _ hasher: Argon2Hasher
    ) async throws(AccountError) -> [StoreFinding] {
        let store = try await SQLiteAccountStore.openReadOnly(location.path)
        let keys = PepperFolder(at: location.pepperFolder)
        return try await [auditTrail(of: store), hashes(in: store, keys, hasher)] + sealingKeys(of: store, keys)
            + [clock(of: store)]
    }

    private func auditTrail(of store: SQLiteAccountStore) async throws(AccountError) -> StoreFinding {
        let verification = try await store.read { (transaction) throws(AccountError) in
            try AuditVerification(in: transaction)
        }
        guard case .broken(let sequence) = verification.finding else { return .sound("audit") }
        return .bad("audit", "check.audit_broken", ["sequence": .integer(Int(sequence))])
    }

    /// A hash whose key is missing is no finding of its own: the key is one.
    private func hashes(
        in store: SQLiteAccountStore, _ keys: PepperFolder, _ hasher: Argon2Hasher
    ) async throws(AccountError) -> StoreFinding {
        var count = 0
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
                case .refused: count += 1
                case .hash(let hash): count += hasher.canVerify(against: hash) ? 0 : 1
                }
            }
        }
        return count == 0 ? .sound("hashes") : .bad("hashes", "check.hash_unusable", ["count": .integer(count)])
    }

    private func sealingKeys(
        of store: SQLiteAccountStore, _ keys: PepperFolder
    ) async throws(AccountError) -> [StoreFinding] {
        let needed = try await store.read { (transaction) throws(AccountError) in try transaction.neededSealingKeys }
        var findings: [StoreFinding] = []
        for id in needed {
            do throws(StoreError) {
                guard try keys.key(id) == nil else { continue }
                findings.append(.bad("pepper", "check.pepper_missing", ["id": .text(id.text)]))
            } catch .exposed(let path) {
                findings.append(.bad("pepper", "check.exposed", ["path": .text(path)]))
            } catch {
                findings.append(.bad("pepper", "check.pepper_missing", ["id": .text(id.text)]))
            }
        }
        return findings.isEmpty ? [.sound("pepper")] : findings
    }

    private func clock(of store: SQLiteAccountStore) async throws(AccountError) -> StoreFinding {
        let mark = try await store.read { (transaction) throws(AccountError) in try transaction.clockMark }
        let minutes = mark.highest.since(SystemClock().now()).components.seconds / 60
        guard minutes > 5 else { return .sound("clock") }
        return .warning("clock", "check.clock_behind", ["minutes": .integer(Int(minutes))])
    }

    private func tell(_ findings: [StoreFinding], at location: StoreLocation) throws(ToolFailure) {
        guard !findings.contains(where: { $0.verdict == .bad }) else {
            throw .storeUnsound(
                path: location.path, findings.filter { $0.verdict != .sound }.map { $0.error(context.messages) })
        }
        guard !context.output.json else {
            return try context.output.success([("checks", .array(findings.map { $0.json(context.messages) }))])
        }
        for finding in findings { try context.output.result(finding.line(context.messages)) }
    }
}
