import LatchkeyAccounts
import LatchkeySQL
import LatchkeySecrets
import LatchkeySystem

@testable import LatchkeySQLite

extension FuzzTarget {
    /// Changes to rows of the audit trail: for each, a byte for row, column, type and length, then the value.
    /// Verification finds every change, and no reader crashes.
    static let auditTrail = FuzzTarget("audit-trail", upTo: 256) { bytes in
        guard let base = await FuzzStore.base, let folder = FuzzFolder.shared, folder.write(base.store, to: "audit")
        else {
            return "no store to begin with"
        }
        defer { for suffix in ["", "-journal"] { folder.remove("audit" + suffix) } }
        do {
            let connection = try SQLiteConnection(opening: folder.path + "/audit")
            try connection.execute(
                """
                PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; PRAGMA ignore_check_constraints = ON;
                DROP TRIGGER audit_unchanged; DROP TRIGGER audit_dropped_from_its_start; DROP TRIGGER audit_without_gaps
                """)
            let before = try FuzzStore.trail(connection)
            var rest = bytes[...]
            while rest.count >= 4 {
                let head = rest.prefix(4).map { $0 }
                let value = rest.dropFirst(4).prefix(Int(head[3]) % 64)
                rest = rest.dropFirst(4 + value.count)
                let row = Int64(head[0]) % Int64(before.count + 2)
                let bound = FuzzStore.value(head[2], Array(value))
                // No program can insert a row that violates the schema.
                _ = try? connection.run(FuzzStore.writes[Int(head[1]) % FuzzStore.writes.count], .integer(row), bound)
            }
            let after = try FuzzStore.trail(connection)
            let finding = try AuditVerification(in: SQLiteTransaction(on: connection, mayWrite: false)).finding
            if after == before { return finding == .intact ? nil : "an untouched trail is \(finding)" }
            // A shortened trail is valid. Only a separately stored head reveals the missing records.
            let isShortened = after.count < before.count && after.elementsEqual(before.prefix(after.count))
            return finding == .intact && !isShortened ? "a change goes unnoticed" : nil
        } catch {
            return nil
        }
    }

    /// Changes to the database file: a byte of flags (1: with a journal to roll back, 2: truncated after the last
    /// change), then three bytes for the offset and one for the value of each change.
    static let store = FuzzTarget("store", upTo: 128) { bytes in
        guard let base = await FuzzStore.base, let folder = FuzzFolder.shared else { return "no store to begin with" }
        guard let how = bytes.first else { return nil }
        let hasJournal = how & 1 == 1
        var store = base.store
        var journal = base.journal
        var last = store.count
        var rest = bytes.dropFirst()
        while rest.count >= 4 {
            let change = rest.prefix(4).map { Int($0) }
            rest = rest.dropFirst(4)
            let place = change[0] << 16 | change[1] << 8 | change[2]
            if hasJournal && place & 1 == 1 {
                journal[(place >> 1) % journal.count] = UInt8(change[3])
            } else {
                last = place % store.count
                store[last] = UInt8(change[3])
            }
        }
        if how & 2 == 2 { store.removeSubrange(last...) }
        let names = ["store", "store-journal", "store.lock", "store.reserve"]
        defer { for name in names { folder.remove(name) } }
        guard folder.write(store, to: "store"), !hasJournal || folder.write(journal, to: "store-journal") else {
            return "no file to open"
        }
        do throws(AccountError) {
            let opened = try await SQLiteAccountStore.open(folder.path + "/store")
            await FuzzStore.look(at: opened)
            await opened.close()
            return nil
        } catch {
            guard case .store = error else { return "\(error)" }
            return hasJournal || folder.read("store") == store ? nil : "a store that was refused has been written to"
        }
    }
}

/// The starting point of the two targets that change a store.
enum FuzzStore {
    struct Base: Sendable {
        let store: [UInt8]
        /// A complete journal of an unfinished change: the next process must roll it back.
        let journal: [UInt8]
    }

    static var base: Base? { get async { await made.value } }

    private static let made = Task { try? await make() }

    private static func make() async throws -> Base? {
        guard let folder = FuzzFolder.shared else { return nil }
        let path = folder.path + "/base"
        let opened = try await SQLiteAccountStore.open(path, create: true)
        try await opened.write { (transaction) throws(AccountError) in
            var chain = AuditChain(storeID: try transaction.storeID)
            for number in 1...9 as ClosedRange<Int64> {
                let context = AuditContext(
                    sinceBoot: 123_456, bootID: "b0070000-0000", actingAccount: nil, processUser: 1000,
                    source: "192.0.2.1", version: "0.1.0")
                let record = AuditRecord(
                    sequence: number, time: Timestamp(milliseconds: 1_767_225_600_000 + number),
                    name: "authn_login_fail",
                    account: nil, actor: .operatingSystemUser(1000), requestID: "0123456789abcdef", reason: "unknown",
                    context: number.isMultiple(of: 3) ? nil : context)
                try transaction.append(record, hash: chain.add(record))
            }
            try transaction.setFailures(
                ThrottleFailures(count: 3, lastAt: Timestamp(milliseconds: 1_767_225_600_000)), in: .unknownName(row: 7)
            )
        }
        await opened.close()
        guard let store = folder.read("base") else { return nil }
        let connection = try SQLiteConnection(opening: path)
        try connection.execute("PRAGMA cache_spill = ON; PRAGMA cache_size = 1; BEGIN IMMEDIATE")
        try connection.execute("UPDATE store SET clock_seen = 1, clock_highest = 1; DELETE FROM throttle")
        guard var journal = folder.read("base-journal"), journal.count > 512 else { return nil }
        // The number of records: as many as there are (SQLite's file format, section 3).
        journal.replaceSubrange(0..<12, with: [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7, 0xFF, 0xFF, 0xFF, 0xFF])
        for name in ["base", "base-journal", "base.lock", "base.reserve"] { folder.remove(name) }
        return Base(store: store, journal: journal)
    }

    /// Reads all rows and writes a little. Failures are allowed.
    static func look(at store: SQLiteAccountStore) async {
        guard let ada = AccountID("00000000-0000-4000-8000-00000000000a") else { return }
        try? await store.read { (transaction) throws(AccountError) in
            _ = try? transaction.storeID
            _ = try? transaction.accounts(after: nil, limit: 100)
            _ = try? transaction.account(.id(ada))
            _ = try? transaction.failures(in: .unknownName(row: 7))
            _ = try? transaction.waitingMessages(limit: 100)
            _ = try? transaction.sealingKeys
            _ = try? transaction.auditCounts(after: 0, limit: 100)
            _ = try? transaction.clockMark
            _ = try? transaction.auditFlood
            _ = try? transaction.auditSize(from: 0)
            _ = try? AuditVerification(in: transaction)
        }
        _ = try? await store.isIntact()
        try? await store.write { (transaction) throws(AccountError) in
            try transaction.setFailures(
                ThrottleFailures(count: 4, lastAt: Timestamp(milliseconds: 1_767_225_700_000)), in: .unknownName(row: 9)
            )
        }
    }

    static func value(_ type: UInt8, _ bytes: [UInt8]) -> SQLiteValue {
        switch type % 4 {
        case 0: .null
        case 1: .integer(bytes.reduce(0) { $0 << 8 | Int64($1) })
        case 2: .text(bytes.repairedText)
        default: .bytes(bytes)
        }
    }

    /// Every row of the trail as it is stored.
    static func trail(_ connection: SQLiteConnection) throws -> [String] {
        try connection.rows(
            """
            SELECT quote(sequence) || quote(time) || quote(event) || quote(account_id) || quote(actor_uid)
                    || quote(request_id) || quote(reason) || quote(hash) || quote(version) || quote(since_boot)
                    || quote(boot_id) || quote(acting_account_id) || quote(process_uid) || quote(source)
                    || quote(app_version)
                FROM audit ORDER BY sequence
            """
        ) { (row) throws(SQLiteError) in try row.text(0) }
    }

    static let writes: [StaticString] = [
        "UPDATE audit SET time = ?2 WHERE sequence = ?1", "UPDATE audit SET event = ?2 WHERE sequence = ?1",
        "UPDATE audit SET account_id = ?2 WHERE sequence = ?1", "UPDATE audit SET actor_uid = ?2 WHERE sequence = ?1",
        "UPDATE audit SET request_id = ?2 WHERE sequence = ?1", "UPDATE audit SET reason = ?2 WHERE sequence = ?1",
        "UPDATE audit SET hash = ?2 WHERE sequence = ?1", "UPDATE audit SET version = ?2 WHERE sequence = ?1",
        "UPDATE audit SET since_boot = ?2 WHERE sequence = ?1", "UPDATE audit SET boot_id = ?2 WHERE sequence = ?1",
        "UPDATE audit SET acting_account_id = ?2 WHERE sequence = ?1",
        "UPDATE audit SET process_uid = ?2 WHERE sequence = ?1", "UPDATE audit SET source = ?2 WHERE sequence = ?1",
        "UPDATE audit SET app_version = ?2 WHERE sequence = ?1", "UPDATE audit SET sequence = ?2 WHERE sequence = ?1",
        "DELETE FROM audit WHERE sequence = ?1 AND ?2 IS NOT NULL",
        """
        INSERT INTO audit SELECT ?1, time, event, account_id, actor_uid, request_id, reason, hash, version, since_boot,
            boot_id, acting_account_id, process_uid, source, app_version FROM audit WHERE sequence = ?2
        """,
    ]
}
