import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct SignInTests {
    @Test(arguments: ["ada", "ADA", "ada@example.org", "Ada@EXAMPLE.org"])
    func `the correct password works with the ID, the username or the address`(name: String) async throws {
        let world = try World()
        let account = try await world.create("ada")
        let signIn = try await world.signIn(name)
        #expect(signIn.account.id == account.id)
        #expect(!signIn.mustChangePassword)
        #expect(signIn.session.scope == .full)
        #expect(try await world.service.session(for: signIn.token).account.id == account.id)
        #expect(try await world.events(after: 1) == ["authn_login_success", "session_created"])
        _ = try await world.signIn(account.id.text)
    }

    /// `login --batch` verifies credentials without starting sessions.
    @Test func `verifying credentials books and records the attempt, but starts no session`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        _ = await world.failure(signingIn: "ada", "wrong password")
        #expect(
            try await world.service.verifyCredentials(identifier: "ada", password: Secret(World.password)).id
                == account.id)
        #expect(
            try await world.events(after: 1)
                == ["authn_login_fail/wrong_password", "authn_login_successafterfail/failures:1"])
        #expect(try await world.sessions(of: account.id).isEmpty)
        #expect(try await world.failures(in: .account(account.id)) == nil)
        for number in 1...5 {
            let failure = await world.failure { () async throws(AccountError) in
                _ = try await world.service.verifyCredentials(identifier: "ada", password: Secret("wrong password"))
            }
            #expect((failure == .wrongCredentials) == (number < 5))
        }
    }

    /// S-74.
    @Test(arguments: [("", "", ""), ("", "/dev/pts/3", "/dev/pts/3"), ("192.0.2.1", "Firefox", "Firefox, 192.0.2.1")])
    func `a session shows its device and address`(source: String, terminal: String, expected: String) async throws {
        let world = try World(source: source, terminal: terminal)
        try await world.create("ada")
        #expect(try await world.signIn("ada").session.source == expected)
    }

    /// S-12, S-13.
    @Test func `equivalent spellings of a password are equal after preparation`() async throws {
        let world = try World()
        try await world.create("ada", password: "cafe\u{301}\u{3000}au lait")
        _ = try await world.signIn("ada", "caf\u{E9} au lait")
        #expect(await world.failure(signingIn: "ada", "CAFÉ AU LAIT") == .wrongCredentials)
    }

    @Test func `an account that must change its password gets a limited session`() async throws {
        let world = try World()
        try await world.create("ada", mustChangePassword: true)
        let signIn = try await world.signIn("ada")
        #expect(signIn.mustChangePassword)
        #expect(signIn.session.scope == .changePassword)
    }

    /// S-2.
    /// S-12.
    @Test func `an older password that the current policy refuses still works`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let old = try await world.hasher.hash(Secret("old\u{1}"))
        try await world.edit(account.id) { $0.passwordHash = old }
        #expect(try await world.signIn("ada", "old\u{1}").account.id == account.id)
    }

    @Test func `the correct password of a disabled account fails`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        try await world.edit(account.id) { $0.state = .disabled }
        #expect(await world.failure(signingIn: "ada") == .wrongCredentials)
        #expect(try await world.events(after: 1) == ["authn_login_fail/disabled"])
    }

    @Test func `an empty password never matches, even if its hash is stored`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let empty = try await world.hasher.hash(Secret(""))
        try await world.edit(account.id) { $0.passwordHash = empty }
        #expect(await world.failure(signingIn: "ada", "") == .wrongCredentials)
        #expect(await world.failure(signingIn: "ada", nil) == .wrongCredentials)
    }

    /// S-14.
    @Test func `two passwords that are not UTF-8 never match each other`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let bytes: [UInt8] = [0xFF, 0xFE, 0xFD]
        let stored = try await world.hasher.hash(Secret(copying: bytes.span))
        try await world.edit(account.id) { $0.passwordHash = stored }
        let failure = await world.failure { () async throws(AccountError) in
            _ = try await world.service.authenticate(identifier: "ada", password: Secret(copying: bytes.span))
        }
        #expect(failure == .wrongCredentials)
    }

    @Test(arguments: [HashError.overloaded, .outOfMemory, .noRandomness], ["ada", "ghost"])
    func `an attempt that could not be verified is not counted, and reveals no account`(
        error: HashError, name: String
    ) async throws {
        let world = try World()
        try await world.create("ada")
        world.hasher.fail(error)
        let expected: AccountError =
            switch error {
            case .overloaded: .overloaded
            case .noRandomness: .noRandomness
            default: .outOfMemory
            }
        for _ in 0..<20 { #expect(await world.failure(signingIn: name) == expected) }
        world.hasher.fail(nil)
        #expect(await world.failure(signingIn: name, "wrong password") == .wrongCredentials)
    }

    @Test(arguments: ["disabled", "password", "deleted"])
    func `a login fails if the account changed during the verification`(change: String) async throws {
        let world = try World()
        let account = try await world.create("ada")
        world.hasher.interrupt { [store = world.store] _ in
            _ = try? await store.write { (transaction) throws(AccountError) in
                guard change != "deleted" else {
                    _ = try transaction.deleteAccount(account.id)
                    return
                }
                var account = account
                if change == "disabled" { account.state = .disabled }
                if change == "password" {
                    account.passwordHash = PasswordHash(phc: "fake$9$other")
                    account.passwordGeneration += 1
                }
                try transaction.update(account)
            }
        }
        #expect(await world.failure(signingIn: "ada") == .wrongCredentials)
        #expect(try await world.sessions(of: account.id).isEmpty)
        #expect(try await world.events(after: 1) == ["authn_login_fail/changed_meanwhile"])
    }

    @Test func `without random bytes, no login succeeds`() async throws {
        let store = MemoryAccountStore()
        try await World(store: store).create("ada")
        let world = try World(random: .exhausted, store: store)
        #expect(await world.failure(signingIn: "ada") == .noRandomness)
    }
}
