import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// S-101.
@Suite(.timeLimit(.minutes(60)))
struct AuditSegmentTests {
    /// Adds `count` records to the trail.
    private func fill(_ world: World, _ count: Int) async throws {
        let trail = try world.service.newTrail(by: .owner)
        for _ in 0..<count {
            world.clock.advance(by: .seconds(1))
            try await world.service.store.write { [now = world.clock.now()] (transaction) throws(AccountError) in
                try trail.append(.userCreated, about: nil, at: now, in: transaction)
            }
        }
    }

    private func world(bytes: Int64 = 1 << 40, age: Duration = .seconds(1 << 40)) throws -> World {
        try World(settings: AccountSettings(audit: AuditLimits(bytes: bytes, age: age)))
    }

    private func rotations(_ world: World) async throws -> [AuditRow] {
        try await world.store.read { (transaction) throws(AccountError) in try transaction.auditRotations() }
    }

    @Test func `every 1024th record begins a segment and describes the closed one`() async throws {
        let world = try world()
        try await fill(world, 2100)
        let rotations = try await rotations(world)
        #expect(rotations.map(\.sequence) == [1024, 2048])
        #expect(rotations.compactMap(\.rotation?.count) == [1023, 1024])
        let before = try await world.store.read { (transaction) throws(AccountError) in
            try transaction.auditRows(after: 1022, limit: 1)
        }
        #expect(rotations[0].rotation?.lastHash == before[0].hash)
        #expect(try await world.chain().finding == .intact)
    }

    @Test func `an oversized trail loses whole segments from its start`() async throws {
        // MemoryAccountStore counts 256 bytes per record.
        let world = try world(bytes: 2 * 1024 * 256)
        try await fill(world, 10_000)
        let trail = try await world.trail()
        #expect(trail[0].event == .auditRotated)
        #expect((2048...3 * 1024 + 1).contains(trail.count))
        let verification = try await world.chain()
        #expect(verification.finding == .intact)
        #expect(verification.first == trail[0].sequence && verification.first > 1)
        #expect(verification.head?.sequence == 10_009)
    }

    @Test func `a segment that is too old is dropped`() async throws {
        let world = try world(age: .seconds(5000))
        try await fill(world, 1100)
        world.clock.advance(by: .seconds(4000))
        #expect(try await world.service.maintain(by: .owner).recordsDropped == 0)
        world.clock.advance(by: .seconds(1000))
        #expect(try await world.service.maintain(by: .owner).recordsDropped == 1023)
        let verification = try await world.chain()
        #expect(verification == AuditVerification(first: 1024, head: verification.head, finding: .intact))
    }

    @Test func `maintenance closes and drops segments by age even if few events are recorded`() async throws {
        let world = try world(age: .seconds(365 * 86400))
        for month in 0..<14 {
            try await fill(world, 3)
            world.clock.advance(by: .seconds(31 * 86400))
            let dropped = try await world.service.maintain(by: .owner).recordsDropped
            #expect((dropped == 0) == (month < 12), "\(month)")
        }
        #expect(try await world.chain().finding == .intact)
        let trail = try await world.trail()
        let oldest = try #require(trail.first)
        #expect(world.clock.now().since(oldest.time) < .seconds((365 + 62) * 86400))
        // A store without events writes nothing.
        world.clock.advance(by: .seconds(40 * 86400))
        for _ in 0..<3 { _ = try await world.service.maintain(by: .owner) }
        let quiet = try await world.trail().last
        #expect(quiet?.sequence == trail.last?.sequence)
    }

    @Test func `a failed rotation undoes its transaction`() async throws {
        let world = try world(bytes: 0)
        try await fill(world, 2046)
        let before = try await world.trail()
        for operation in [StoreOperation.auditRotations, .auditSize, .dropAudit, .appendAudit, .commit] {
            world.store.fail { $0 == operation ? .full : nil }
            let failure = await world.failure { () async throws(AccountError) in
                _ = try await world.service.create(
                    AccountDraft(username: "ada", email: "ada@example.org", password: nil), by: .owner)
            }
            world.store.fail(nil)
            #expect(failure == .store(.full), "\(operation)")
            #expect(try await world.trail() == before)
            #expect(try await world.service.accounts(after: nil, limit: 1).isEmpty)
        }
        try await world.create("ada")
        #expect(try await world.chain().finding == .intact)
    }

    @Test func `the reason of a rotation has exactly one valid encoding`() {
        let rotation = AuditRotation(count: 7, bytes: 1792, lastHash: [UInt8](repeating: 0xAB, count: 32))
        #expect(AuditRotation(rotation.text) == rotation)
        let hash = String(repeating: "ab", count: 32)
        for text in [
            "", "closed", "closed:7:1792", "closed:7:1792:" + hash + ":", "closed:7:1792:" + hash.uppercased(),
            "closed:07:1792:" + hash, "closed:+7:1792:" + hash, "closed:-7:1792:" + hash, "closed:7:x:" + hash,
            "closed:7:1792:" + hash.dropLast(2), "closed:7:1792:zz" + hash.dropLast(2), "opened:7:1792:" + hash,
            "closed:99999999999999999999:1:" + hash,
        ] {
            #expect(AuditRotation(text) == nil, "\(text)")
        }
    }
}
