import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

/// A login rehashes a password whose hash is outdated.
@Suite(.timeLimit(.minutes(60)))
struct RehashTests {
    private func world(
        _ stored: PasswordHash, rehash: RehashPolicy = .upwards, responseDelay: ResponseDelay = .none
    ) async throws -> (World, Account) {
        let world = try World(settings: AccountSettings(rehash: rehash), responseDelay: responseDelay)
        let account = try await world.create("ada")
        try await world.edit(account.id) { $0.passwordHash = stored }
        return (world, account)
    }

    private static let other = FakePasswordHasher.other(Secret(World.password))

    private func stored(_ world: World, _ account: Account) async throws -> PasswordHash? {
        try await world.service.account(.id(account.id)).passwordHash
    }

    /// S-28, S-29.
    @Test func `a login rehashes a password with another scheme`() async throws {
        let (world, account) = try await world(Self.other)
        let signIn = try await world.signIn("ada")
        let after = try await stored(world, account)
        let renewed = try #require(after)
        #expect(renewed.phc.hasPrefix("fake$"))
        #expect(renewed.milliseconds == 100)
        #expect(try await world.service.session(for: signIn.token).account.id == account.id)
        world.hasher.forgetWork()
        _ = try await world.signIn("ada")
        #expect(world.hasher.work == [.verify(decoy: false)])
        #expect(try await stored(world, account)?.phc == renewed.phc)
    }

    @Test func `a login parses the stored hash only once`() async throws {
        let (world, _) = try await world(Self.other)
        world.hasher.forgetWork()
        _ = try await world.signIn("ada")
        #expect(world.hasher.work == [.verify(decoy: false), .hash])
        #expect(world.hasher.parsed == 1)
    }

    /// S-28.
    @Test func `a failed login does not rehash`() async throws {
        let (world, account) = try await world(Self.other)
        #expect(await world.failure(signingIn: "ada", "wrong password") == .wrongCredentials)
        #expect(try await stored(world, account)?.phc == Self.other.phc)
    }

    /// S-28.
    @Test(arguments: [(RehashPolicy.never, "other", false), (.upwards, "stronger", false), (.always, "stronger", true)])
    func `the policy determines whether a more expensive hash is replaced`(
        rehash: RehashPolicy, scheme: String, isRenewed: Bool
    ) async throws {
        let hash = PasswordHash(phc: Self.other.phc.replacing("other", with: scheme, maxReplacements: 1))
        let (world, account) = try await world(hash, rehash: rehash)
        _ = try await world.signIn("ada")
        #expect(try await stored(world, account)?.phc.hasPrefix("fake$") == isRenewed)
    }

    /// S-30.
    @Test func `a password that matches only because its scheme truncates it is not rehashed`() async throws {
        let cut = FakePasswordHasher.other(Secret(World.password), cuttingAt: World.password.utf8.count - 1)
        let (world, account) = try await world(cut)
        _ = try await world.signIn("ada")
        #expect(try await stored(world, account)?.phc == cut.phc)
    }

    /// S-28.
    @Test func `a password changed between verification and rehash is not overwritten`() async throws {
        let (world, account) = try await world(Self.other)
        world.hasher.interrupt { [store = world.store] work in
            guard work == .hash else { return }
            _ = try? await store.write { (transaction) throws(AccountError) in
                guard var account = try transaction.account(.id(account.id)) else { throw .noSuchAccount }
                account.passwordHash = PasswordHash(phc: "fake$9$changed")
                account.passwordGeneration += 1
                try transaction.update(account)
            }
        }
        _ = try await world.signIn("ada")
        #expect(try await stored(world, account)?.phc == "fake$9$changed")
        #expect(try await world.events(after: 1) == ["authn_login_success", "session_created"])
    }

    /// S-28.
    @Test func `an account deleted before the rehash stays deleted`() async throws {
        let (world, account) = try await world(Self.other)
        world.hasher.interrupt { [store = world.store] work in
            guard work == .hash else { return }
            _ = try? await store.write { (transaction) throws(AccountError) in
                try transaction.deleteAccount(account.id)
            }
        }
        _ = try await world.signIn("ada")
        #expect(try await world.service.hasAccounts() == false)
    }

    /// S-28.
    @Test func `after a failed rehash the login still succeeds, and the failure is recorded`() async throws {
        let (world, account) = try await world(Self.other)
        world.store.fail { $0 == .replaceHash ? .full : nil }
        let signIn = try await world.signIn("ada")
        #expect(try await world.service.session(for: signIn.token).account.id == account.id)
        #expect(try await stored(world, account)?.phc == Self.other.phc)
        #expect(
            try await world.events(after: 1) == [
                "authn_login_success", "session_created", "authn_rehash_fail/store_failed",
            ])
    }

    /// S-28.
    @Test func `without a free thread for the rehash the login still succeeds`() async throws {
        let (world, _) = try await world(Self.other)
        world.hasher.interrupt { [hasher = world.hasher] work in
            if work == .verify(decoy: false) { hasher.fail(.overloaded) }
        }
        _ = try await world.signIn("ada")
        #expect(
            try await world.events(after: 1) == [
                "authn_login_success", "session_created", "authn_rehash_fail/not_judged",
            ])
    }

    /// S-28.
    @Test func `two concurrent logins succeed and leave one valid hash`() async throws {
        let (world, account) = try await world(Self.other)
        async let first = world.signIn("ada")
        async let second = world.signIn("ada")
        let tokens = try await [first.token, second.token]
        for token in tokens { #expect(try await world.service.session(for: token).account.id == account.id) }
        #expect(try await stored(world, account)?.phc.hasPrefix("fake$") == true)
        _ = try await world.signIn("ada")
    }

    /// S-28: a login succeeds even if another login has just replaced its hash.
    @Test func `a concurrent rehash during a login does not count as a password change`() async throws {
        let (world, account) = try await world(Self.other)
        let renewed = try await world.hasher.hash(Secret(World.password))
        world.hasher.interrupt { [store = world.store] work in
            guard work == .verify(decoy: false) else { return }
            _ = try? await store.write { (transaction) throws(AccountError) in
                try transaction.replaceHash(of: account.id, Self.other, by: renewed)
            }
        }
        _ = try await world.signIn("ada")
        #expect(try await stored(world, account)?.phc == renewed.phc)
    }

    // MARK: Imported hashes

    /// S-29.
    @Test func `an account can be created with an imported hash`() async throws {
        let world = try World()
        let hash = try #require(PasswordHash(imported: Secret(Self.other.phc)))
        var draft = AccountDraft(username: "ada", email: "ada@example.org", password: nil)
        draft.passwordHash = hash
        let account = try await world.service.create(draft, by: .owner)
        #expect(try await stored(world, account)?.milliseconds == 774)
        _ = try await world.signIn("ada")
    }

    /// S-29.
    @Test(arguments: ["!", "*", "", "!locked", "*LK*"])
    func `a marker for a disabled password does not match the empty password`(text: String) async throws {
        let world = try World()
        var draft = AccountDraft(username: "ada", email: "ada@example.org", password: nil)
        draft.passwordHash = PasswordHash(imported: Secret(text))
        let account = try await world.service.create(draft, by: .owner)
        #expect(account.passwordHash == nil)
        for password in ["", text] { #expect(await world.failure(signingIn: "ada", password) == .wrongCredentials) }
    }

    /// S-29.
    @Test(arguments: [("unheard-of$", "password: hash_unsupported"), ("costly$", "password: hash_too_costly")])
    func `a hash that cannot be verified is refused`(text: String, refusal: String) async throws {
        let world = try World()
        var draft = AccountDraft(username: "ada", email: "ada@example.org", password: nil)
        draft.passwordHash = PasswordHash(imported: Secret(text))
        let failure = await world.failure { () async throws(AccountError) in
            _ = try await world.service.create(draft, by: .owner)
        }
        #expect(failure?.refusals == [refusal])
        #expect(try await world.service.hasAccounts() == false)
    }
}
