import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// S-37: the work of a failed login depends on the input and on the store, but not on the account's hash.
@Suite(.timeLimit(.minutes(60)))
struct EqualWorkTests {
    /// A password whose accent may be decomposed. As strings, both are equal.
    private enum Spelling: CaseIterable {
        case composed, decomposed

        var text: String { self == .composed ? EqualWorkTests.composed : EqualWorkTests.decomposed }
    }

    private static let composed = "caf\u{E9} au lait"
    private static let decomposed = "cafe\u{301} au lait"
    /// Hashes of the fake hasher, which estimates a new one at 100 ms, and their milliseconds.
    private static let hashes = [
        PasswordHash(phc: "cheap$0$x", milliseconds: 1), PasswordHash(phc: "fake$0$x", milliseconds: 100),
        PasswordHash(phc: "stronger$0$x", milliseconds: 700), PasswordHash(phc: "other$0$x", milliseconds: 774),
        FakePasswordHasher.unsupported,
    ]

    /// The work of a failed login, in a store whose slowest hash is `slowest`.
    private func work(
        _ name: String, _ password: String, stored: PasswordHash?, slowest: PasswordHash?
    ) async throws -> (work: [FakePasswordHasher.Work], milliseconds: Int) {
        let world = try World()
        let account = try await world.create("ada")
        if let stored { try await world.edit(account.id) { $0.passwordHash = stored } }
        if let slowest {
            let other = try await world.create("other")
            try await world.edit(other.id) { $0.passwordHash = slowest }
        }
        world.hasher.forgetWork()
        #expect(await world.failure(signingIn: name, password) == .wrongCredentials)
        let work = world.hasher.work
        let milliseconds = work.map { work in
            switch work {
            case .verify(let isDecoy): isDecoy ? 100 : stored?.milliseconds ?? 100
            case .filler(let milliseconds): milliseconds
            case .hash: 100
            }
        }
        return (work, milliseconds.reduce(0, +))
    }

    @Test(arguments: hashes, [nil, hashes[2], hashes[3]])
    func `an account costs as much as an unknown name`(stored: PasswordHash, slowest: PasswordHash?) async throws {
        let unknown = try await work("ghost", "wrong password", stored: stored, slowest: slowest)
        let known = try await work("ada", "wrong password", stored: stored, slowest: slowest)
        let most = max(slowest?.milliseconds ?? 100, stored.milliseconds, 100)
        #expect(known.milliseconds == most && unknown.milliseconds == most, "\(unknown.work) \(known.work)")
    }

    @Test func `a store with hashes of one cost verifies one hash, and a success verifies no more`() async throws {
        #expect(try await work("ada", "wrong password", stored: nil, slowest: nil).work == [.verify(decoy: false)])
        #expect(try await work("ghost", "wrong password", stored: nil, slowest: nil).work == [.verify(decoy: true)])
        let world = try World()
        try await world.create("ada")
        let other = try await world.create("other")
        try await world.edit(other.id) { $0.passwordHash = Self.hashes[3] }
        world.hasher.forgetWork()
        _ = try await world.signIn("ada")
        #expect(world.hasher.work == [.verify(decoy: false)])
    }

    @Test func `a damaged estimate does not keep the hasher busy`() async throws {
        let damaged = PasswordHash(phc: "other$0$x", milliseconds: 3_600_000)
        #expect(try await work("ghost", "wrong password", stored: nil, slowest: damaged).milliseconds == 5000)
    }

    // MARK: Passwords that are not in normal form

    @Test(arguments: Spelling.allCases, Spelling.allCases)
    private func `typed bytes that differ from their normal form cost two hashes`(
        typed: Spelling, hashed: Spelling
    ) async throws {
        let world = try World()
        let account = try await world.create("ada")
        try await world.edit(account.id) { $0.passwordHash = FakePasswordHasher.other(Secret(hashed.text)) }
        func verified(_ name: String, _ password: String) async -> (isRight: Bool, hashes: Int) {
            world.hasher.forgetWork()
            let failure = await world.failure(signingIn: name, password)
            let hashes = world.hasher.work.count { if case .verify = $0 { true } else { false } }
            return (failure == nil, hashes)
        }
        let expected = typed == .composed ? 1 : 2
        for (name, password) in [("ghost", typed.text), ("ada", typed.text + "!")] {
            let (isRight, hashes) = await verified(name, password)
            #expect(!isRight && hashes == expected, "\(name)")
        }
        let (isRight, hashes) = await verified("ada", typed.text)
        // The normal form of each spelling is the composed one.
        #expect(isRight == (hashed == .composed || hashed == typed))
        #expect(hashes == expected, "whatever the first result is")
    }

    @Test(arguments: [RehashPolicy.upwards, .always, .never])
    func `a login rehashes the normal form, whatever the scheme`(policy: RehashPolicy) async throws {
        let world = try World(settings: AccountSettings(rehash: policy))
        let account = try await world.create("ada")
        let imported = FakePasswordHasher.other(Secret(Self.decomposed))
        let current = PasswordHash(
            phc: imported.phc.replacing("other$0", with: "fake$0", maxReplacements: 1), milliseconds: 100)
        try await world.edit(account.id) { $0.passwordHash = current }
        _ = try await world.signIn("ada", Self.decomposed)
        let isRehashed = policy != .never
        #expect((await world.failure(signingIn: "ada", Self.composed) == nil) == isRehashed)
        #expect(try await world.service.account(.id(account.id)).passwordHash?.phc != current.phc || !isRehashed)
        #expect(await world.failure(signingIn: "ada", Self.decomposed) == nil)
    }

    @Test func `the owner can confirm and change such a password`() async throws {
        let world = try World(settings: AccountSettings(rehash: .never))
        let account = try await world.create("ada")
        try await world.edit(account.id) { $0.passwordHash = FakePasswordHasher.other(Secret(Self.decomposed)) }
        let signIn = try await world.signIn("ada", Self.decomposed)
        let again = try await world.service.reauthenticate(token: signIn.token, password: Secret(Self.decomposed))
        _ = try await world.service.changePassword(
            token: again.token, current: Secret(Self.decomposed), new: Secret("another long password"))
        _ = try await world.signIn("ada", "another long password")
    }
}
