import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

/// A hash that is not as new ones are is made anew when its owner logs in.
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
    @Test func `a hash of another scheme is made anew at the login of its owner`() async throws {
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

    /// S-28.
    @Test func `a wrong password renews nothing`() async throws {
        let (world, account) = try await world(Self.other)
        #expect(await world.failure(signingIn: "ada", "wrong password") == .wrongCredentials)
        #expect(try await stored(world, account)?.phc == Self.other.phc)
    }

    /// S-28.
    @Test(arguments: [(RehashPolicy.never, "other", false), (.upwards, "stronger", false), (.always, "stronger", true)])
    func `a dearer hash stays, and every hash where none is to be renewed`(
        rehash: RehashPolicy, scheme: String, isRenewed: Bool
    ) async throws {
        let hash = PasswordHash(phc: Self.other.phc.replacing("other", with: scheme, maxReplacements: 1))
        let (world, account) = try await world(hash, rehash: rehash)
        _ = try await world.signIn("ada")
        #expect(try await stored(world, account)?.phc.hasPrefix("fake$") == isRenewed)
    }

    /// S-30.
    @Test func `what a scheme has cut off is never made a part of the password`() async throws {
        let cut = FakePasswordHasher.other(Secret(World.password), cuttingAt: World.password.utf8.count - 1)
        let (world, account) = try await world(cut)
        _ = try await world.signIn("ada")
        #expect(try await stored(world, account)?.phc == cut.phc)
    }

    /// S-28.
    @Test func `a password that is changed between verification and renewal survives`() async throws {
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
    @Test func `an account that is deleted before the renewal stays so`() async throws {
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
    @Test func `an error in the renewal alone lets its owner in and is recorded`() async throws {
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
    @Test func `without a slot for the renewal its owner is in`() async throws {
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
    @Test func `two logins at once both succeed and leave one hash that is good`() async throws {
        let (world, account) = try await world(Self.other)
        async let first = world.signIn("ada")
        async let second = world.signIn("ada")
        let tokens = try await [first.token, second.token]
        for token in tokens { #expect(try await world.service.session(for: token).account.id == account.id) }
        #expect(try await stored(world, account)?.phc.hasPrefix("fake$") == true)
        _ = try await world.signIn("ada")
    }

    /// S-28: whoever was verified against the hash that another login has just replaced is let in.
    @Test func `a renewal between verification and admission is no change of password`() async throws {
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

    // MARK: Ready-made hashes

    /// S-29.
    @Test func `an account may be made with a hash of another program`() async throws {
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
    func `what stands for no password is none, and never the empty one`(text: String) async throws {
        let world = try World()
        var draft = AccountDraft(username: "ada", email: "ada@example.org", password: nil)
        draft.passwordHash = PasswordHash(imported: Secret(text))
        let account = try await world.service.create(draft, by: .owner)
        #expect(account.passwordHash == nil)
        for password in ["", text] { #expect(await world.failure(signingIn: "ada", password) == .wrongCredentials) }
    }

    /// S-29.
    @Test(arguments: [("unheard-of$", "password: hash_unsupported"), ("costly$", "password: hash_too_costly")])
    func `a hash that could not be verified is refused`(text: String, refusal: String) async throws {
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
