import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

struct AuditChainTests {
    private typealias Row = (record: AuditRecord, hash: [UInt8])

    private static let storeID: [UInt8] = Array(0..<16)

    private static func record(_ sequence: Int64, reason: String = "") -> AuditRecord {
        AuditRecord(
            sequence: sequence, time: Timestamp(milliseconds: 1_767_225_600_000 + sequence), event: .loginFailed,
            account: AccountID("00000000-0000-4000-8000-00000000000a"), actor: .operatingSystemUser(1000),
            requestID: "0123456789abcdef", reason: reason)
    }

    private static func chain(of count: Int64) -> [Row] {
        var chain = AuditChain(storeID: storeID)
        return (1...count).map { number in
            let record = record(number, reason: "wrong_password")
            return (record, chain.add(record))
        }
    }

    private static func firstBreak(in rows: [Row]) -> Int64? {
        var chain = AuditChain(storeID: storeID)
        return chain.firstBreak(in: rows)
    }

    @Test func `a chain has the hashes that were computed elsewhere`() {
        var chain = AuditChain(storeID: Self.storeID)
        let first = chain.add(Self.record(1, reason: "unknown:0011223344556677"))
        let second = chain.add(
            AuditRecord(
                sequence: 2, time: Timestamp(milliseconds: -1), event: .userCreated, account: nil, actor: .owner,
                requestID: "é", reason: ""))
        #expect(hex(first) == "559f08b8fe2f91a87487704063f5cefbf95b86f079cca0a4aa3adb098d48cdb1")
        #expect(hex(second) == "fa61e5083defca9b6e6fb053153fa2fc2bad6ea8d2eaceb4d49b44661d2ef674")
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    @Test func `a chain that nobody touched holds`() {
        #expect(Self.firstBreak(in: Self.chain(of: 9)) == nil)
        #expect(Self.firstBreak(in: []) == nil)
    }

    enum Field: CaseIterable { case sequence, time, event, account, noAccount, actor, requestID, reason, hash }

    @Test(arguments: Field.allCases, [1, 5, 9] as [Int])
    func `a field that was changed is found`(field: Field, number: Int) {
        var rows = Self.chain(of: 9)
        let old = rows[number - 1].record
        rows[number - 1].record = AuditRecord(
            sequence: field == .sequence ? old.sequence + 1 : old.sequence,
            time: field == .time ? Timestamp(milliseconds: old.time.milliseconds ^ 1) : old.time,
            event: field == .event ? .loginSucceeded : old.event,
            account: field == .noAccount
                ? nil : field == .account ? AccountID("00000000-0000-4000-8000-00000000000b") : old.account,
            actor: field == .actor ? .owner : old.actor,
            requestID: field == .requestID ? "1123456789abcdef" : old.requestID,
            reason: field == .reason ? "disabled" : old.reason)
        if field == .hash { rows[number - 1].hash[31] ^= 1 }
        #expect(Self.firstBreak(in: rows) == Int64(number))
    }

    @Test func `any flipped bit of any hash is found`() {
        for byte in 0..<32 {
            for bit in 0..<8 {
                var rows = Self.chain(of: 3)
                rows[1].hash[byte] ^= 1 << UInt8(bit)
                #expect(Self.firstBreak(in: rows) == 2)
            }
        }
    }

    @Test func `text that is moved from one field to the next is found`() {
        var chain = AuditChain(storeID: Self.storeID)
        var other = AuditChain(storeID: Self.storeID)
        func record(_ requestID: String, _ reason: String) -> AuditRecord {
            AuditRecord(
                sequence: 1, time: Timestamp(milliseconds: 0), event: .loginFailed, account: nil, actor: .owner,
                requestID: requestID, reason: reason)
        }
        #expect(chain.add(record("ab", "c")) != other.add(record("a", "bc")))
    }

    @Test func `a record that was dropped is found`() {
        for number in 1...8 {
            var rows = Self.chain(of: 9)
            rows.remove(at: number - 1)
            #expect(Self.firstBreak(in: rows) == Int64(number))
        }
    }

    @Test func `a record that was dropped is found though the rest were numbered anew`() {
        var rows = Self.chain(of: 9)
        rows.remove(at: 3)
        for index in 3..<8 {
            let old = rows[index].record
            rows[index].record = Self.record(Int64(index + 1), reason: old.reason)
        }
        #expect(Self.firstBreak(in: rows) == 4)
    }

    @Test func `two records that changed places are found`() {
        var rows = Self.chain(of: 9)
        rows.swapAt(3, 6)
        #expect(Self.firstBreak(in: rows) == 4)
    }

    @Test func `a record that was put in is found`() {
        var rows = Self.chain(of: 9)
        rows.insert((Self.record(5, reason: "forged"), rows[4].hash), at: 4)
        #expect(Self.firstBreak(in: rows) == 5)
        rows = Self.chain(of: 9)
        rows.insert(rows[4], at: 4)
        #expect(Self.firstBreak(in: rows) == 6)
    }

    @Test func `the trail of another store is found`() {
        var chain = AuditChain(storeID: [UInt8](repeating: 9, count: 16))
        #expect(chain.firstBreak(in: Self.chain(of: 2)) == 1)
    }

    @Test func `what is missing at the end shows in the head alone`() {
        let rows = Self.chain(of: 9)
        #expect(Self.firstBreak(in: Array(rows.dropLast())) == nil)
        #expect(rows.last?.hash != rows.dropLast().last?.hash)
    }
}
