import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// S-102.
@Suite(.timeLimit(.minutes(60)))
struct AuditVerificationTests {
    /// A trail of `count` records; segments before the newest may be dropped.
    private func world(_ count: Int = 40, keeping bytes: Int64 = 1 << 40) async throws -> World {
        let world = try World(settings: AccountSettings(audit: AuditLimits(bytes: bytes)))
        try await write(count, to: world.store, from: 0)
        return world
    }

    private func write(_ count: Int, to store: MemoryAccountStore, from start: Int64) async throws {
        let trail = try AuditTrail(by: .owner, random: .seeded(1), origin: .unknown)
        for number in 0..<Int64(count) {
            try await store.write { (transaction) throws(AccountError) in
                let time = Timestamp(milliseconds: start + number)
                try trail.append(.userCreated, about: nil, at: time, in: transaction)
                try AuditSealer(key: World.key, limits: AuditLimits()).finish(transaction)
            }
        }
    }

    private func row(_ world: World, _ number: Int64) async throws -> AuditRow {
        try await world.store.read { (transaction) throws(AccountError) in
            try transaction.auditRows(after: number - 1, limit: 1)[0]
        }
    }

    private func anchor(_ world: World, _ number: Int64) async throws -> AuditAnchor {
        let row = try await row(world, number)
        return AuditAnchor(AuditHead(sequence: row.sequence, hash: row.hash))
    }

    private func hashAlone(_ anchor: AuditAnchor) throws -> AuditAnchor {
        try #require(AuditAnchor(Hexadecimal.text(of: anchor.hash)))
    }

    @Test func `a trail without records is intact`() async throws {
        let world = try World()
        #expect(
            try await world.service.verifyAudit() == AuditVerification(first: 1, head: nil, finding: .intact))
    }

    @Test(arguments: [1, 2, 39, 40] as [Int64])
    func `a saved head is found in the trail`(number: Int64) async throws {
        let world = try await world()
        let anchor = try await anchor(world, number)
        for anchors in [[anchor], [try hashAlone(anchor)], [anchor, anchor, try hashAlone(anchor)]] {
            let verification = try await world.service.verifyAudit(anchors: anchors)
            #expect(verification.finding == .intact && verification.head?.sequence == 40)
        }
    }

    @Test func `a head of another trail is reported`() async throws {
        let (world, other) = (try await world(), try World())
        try await write(50, to: other.store, from: 1_000_000)
        let differs = try await anchor(other, 7)
        let beyond = try await anchor(other, 45)
        #expect(
            try await world.service.verifyAudit(anchors: [differs]).finding == .anchorDiffers(sequence: 7))
        #expect(try await world.service.verifyAudit(anchors: [try hashAlone(differs)]).finding == .anchorUnknown)
        #expect(
            try await world.service.verifyAudit(anchors: [beyond]).finding == .anchorAfterEnd(sequence: 45))
    }

    @Test func `verification starts at the requested record`() async throws {
        let world = try await world()
        for first in [1, 2, 20, 40] as [Int64] {
            let verification = try await world.service.verifyAudit(from: first)
            #expect(verification.first == first && verification.head?.sequence == 40)
            #expect(verification.finding == .intact)
        }
        #expect(
            try await world.service.verifyAudit(from: 41) == AuditVerification(first: 41, head: nil, finding: .intact))
        #expect(try await world.service.verifyAudit(from: 42).finding == .endsEarlier(sequence: 40))
        #expect(
            try await world.service.verifyAudit(from: 20, anchors: [anchor(world, 19)]).finding == .intact,
            "what the first one stands on can be compared")
        #expect(
            try await world.service.verifyAudit(from: 20, anchors: [anchor(world, 18)]).finding
                == .anchorBeforeStart(sequence: 18))
    }

    @Test func `a shortened trail verifies from its first record`() async throws {
        let world = try await world(2100)
        let kept = [
            try await anchor(world, 1000), try await anchor(world, 1023), try await anchor(world, 1024),
            try await anchor(world, 2000),
        ]
        _ = try await world.store.write { (transaction) throws(AccountError) in
            try transaction.dropAuditRecords(before: 1024)
        }
        func finding(_ anchors: [AuditAnchor]) async throws -> AuditVerification.Finding {
            try await world.service.verifyAudit(anchors: anchors).finding
        }
        #expect(try await world.service.verifyAudit().first == 1024)
        #expect(try await finding(Array(kept[1...])) == .intact, "the hash before the first record can match too")
        #expect(try await finding([kept[0]]) == .anchorBeforeStart(sequence: 1000))
        #expect(try await world.service.verifyAudit(from: 5).first == 1024)
    }

    @Test func `a segment dropped during the verification does not count as a break`() async throws {
        let world = try await world(2100)
        let store = world.store
        // Interrupts the verification, like another process between two of its transactions.
        let reader = InterruptedStore(store) { (count) async in
            guard count == 3 else { return }
            _ = try? await store.write { (transaction) throws(AccountError) in
                try transaction.dropAuditRecords(before: 2048)
            }
        }
        let key = try #require(StoreKey(Secret(String(repeating: "k", count: 32))))
        let service = AccountService(
            store: reader, hasher: world.hasher, mailer: world.mailer, clock: world.clock, random: .system, key: key)
        let verification = try await service.verifyAudit()
        #expect(verification.finding == .intact && verification.first == 2048)
        #expect(verification.head?.sequence == 2102)
    }

    /// S-103: the limits of a hash chain.
    @Test func `a completely rewritten chain is intact, but does not match a saved head`() async throws {
        let world = try World()
        try await world.create("ada")
        for _ in 0..<3 { _ = await world.failure(signingIn: "ada", "wrong") }
        _ = try await world.signIn("ada")
        let end = try #require(try await world.service.auditEnd())
        let kept = AuditAnchor(AuditHead(sequence: end.sequence, hash: end.hash))
        #expect(try await world.service.verifyAudit(anchors: [kept]).finding == .intact)

        // An attacker who owns the file omits the failures and recomputes every hash.
        let trail = try await world.trail().filter { $0.event != .loginFailed }
        let forged = MemoryAccountStore(storeID: Array(0..<16))
        try await forged.write { (transaction) throws(AccountError) in
            var chain = AuditChain(storeID: try transaction.storeID)
            for (index, old) in trail.enumerated() {
                let record = AuditRecord(
                    sequence: Int64(index + 1), time: old.time, name: old.name, account: old.account,
                    actor: old.actor, requestID: old.requestID, reason: "", context: old.context)
                try transaction.append(record, hash: chain.add(record))
            }
            if let head = chain.head { try transaction.setSeal(World.key.seal(of: head, [])) }
        }
        let service = try World(store: forged).service
        #expect(try await service.verifyAudit().finding == .intact)
        #expect(try await service.verifyAudit(anchors: [kept]).finding != .intact)
        #expect(
            try await service.verifyAudit(anchors: [try hashAlone(kept)]).finding == .anchorUnknown)
    }

    @Test(arguments: [
        ("12 " + String(repeating: "0a", count: 32) + " 2026-01-02T03:04:05.678Z", true),
        (String(repeating: "0A", count: 32), true), ("", false), ("12", false),
        ("0 " + String(repeating: "0a", count: 32), false), ("-1 " + String(repeating: "0a", count: 32), false),
        ("x " + String(repeating: "0a", count: 32), false), (String(repeating: "0a", count: 31), false),
        ("1 2 3 " + String(repeating: "0a", count: 32), false), (String(repeating: "0g", count: 32), false),
    ])
    func `only a head in the printed format is parsed`(line: String, isOne: Bool) {
        #expect((AuditAnchor(line) != nil) == isOne)
    }
}

/// A store that runs a hook before each read.
private struct InterruptedStore: AccountStore {
    private let store: MemoryAccountStore
    private let interruption: @Sendable (Int) async -> Void
    private let reads = Locked(0)

    init(_ store: MemoryAccountStore, _ interruption: @escaping @Sendable (Int) async -> Void) {
        self.store = store
        self.interruption = interruption
    }

    func write<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result { try await store.write(body) }

    func seal<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result { try await store.write(body) }

    var sealsAtOnce: Bool { true }

    func read<Result: Sendable>(
        _ body: @Sendable (any StoreTransaction) throws(AccountError) -> Result
    ) async throws(AccountError) -> Result {
        let count = reads.withLock { count in
            count += 1
            return count
        }
        await interruption(count)
        return try await store.read(body)
    }
}
