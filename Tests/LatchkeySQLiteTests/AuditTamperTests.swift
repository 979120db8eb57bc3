import CSQLite
import Foundation
import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeySQLite

/// S-98: every change by another program is detected, and the number of the record is reported.
@Suite(.timeLimit(.minutes(60)))
struct AuditTamperTests {
    let folder: TemporaryFolder
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path(of: "accounts.sqlite")
    }

    private static let ada = AccountID("00000000-0000-4000-8000-00000000000a")

    /// Records of both formats, with and without optional values: records 3, 4, 7 and 8 have the first format.
    private func makeTrail() async throws {
        let store = try await SQLiteAccountStore.open(path, create: true)
        try await store.write { (transaction) throws(AccountError) in
            var chain = AuditChain(storeID: try transaction.storeID)
            for number in 1...9 as ClosedRange<Int64> {
                let isWhole = number.isMultiple(of: 2)
                let context = AuditContext(
                    sinceBoot: 123_456, bootID: isWhole ? "b0070000-0000" : "", actingAccount: isWhole ? Self.ada : nil,
                    processUser: 1000, source: isWhole ? "192.0.2.1" : "", version: "0.1.0")
                let record = AuditRecord(
                    sequence: number, time: Timestamp(milliseconds: 1_767_225_600_000 + number),
                    name: "authn_login_fail", account: isWhole ? Self.ada : nil,
                    actor: isWhole ? .operatingSystemUser(1000) : .owner, requestID: "0123456789abcdef",
                    reason: isWhole ? "wrong_password" : "",
                    context: [3, 4, 7, 8].contains(number) ? nil : context)
                try transaction.append(record, hash: chain.add(record))
            }
            if let head = chain.head { try transaction.setSeal(World.key.seal(of: head, [])) }
        }
        await store.close()
    }

    /// A connection without the schema's constraints, which an attacker who owns the file can open.
    private func intruder() throws -> SQLiteConnection {
        let connection = try SQLiteConnection(opening: path)
        try connection.execute(
            """
            PRAGMA ignore_check_constraints = ON;
            DROP TRIGGER audit_unchanged; DROP TRIGGER audit_dropped_from_its_start; DROP TRIGGER audit_without_gaps;
            """)
        return connection
    }

    private func verdict(_ service: AccountService) async throws -> AuditVerification.Finding {
        try await service.verifyAudit().finding
    }

    private func service() async throws -> AccountService {
        AccountService(
            store: try await SQLiteAccountStore.open(path), hasher: FakePasswordHasher(), mailer: MemoryMailer(),
            clock: VirtualClock(), random: .system,
            key: try #require(StoreKey(Secret(String(repeating: "k", count: 32)))))
    }

    private struct Column: Sendable {
        let name: String
        let read: StaticString
        let write: StaticString
    }

    private static let columns = [
        Column(
            name: "time", read: "SELECT time FROM audit WHERE sequence = ?1",
            write: "UPDATE audit SET time = ?2 WHERE sequence = ?1"),
        Column(
            name: "event", read: "SELECT event FROM audit WHERE sequence = ?1",
            write: "UPDATE audit SET event = ?2 WHERE sequence = ?1"),
        Column(
            name: "account_id", read: "SELECT account_id FROM audit WHERE sequence = ?1",
            write: "UPDATE audit SET account_id = ?2 WHERE sequence = ?1"),
        Column(
            name: "actor_uid", read: "SELECT actor_uid FROM audit WHERE sequence = ?1",
            write: "UPDATE audit SET actor_uid = ?2 WHERE sequence = ?1"),
        Column(
            name: "request_id", read: "SELECT request_id FROM audit WHERE sequence = ?1",
            write: "UPDATE audit SET request_id = ?2 WHERE sequence = ?1"),
        Column(
            name: "reason", read: "SELECT reason FROM audit WHERE sequence = ?1",
            write: "UPDATE audit SET reason = ?2 WHERE sequence = ?1"),
        Column(
            name: "hash", read: "SELECT hash FROM audit WHERE sequence = ?1",
            write: "UPDATE audit SET hash = ?2 WHERE sequence = ?1"),
        Column(
            name: "version", read: "SELECT version FROM audit WHERE sequence = ?1",
            write: "UPDATE audit SET version = ?2 WHERE sequence = ?1"),
        Column(
            name: "since_boot", read: "SELECT since_boot FROM audit WHERE sequence = ?1",
            write: "UPDATE audit SET since_boot = ?2 WHERE sequence = ?1"),
        Column(
            name: "boot_id", read: "SELECT boot_id FROM audit WHERE sequence = ?1",
            write: "UPDATE audit SET boot_id = ?2 WHERE sequence = ?1"),
        Column(
            name: "acting_account_id", read: "SELECT acting_account_id FROM audit WHERE sequence = ?1",
            write: "UPDATE audit SET acting_account_id = ?2 WHERE sequence = ?1"),
        Column(
            name: "process_uid", read: "SELECT process_uid FROM audit WHERE sequence = ?1",
            write: "UPDATE audit SET process_uid = ?2 WHERE sequence = ?1"),
        Column(
            name: "source", read: "SELECT source FROM audit WHERE sequence = ?1",
            write: "UPDATE audit SET source = ?2 WHERE sequence = ?1"),
        Column(
            name: "app_version", read: "SELECT app_version FROM audit WHERE sequence = ?1",
            write: "UPDATE audit SET app_version = ?2 WHERE sequence = ?1"),
    ]

    /// Every value that differs from `value` by one bit, one byte or its presence.
    private func neighbours(of value: SQLiteValue) -> [SQLiteValue] {
        func flipped(_ bytes: [UInt8]) -> [[UInt8]] {
            var all = bytes.indices.flatMap { index in
                (0..<8).map { bit in
                    var changed = bytes
                    changed[index] ^= 1 << UInt8(bit)
                    return changed
                }
            }
            all += [bytes + [0x78], bytes + [0], Array(bytes.dropLast()) + (bytes.isEmpty ? [1] : [])]
            return all
        }
        switch value {
        case .null: return [.integer(0), .integer(1), .text(""), .text("x"), .text(Self.ada?.text ?? "")]
        case .integer(let number):
            return (0..<64).map { .integer(number ^ (1 << Int64($0))) } + [.null, .text("x")]
        case .text(let text):
            // Includes invalid UTF-8, written as a blob whose type is then changed.
            return flipped(Array(text.utf8)).map { bytes in
                String(validating: bytes, as: UTF8.self).map { SQLiteValue.text($0) } ?? .bytes(bytes)
            } + [.null]
        case .bytes(let bytes): return flipped(bytes).map { .bytes($0) } + [.null]
        }
    }

    private func value(_ row: SQLiteRow) throws(SQLiteError) -> SQLiteValue {
        if row.isNull(0) { return .null }
        if let number = try? row.integer(0) { return .integer(number) }
        if let text = try? row.text(0) { return .text(text) }
        return .bytes(try row.bytes(0))
    }

    /// Rows 4 and 6 have all values of their format, and row 5 only the required ones.
    @Test(arguments: [3, 4, 5, 6] as [Int64])
    func `a flipped bit in any column of a row is detected`(number: Int64) async throws {
        try await makeTrail()
        let service = try await service()
        let intruder = try intruder()
        #expect(try await verdict(service) == .intact)
        var changes = 0
        for column in Self.columns {
            let read = try intruder.row(column.read, .integer(number)) { (row) throws(SQLiteError) in try value(row) }
            let original = try #require(read)
            for neighbour in neighbours(of: original) {
                // A STRICT table accepts no value of another type, and NULL only where it is allowed, so such a change
                // cannot be stored.
                guard (try? intruder.run(column.write, .integer(number), neighbour)) != nil else { continue }
                let now = try intruder.row(column.read, .integer(number)) { (row) throws(SQLiteError) in
                    try value(row)
                }
                if "\(try #require(now))" == "\(original)" { continue }
                changes += 1
                let finding = try await verdict(service)
                #expect(finding == .broken(sequence: number), "\(column.name): \(neighbour)")
            }
            try intruder.run(column.write, .integer(number), original)
            #expect(try await verdict(service) == .intact)
        }
        #expect(changes > 500)
    }

    private static let moves: [(sql: String, number: Int64)] = [
        ("UPDATE audit SET sequence = 100 WHERE sequence = 9", 9),
        ("UPDATE audit SET sequence = 0 WHERE sequence = 1", 1),
        (
            """
            INSERT INTO audit SELECT 0, time, event, account_id, actor_uid, request_id, reason, hash, version,
                since_boot, boot_id, acting_account_id, process_uid, source, app_version, actor_token,
                actor_client FROM audit WHERE sequence = 2
            """, 0
        ),
        ("UPDATE audit SET sequence = -4 WHERE sequence = 4", 4),
        ("DELETE FROM audit WHERE sequence = 1", 1),
        ("DELETE FROM audit WHERE sequence = 5", 5),
        ("DELETE FROM audit WHERE sequence < 5", 1),
        ("UPDATE store SET id = zeroblob(16)", 1),
        ("UPDATE audit SET event = 'audit_rotate' WHERE sequence = 7; DELETE FROM audit WHERE sequence < 7", 1),
        (
            """
            UPDATE audit SET sequence = 100 WHERE sequence = 5;
            UPDATE audit SET sequence = 5 WHERE sequence = 6;
            UPDATE audit SET sequence = 6 WHERE sequence = 100
            """, 5
        ),
        (
            """
            UPDATE audit SET sequence = sequence + 100 WHERE sequence > 4;
            INSERT INTO audit SELECT 5, time, event, account_id, actor_uid, request_id, reason, hash, version,
                since_boot, boot_id, acting_account_id, process_uid, source, app_version, actor_token,
                actor_client FROM audit WHERE sequence = 4;
            UPDATE audit SET sequence = sequence - 99 WHERE sequence > 100
            """, 5
        ),
    ]

    @Test(arguments: moves)
    func `a deleted, moved or inserted row is detected`(sql: String, number: Int64) async throws {
        try await makeTrail()
        let service = try await service()
        _ = try intruder()
        #expect(shell(sql) == 0)
        #expect(try await verdict(service) == .broken(sequence: number))
    }

    /// The statement comes from the test and is not a literal.
    private func shell(_ sql: String) -> Int32 {
        var handle: OpaquePointer?
        defer { _ = unsafe sqlite3_close_v2(handle) }
        guard unsafe sqlite3_open(path, &handle) == SQLITE_OK else { return -1 }
        return unsafe sqlite3_exec(handle, "PRAGMA ignore_check_constraints = ON;" + sql, nil, nil, nil)
    }

    // MARK: Restrictions of the schema

    @Test func `the schema permits deleting only the trail's start, up to the newest segment`() async throws {
        let store = try await SQLiteAccountStore.open(path, create: true)
        try await store.write { (transaction) throws(AccountError) in
            for number in 1...9 as ClosedRange<Int64> {
                let record = AuditRecord(
                    sequence: number, time: Timestamp(milliseconds: number),
                    name: number == 5 ? "audit_rotate" : "user_created", account: nil, actor: .owner, requestID: "r",
                    reason: "", context: nil)
                try transaction.append(record, hash: [UInt8](repeating: 1, count: 32))
            }
        }
        let connection = try SQLiteConnection(opening: path)
        for sql in [
            "DELETE FROM audit", "DELETE FROM audit WHERE sequence = 5", "DELETE FROM audit WHERE sequence = 2",
            "DELETE FROM audit WHERE sequence > 1 AND sequence < 5", "DELETE FROM audit WHERE sequence = 9",
            "DELETE FROM audit WHERE sequence <= 5", "UPDATE audit SET reason = 'x'",
        ] as [StaticString] {
            #expect(throws: SQLiteError.self) { try connection.run(sql) }
            #expect(
                try connection.row("SELECT count(*) FROM audit") { (row) throws(SQLiteError) in
                    try row.integer(0)
                } == 9)
        }
        #expect(try connection.run("DELETE FROM audit WHERE sequence < 5") == 4)
    }
}
