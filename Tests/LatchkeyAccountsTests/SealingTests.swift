import LatchkeyAccounts
import LatchkeyProvisioning
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

/// Hashes sealed with separately stored keys.
@Suite(.timeLimit(.minutes(60)))
struct SealingTests {
    private func sealedWorld(_ names: [String] = ["ada"]) async throws -> (World, SealingKeyID) {
        let world = try World(sealing: MemorySealingKeys())
        for name in names { try await world.create(name) }
        let id = try await world.service.addSealingKey(by: .owner)
        return (world, id)
    }

    private func hash(of name: String, _ world: World) async throws -> String {
        let lookup = try #require(AccountLookup(name))
        let account = try await world.service.account(lookup)
        return try #require(account.passwordHash).phc
    }

    /// S-32.
    @Test func `a new hash is sealed once a key exists, and a rotation seals the older ones`() async throws {
        let (world, id) = try await sealedWorld()
        #expect(try await hash(of: "ada", world).hasPrefix("fake$"))
        try await world.create("grace")
        #expect(try await hash(of: "grace", world).hasPrefix("$sealed$v=1,k=\(id.text)$"))
        let (sealed, refused) = try await world.service.rotateSealingKeys(by: .owner)
        #expect((sealed, refused) == (1, 0))
        #expect(try await hash(of: "ada", world).hasPrefix("$sealed$v=1,k=\(id.text)$"))
        for name in ["ada", "grace"] {
            _ = try await world.signIn(name)
            #expect(await world.failure(signingIn: name, "wrong password") == .wrongCredentials)
        }
        #expect(try await world.service.rotateSealingKeys(by: .owner).sealed == 0)
    }

    /// S-32.
    @Test func `every way to set a password seals it`() async throws {
        let (world, _) = try await sealedWorld()
        let signIn = try await world.signIn("ada")
        _ = try await world.service.changePassword(
            token: signIn.token, current: Secret(World.password), new: Secret("another password"))
        #expect(try await hash(of: "ada", world).hasPrefix("$sealed$"))
        let code = try await world.recoveryCode(for: "ada@example.org")
        try await world.service.finishRecovery(code: code, password: Secret("a third password"))
        #expect(try await hash(of: "ada", world).hasPrefix("$sealed$"))
        _ = try await world.signIn("ada", "a third password")
    }

    /// S-32, S-29.
    @Test func `an imported hash is sealed immediately, and again when it is rehashed`()
        async throws
    {
        let (world, _) = try await sealedWorld([])
        var draft = AccountDraft(username: "ada", email: "ada@example.org", password: nil)
        draft.passwordHash = FakePasswordHasher.other(Secret(World.password))
        let account = try await world.service.create(draft, by: .owner)
        #expect(account.passwordHash?.phc.hasPrefix("$sealed$") == true)
        #expect(account.passwordHash?.milliseconds == 774)
        let before = try await hash(of: "ada", world)
        _ = try await world.signIn("ada")
        let after = try await hash(of: "ada", world)
        #expect(after.hasPrefix("$sealed$") && after != before)
        #expect(try await world.service.account(.id(account.id)).passwordHash?.milliseconds == 100)
        _ = try await world.signIn("ada")
    }

    /// S-152: simulates an intruder who can write to the database but not to the keys.
    @Test func `after a complete rotation, an unsealed hash is refused like a wrong password`() async throws {
        let keys = MemorySealingKeys()
        let world = try World(sealing: keys)
        let ada = try await world.create("ada")
        _ = try await world.service.addSealingKey(by: .owner)
        let bare = try #require(ada.passwordHash)
        _ = try await world.signIn("ada")
        try await world.edit(ada.id) { $0.passwordHash = bare }
        _ = try await world.signIn("ada")
        _ = try await world.service.rotateSealingKeys(by: .owner)
        try await world.edit(ada.id) { $0.passwordHash = bare }
        #expect(await world.failure(signingIn: "ada") == .wrongCredentials)
        #expect(try await world.events().last == "authn_hash_refused/hash_not_sealed")
        // Not even another rotation accepts it.
        #expect(try await world.service.rotateSealingKeys(by: .owner) == (0, 1))
        #expect(await world.failure(signingIn: "ada") == .wrongCredentials)
        #expect(try await world.service.exportPage(after: nil, limit: 9, withHashes: true).unopened == 1)
        // Recovery does, because it sets another hash.
        let code = try await world.recoveryCode(for: "ada@example.org")
        try await world.service.finishRecovery(code: code, password: Secret("a third password"))
        #expect(try await hash(of: "ada", world).hasPrefix("$sealed$"))
        _ = try await world.signIn("ada", "a third password")
        // An operator who restores an older copy and removes the marker also accepts it.
        try await world.edit(ada.id) { $0.passwordHash = bare }
        keys.acceptBareHashes()
        #expect(try await world.service.rotateSealingKeys(by: .owner) == (1, 0))
        _ = try await world.signIn("ada")
    }

    /// S-152: the intruder also deletes the records of the keys.
    @Test func `once every hash is sealed, no unsealed hash is stored`() async throws {
        let (world, id) = try await sealedWorld()
        _ = try await world.service.rotateSealingKeys(by: .owner)
        try await world.store.write { (transaction) throws(AccountError) in try transaction.deleteSealingKey(id) }
        let failure = await world.failure { () async throws(AccountError) in
            var draft = AccountDraft(username: "bo", email: "bo@example.org", password: nil)
            draft.passwordHash = FakePasswordHasher.other(Secret(World.password))
            _ = try await world.service.create(draft, by: .owner)
        }
        #expect(failure == .store(.noSealingKey))
        _ = try await world.signIn("ada")
    }

    /// S-152.
    @Test func `an incomplete rotation leaves unsealed hashes accepted`() async throws {
        let (world, _) = try await sealedWorld(["ada", "bo"])
        let bo = try await world.service.account(#require(AccountLookup("bo")))
        let bare = try #require(bo.passwordHash)
        try await world.edit(bo.id) { $0.passwordHash = PasswordHash(phc: "$sealed$nonsense") }
        #expect(try await world.service.rotateSealingKeys(by: .owner) == (1, 1))
        try await world.edit(bo.id) { $0.passwordHash = bare }
        _ = try await world.signIn("bo")
    }

    /// S-32.
    @Test func `a sealed hash that was moved to another account cannot be verified`() async throws {
        let (world, _) = try await sealedWorld([])
        let (ada, grace) = (try await world.create("ada"), try await world.create("grace"))
        try await world.edit(ada.id) { $0.passwordHash = grace.passwordHash }
        try await world.edit(grace.id) { $0.passwordHash = ada.passwordHash }
        for name in ["ada", "grace"] { #expect(await world.failure(signingIn: name) == .wrongCredentials) }
        #expect(try await world.trail().suffix(2).map(\.event) == [.hashRefused, .hashRefused])
    }

    /// S-32: simulates a copy of the database without its keys.
    @Test func `the database alone cannot verify passwords`() async throws {
        let (world, id) = try await sealedWorld([])
        try await world.create("ada")
        let thief = try World(store: world.store, sealing: MemorySealingKeys())
        #expect(await thief.failure(signingIn: "ada") == .store(.sealingKeysMissing([id.text])))
        #expect(try await hash(of: "ada", world).contains("fake") == false)
    }

    /// S-32.
    @Test func `a sealed hash with a flipped bit cannot be verified`() async throws {
        let (world, id) = try await sealedWorld([])
        let account = try await world.create("ada")
        let text = Array(try #require(account.passwordHash).phc.utf8)
        for index in text.indices {
            var other = text
            other[index] = text[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
            let changed = PasswordHash(phc: String(decoding: other, as: UTF8.self))
            try await world.edit(account.id) { $0.passwordHash = changed }
            world.clock.advance(by: .seconds(900))
            #expect(await world.failure(signingIn: "ada") == .wrongCredentials, "\(id) \(index)")
        }
    }

    /// S-33.
    @Test func `a key is added, rotated and retired`() async throws {
        let (world, first) = try await sealedWorld((0..<5).map { "user\($0)" })
        _ = try await world.service.rotateSealingKeys(by: .owner)
        let second = try await world.service.addSealingKey(by: .owner)
        var status = try await world.service.sealingStatus()
        #expect(status.keys.map(\.record.id) == [first, second])
        #expect(status.keys.map(\.isCurrent) == [false, true])
        #expect(status.keys.map(\.references) == [5, 0])
        #expect(await refusal(first, world) == .inUse(references: 5))
        #expect(await refusal(second, world) == .current)
        let unknown = try #require(SealingKeyID("0123456789abcdef"))
        #expect(await refusal(unknown, world) == .unknown)
        #expect(try await world.service.rotateSealingKeys(by: .owner).sealed == 5)
        #expect(await refusal(first, world) == nil)
        status = try await world.service.sealingStatus()
        #expect(status.keys.map(\.record.id) == [second])
        #expect(status.keys.map(\.references) == [5])
        #expect(status.bare == 0)
        for name in 0..<5 { _ = try await world.signIn("user\(name)") }
    }

    private func refusal(_ id: SealingKeyID, _ world: World) async -> AccountService.RetirementRefusal? {
        do throws(AccountService.RetirementRefusal) {
            try await world.service.retireSealingKey(id, by: .owner)
            return nil
        } catch {
            return error
        }
    }

    /// S-33: more accounts than a batch, and a store failure in the middle.
    @Test func `the next run completes an interrupted rotation`() async throws {
        let world = try World(sealing: MemorySealingKeys())
        for number in 0..<300 { try await world.create("user\(number)") }
        let id = try await world.service.addSealingKey(by: .owner)
        let left = Locked(280)
        world.store.fail { operation in
            guard operation == .replaceHash else { return nil }
            return left.withLock { left in
                left -= 1
                return left < 0 ? .full : nil
            }
        }
        let failure = await world.failure { () async throws(AccountError) in
            _ = try await world.service.rotateSealingKeys(by: .owner)
        }
        #expect(failure == .store(.full))
        world.store.fail(nil)
        #expect(try await world.service.sealingStatus().bare == 44)
        #expect(try await world.service.rotateSealingKeys(by: .owner).sealed == 44)
        let status = try await world.service.sealingStatus()
        #expect((status.bare, status.keys.map(\.references)) == (0, [300]))
        #expect(status.keys.map(\.record.id) == [id])
    }

    /// S-34.
    @Test func `if the key is missing, logins fail and are audited, and no unsealed hash is stored`() async throws {
        let keys = MemorySealingKeys()
        let world = try World(sealing: keys)
        let id = try await world.service.addSealingKey(by: .owner)
        let ada = try await world.create("ada")
        let bo = try await world.create("bo")
        try await world.edit(bo.id) { $0.passwordHash = FakePasswordHasher.unsupported }
        keys.forget(id)
        #expect(try await world.service.missingSealingKeys() == [id])
        let before = try await world.trail().count
        let missing = AccountError.store(.sealingKeysMissing([id.text]))
        for name in ["ada", "bo", "nobody"] { #expect(await world.failure(signingIn: name) == missing) }
        let events = try await world.events(after: before)
        #expect(events[..<2] == ["crypt_pepper_missing/key_missing", "authn_hash_refused/hash_refused"])
        #expect(events.count == 3 && events[2].hasPrefix("authn_login_fail/unknown:"))
        // Only an attempt that needed the missing key is not counted, so guessing other passwords remains slow.
        for (account, count) in [(ada, 0), (bo, 1)] {
            let failures = try await world.store.read { (transaction) throws(AccountError) in
                try transaction.failures(in: .account(account.id))
            }
            #expect((failures?.count ?? 0) == count)
        }
        // Each name is delayed after the same number of attempts.
        var tries: [String: Int] = [:]
        for name in ["ada", "bo", "nobody"] {
            while await world.failure(signingIn: name) == missing { tries[name, default: 0] += 1 }
        }
        #expect(Set(tries.values).count == 1, "\(tries)")
        let draft = AccountDraft(username: "grace", email: "grace@example.org", password: Secret(World.password))
        let failure = await world.failure { () async throws(AccountError) in
            _ = try await world.service.create(draft, by: .owner)
        }
        #expect(failure == .store(.sealingKeysMissing([id.text])))
        #expect(try await world.service.accounts(after: nil, limit: 9).count == 2)
    }

    /// S-33.
    @Test func `a rotation skips hashes that cannot be decrypted`() async throws {
        let keys = MemorySealingKeys()
        let world = try World(sealing: keys)
        let first = try await world.service.addSealingKey(by: .owner)
        try await world.create("ada")
        _ = try await world.service.addSealingKey(by: .owner)
        try await world.create("grace")
        keys.forget(first)
        let (sealed, refused) = try await world.service.rotateSealingKeys(by: .owner)
        #expect((sealed, refused) == (0, 1))
        _ = try await world.signIn("grace")
    }

    /// S-35.
    @Test func `the hash report counts hashes by scheme, parameters and key`() async throws {
        let (world, first) = try await sealedWorld(["ada", "grace", "mary"])
        var draft = AccountDraft(username: "old", email: "old@example.org", password: nil)
        draft.passwordHash = FakePasswordHasher.other(Secret(World.password))
        _ = try await world.service.create(draft, by: .owner)
        let name = try #require(AccountLookup("mary"))
        let mary = try await world.service.account(name)
        try await world.edit(mary.id) { $0.passwordHash = FakePasswordHasher.costly }
        let entries = try await world.service.hashReport().entries.map {
            "\($0.count) \($0.scheme) \($0.parameters) \($0.key?.text ?? "-") \($0.state.rawValue)"
        }
        #expect(
            entries == [
                "2 fake salt=1 - current", "1 other  \(first.text) outdated", "1 unknown  - too_costly",
            ])
    }
}
