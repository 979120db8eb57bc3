import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

/// S-98.
@Suite(.timeLimit(.minutes(60)))
struct AuditChainTests {
    private static let storeID: [UInt8] = Array(0..<16)
    private static let ada = AccountID("00000000-0000-4000-8000-00000000000a")

    /// Odd records have the second format.
    private static func record(
        _ sequence: Int64, name: String = "authn_login_fail", reason: String = "", bootID: String = "boot"
    ) -> AuditRecord {
        let context = AuditContext(
            sinceBoot: 1, bootID: bootID, actingAccount: nil, processUser: 1000, source: "192.0.2.1", version: "1")
        return AuditRecord(
            sequence: sequence, time: Timestamp(milliseconds: 1_767_225_600_000 + sequence), name: name, account: ada,
            actor: .operatingSystemUser(1000), requestID: "0123456789abcdef", reason: reason,
            context: sequence.isMultiple(of: 2) ? nil : context)
    }

    private static func chain(of count: Int64) -> [AuditRow] {
        var chain = AuditChain(storeID: storeID)
        return (1...count).map { number in
            let record = record(number, reason: "wrong_password")
            return AuditRow(record, hash: chain.add(record))
        }
    }

    private static func firstBreak(in rows: [AuditRow], storeID: [UInt8] = storeID) -> Int64? {
        var chain = AuditChain(storeID: storeID)
        for row in rows { if let number = chain.firstBreak(adding: row) { return number } }
        return nil
    }

    /// The hashes come from `scripts/audit-chain.py`, which was written only from the description.
    @Test func `a chain matches the hashes of an independent implementation`() throws {
        func record(
            _ sequence: Int64, _ milliseconds: Int64, _ name: String, _ account: AccountID?, _ actor: AuditActor,
            _ requestID: String, _ reason: String, _ context: AuditContext? = nil
        ) -> AuditRecord {
            AuditRecord(
                sequence: sequence, time: Timestamp(milliseconds: milliseconds), name: name, account: account,
                actor: actor, requestID: requestID, reason: reason, context: context)
        }
        func context(
            _ sinceBoot: Int64, _ bootID: String, _ account: AccountID?, _ user: UInt32, _ source: String,
            _ version: String
        ) -> AuditContext {
            AuditContext(
                sinceBoot: sinceBoot, bootID: bootID, actingAccount: account, processUser: user, source: source,
                version: version)
        }
        let request = "0123456789abcdef"
        let records = [
            record(
                1, 1_767_225_600_001, "authn_login_fail", Self.ada, .operatingSystemUser(1000), request,
                "unknown:0011223344556677"),
            record(2, -1, "user_created", nil, .owner, "é", ""),
            record(
                3, 1_767_225_600_003, "authn_login_success", Self.ada, .owner, request, "",
                context(123_456, "b0070000-0000-4000-8000-000000000001", Self.ada, 1000, "", "0.1.0")),
            record(
                4, 1_767_225_600_004, "excess_rate_limit_exceeded", nil, .operatingSystemUser(0), request, "repeated:7",
                context(0, "", nil, .max, "192.0.2.1", "9 — é")),
            record(
                5, 1_767_225_600_005, "audit_rotate", nil, .operatingSystemUser(0), request,
                "closed:4:1024:2dc97ba4727c25c64e7e8ba0057bba10ed5457c2b00ba69f7a2ab51801da78ba",
                context(1, "b", nil, 0, "", "1")),
            record(
                6, 1_767_225_600_006, "authz_admin", Self.ada, .operatorToken(id: "3f9a1c02"), request, "disabled",
                context(7, "b", nil, 1000, "192.0.2.1", "1")),
        ]
        var chain = AuditChain(storeID: Self.storeID)
        let hashes = records.map { chain.add($0) }
        #expect(
            hashes.map { Hexadecimal.text(of: $0) } == [
                "559f08b8fe2f91a87487704063f5cefbf95b86f079cca0a4aa3adb098d48cdb1",
                "fa61e5083defca9b6e6fb053153fa2fc2bad6ea8d2eaceb4d49b44661d2ef674",
                "b2b3317c09fa6985b4e29e8e76af25a3e68fc371264a71b1e41e565523f83ac7",
                "2dc97ba4727c25c64e7e8ba0057bba10ed5457c2b00ba69f7a2ab51801da78ba",
                "daf80318d305db02a8e72adc697de1abf12fba03c5c85c82d276289148d12e46",
                "dc33b9c1f9b3fc8553f1798847bc64994d9736716d7ec40ad8657f8c02c73f50",
            ])
        #expect(Self.firstBreak(in: zip(records, hashes).map { AuditRow($0, hash: $1) }) == nil)
    }

    @Test func `a segment that begins with a wrong hash is detected`() {
        for reason in ["closed:2:1:" + String(repeating: "00", count: 32), "closed:2:1:zz", "closed:2:1", ""] {
            var chain = AuditChain(storeID: Self.storeID)
            let first = Self.record(1)
            let rotation = Self.record(2, name: "audit_rotate", reason: reason)
            let rows = [AuditRow(first, hash: chain.add(first)), AuditRow(rotation, hash: chain.add(rotation))]
            #expect(Self.firstBreak(in: rows) == 2, "\(reason)")
        }
    }

    @Test func `an unreadable row is detected`() {
        var rows = Self.chain(of: 9)
        rows[4] = AuditRow(unreadable: 5, hash: rows[4].hash)
        #expect(Self.firstBreak(in: rows) == 5)
    }

    @Test func `an untouched chain is intact`() {
        #expect(Self.firstBreak(in: Self.chain(of: 9)) == nil)
        #expect(Self.firstBreak(in: []) == nil)
    }

    @Test func `any flipped bit of any hash is detected`() {
        for byte in 0..<32 {
            for bit in 0..<8 {
                var rows = Self.chain(of: 3)
                var hash = rows[1].hash
                hash[byte] ^= 1 << UInt8(bit)
                rows[1] = AuditRow(Self.record(2, reason: "wrong_password"), hash: hash)
                #expect(Self.firstBreak(in: rows) == 2)
            }
        }
    }

    @Test func `text moved from one field to the next is detected`() {
        var chain = AuditChain(storeID: Self.storeID)
        var other = AuditChain(storeID: Self.storeID)
        let first = Self.record(1, name: "ab", reason: "c", bootID: "d")
        #expect(chain.add(first) != other.add(Self.record(1, name: "ab", reason: "", bootID: "cd")))
    }

    @Test func `a dropped record is detected`() {
        for number in 1...8 {
            var rows = Self.chain(of: 9)
            rows.remove(at: number - 1)
            #expect(Self.firstBreak(in: rows) == Int64(number))
        }
    }

    @Test func `a dropped record is detected even if the rest is renumbered`() {
        var rows = Self.chain(of: 9)
        rows.remove(at: 3)
        for index in 3..<8 {
            rows[index] = AuditRow(Self.record(Int64(index + 1), reason: "wrong_password"), hash: rows[index].hash)
        }
        #expect(Self.firstBreak(in: rows) == 4)
    }

    @Test func `two swapped records are detected`() {
        var rows = Self.chain(of: 9)
        rows.swapAt(3, 6)
        #expect(Self.firstBreak(in: rows) == 4)
    }

    @Test func `an inserted record is detected`() {
        var rows = Self.chain(of: 9)
        rows.insert(AuditRow(Self.record(5, reason: "forged"), hash: rows[4].hash), at: 4)
        #expect(Self.firstBreak(in: rows) == 5)
        rows = Self.chain(of: 9)
        rows.insert(rows[4], at: 4)
        #expect(Self.firstBreak(in: rows) == 6)
    }

    @Test func `the trail of another store is detected`() {
        #expect(Self.firstBreak(in: Self.chain(of: 2), storeID: [UInt8](repeating: 9, count: 16)) == 1)
    }

    @Test func `missing records at the end are detected only by a saved head`() {
        let rows = Self.chain(of: 9)
        #expect(Self.firstBreak(in: Array(rows.dropLast())) == nil)
        #expect(rows.last?.hash != rows.dropLast().last?.hash)
    }
}
