import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct SigningKeyTests {
    private func add(
        in world: World, after delay: Duration = .zero, onlyIfMissing: Bool = false
    ) async throws -> SigningKeyRecord? {
        let key = NewSigningKey(algorithm: .rs256, publicKey: [1, 2], privateKey: Secret("a private key"))
        return try await world.service.addSigningKey(
            key, activeAfter: delay, onlyIfMissing: onlyIfMissing, by: .operatingSystemUser(0))
    }

    private func keys(in world: World) async throws -> (signing: [String], published: [String]) {
        let now = world.clock.now()
        let all = try await world.service.signingKeys()
        return (all.filter { $0.signs(at: now) }.map(\.id), all.filter { $0.isPublished(at: now) }.map(\.id))
    }

    /// S-220.
    @Test func `a new key is published for a day before it signs, and the old one for a day after it`() async throws {
        let world = try World()
        let old = try #require(try await add(in: world)).id
        let new = try #require(try await add(in: world, after: SigningKeyRecord.publication)).id
        #expect(try await keys(in: world) == ([old], [old, new]))
        world.clock.advance(by: SigningKeyRecord.publication)
        #expect(try await keys(in: world) == ([new], [old, new]))
        world.clock.advance(by: SigningKeyRecord.publication)
        #expect(try await keys(in: world) == ([new], [new]))
        #expect(try await world.service.signingKeys().count == 2, "it verifies hints for a year")
        world.clock.advance(by: .seconds(366 * 86400))
        _ = try await world.service.maintain(by: .owner)
        #expect(try await world.service.signingKeys().map(\.id) == [new])
    }

    @Test func `a key that waits is not replaced by another one, and no ID begins like a flag`() async throws {
        let world = try World()
        var ids: [String] = []
        for _ in 0..<200 { ids.append(try #require(try await add(in: world)).id) }
        #expect(ids.allSatisfy { $0.count == 22 && $0.first?.isLetter == true })
        let key = NewSigningKey(algorithm: .rs256, publicKey: [1, 2], privateKey: Secret("a private key"))
        for isFirst in [true, false] {
            let added = try await world.service.addSigningKey(
                key, activeAfter: SigningKeyRecord.publication, unlessWaiting: true, by: .owner)
            #expect((added != nil) == isFirst)
        }
    }

    /// S-220.
    @Test func `the old key signs on if the one that waits is withdrawn, until the next one signs`() async throws {
        let world = try World()
        let old = try #require(try await add(in: world)).id
        let withdrawn = try #require(try await add(in: world, after: SigningKeyRecord.publication)).id
        #expect(try await world.service.retireSigningKey(withdrawn, by: .owner))
        #expect(try await world.service.signingKeys().first { $0.id == old }?.retiredAt == nil)
        world.clock.advance(by: .seconds(3600))
        let new = try #require(try await add(in: world, after: SigningKeyRecord.publication))
        #expect(try await world.service.signingKeys().first { $0.id == old }?.retiredAt == new.activeAt)
        world.clock.advance(by: SigningKeyRecord.publication)
        #expect(try await keys(in: world).signing == [new.id])
    }

    @Test func `a withdrawn key neither signs nor is published`() async throws {
        let world = try World()
        let key = try #require(try await add(in: world)).id
        #expect(try await add(in: world, onlyIfMissing: true) == nil)
        #expect(try await world.service.retireSigningKey(key, by: .owner))
        #expect(try await !world.service.retireSigningKey(key, by: .owner))
        #expect(try await keys(in: world) == ([], []))
        #expect(try await add(in: world, onlyIfMissing: true) != nil)
    }

    /// S-220.
    @Test func `the private half is sealed, and a rotation of the sealing keys seals it again`() async throws {
        let sealing = MemorySealingKeys()
        let world = try World(sealing: sealing)
        let record = try #require(try await add(in: world))
        #expect(!String(reflecting: record).contains("a private key"))
        #expect(try world.service.privateKey(of: record).text == "a private key")
        let first = try await world.service.addSealingKey(by: .owner)
        let second = try await world.service.addSealingKey(by: .owner)
        _ = try await world.service.rotateSealingKeys(by: .owner)
        let resealed = try #require(try await world.service.signingKeys().first)
        #expect(try world.service.privateKey(of: resealed).text == "a private key")
        #expect(try await world.service.sealingStatus().keys.map(\.references) == [0, 1])
        try await world.service.retireSealingKey(first, by: .owner)
        sealing.forget(second)
        #expect(throws: AccountError.store(.sealingKeysMissing([second.text]))) {
            try world.service.privateKey(of: resealed)
        }
    }
}
