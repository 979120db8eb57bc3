import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// S-181: rows that a thief of the database has planted or changed, without the store's key.
@Suite(.timeLimit(.minutes(60)))
struct TaggedRowTests {
    private let world: World

    init() throws { world = try World() }

    /// Replaces a session, with the tag that it has.
    private func replace(_ digest: SessionDigest, by change: @Sendable (Session) -> Session) async throws {
        try await world.store.write { (transaction) throws(AccountError) in
            guard let stored = try transaction.session(digest) else { throw .noSession }
            try transaction.deleteSession(digest)
            var changed = change(stored)
            if changed.tag.isEmpty { changed.tag = stored.tag }
            try transaction.insert(changed)
        }
    }

    private static func copy(
        of session: Session, account: AccountID? = nil, scope: Session.Scope? = nil, createdAt: Timestamp? = nil,
        lastUsedAt: Timestamp? = nil, authenticatedAt: Timestamp? = nil, methods: AuthenticationMethods? = nil
    ) -> Session {
        Session(
            digest: session.digest, account: account ?? session.account, scope: scope ?? session.scope,
            createdAt: createdAt ?? session.createdAt, lastUsedAt: lastUsedAt ?? session.lastUsedAt,
            authenticatedAt: authenticatedAt ?? session.authenticatedAt, methods: methods ?? session.methods,
            source: session.source)
    }

    @Test func `a session that another program has changed is refused and recorded`() async throws {
        let eve = try await world.create("eve", mustChangePassword: true)
        let ada = try await world.create("ada")
        let later = world.clock.now().advanced(by: .seconds(60))
        let changes: [@Sendable (Session) -> Session] = [
            { Self.copy(of: $0, account: ada.id) }, { Self.copy(of: $0, scope: .full) },
            { Self.copy(of: $0, createdAt: later) }, { Self.copy(of: $0, lastUsedAt: later) },
            { Self.copy(of: $0, authenticatedAt: later) }, { Self.copy(of: $0, methods: .passkey) },
            { session in
                var session = session
                session.tag = Array(repeating: 0, count: 32)
                return session
            },
        ]
        for (number, change) in changes.enumerated() {
            let signIn = try await world.signIn("eve")
            _ = try await world.service.session(for: signIn.token)
            let before = try await world.trail().count
            try await replace(signIn.session.digest, by: change)
            await #expect(throws: AccountError.noSession, "\(number)") {
                try await world.service.session(for: signIn.token)
            }
            let recorded = try await world.trail().dropFirst(before)
            #expect(recorded.map(\.event) == [.rowRefused] && recorded.first?.reason == "session", "\(number)")
            #expect(recorded.first?.account == (number == 0 ? ada.id : eve.id))
            #expect(try await !world.service.endSession(token: signIn.token))
            #expect(try await world.service.sessions(of: .id(ada.id)).isEmpty)
            _ = try await world.service.endSessions(.all, of: .id(eve.id), by: .owner)
        }
        // What is not power may change.
        let signIn = try await world.signIn("eve")
        world.clock.advance(by: .seconds(120))
        let used = try await world.service.session(for: signIn.token)
        #expect(used.session.lastUsedAt == world.clock.now())
        _ = try await world.service.session(for: signIn.token)
    }

    @Test func `a device that another program has moved to another account is unknown there`() async throws {
        let eve = try await world.create("eve")
        let ada = try await world.create("ada")
        let login = world.service.on(.new)
        let token = try #require(
            try await login.authenticate(identifier: "eve", password: Secret(World.password)).device)
        let digest = World.key.lookupKey(of: token.withBytes { SHA256Digest.of($0) })
        #expect(try await world.service.on(.token(token)).accountOfDevice() == eve.id)
        try await world.store.write { (transaction) throws(AccountError) in
            guard let stored = try transaction.device(digest) else { throw .noSession }
            var moved = KnownDevice(digest: digest, account: ada.id, lastUsedAt: stored.lastUsedAt)
            moved.tag = stored.tag
            try transaction.setDevice(moved)
        }
        #expect(try await world.service.on(.token(token)).accountOfDevice() == nil)
        #expect(try await world.events().last == "crypt_row_refused/device")
    }

    @Test func `an operator token with more scopes than it was given is refused`() async throws {
        let created = try await world.service.createToken(
            "ci", scopes: [.readAccounts], lifetime: .seconds(60), by: .owner)
        let (token, text) = try #require(created)
        #expect(try await world.service.operatorToken(for: text).scopes == [.readAccounts])
        for (scopes, expiresAt) in [
            (Set(OperatorToken.Scope.allCases), token.expiresAt), ([.readAccounts], nil),
        ] as [(Set<OperatorToken.Scope>, Timestamp?)] {
            try await world.store.write { (transaction) throws(AccountError) in
                _ = try transaction.deleteOperatorToken(token.digest)
                var changed = OperatorToken(
                    digest: token.digest, name: token.name, scopes: scopes, createdAt: token.createdAt,
                    expiresAt: expiresAt)
                changed.tag = token.tag
                try transaction.insert(changed)
            }
            await #expect(throws: AccountError.noSession) { try await world.service.operatorToken(for: text) }
            #expect(try await world.events().last == "crypt_row_refused/operator_token")
        }
    }

    @Test func `a pending login that was moved to another account cannot be finished`() async throws {
        let (_, phone, _) = try await world.createWithFactor("eve")
        let (ada, _, _) = try await world.createWithFactor("ada")
        let challenge = try await world.challenge(signingIn: "eve")
        let digest = World.key.lookupKey(of: challenge.token.withBytes { SHA256Digest.of($0) })
        try await world.store.write { (transaction) throws(AccountError) in
            guard let stored = try transaction.pendingLogin(digest) else { throw .noSession }
            try transaction.deletePendingLogin(digest)
            var moved = PendingLogin(
                digest: digest, account: ada.id, network: stored.network,
                passwordGeneration: stored.passwordGeneration, createdAt: stored.createdAt,
                expiresAt: stored.expiresAt, purpose: stored.purpose)
            moved.tag = stored.tag
            try transaction.insert(moved)
        }
        #expect(try await world.service.account(ofPending: challenge.token) == nil)
        #expect(try await world.events().last == "crypt_row_refused/pending_login")
        let finished = try? await world.finish(challenge, phone.code(world.clock))
        #expect(finished == nil)
    }

    @Test func `a passkey that was moved or whose counter was reset opens nothing, but counts as a factor`()
        async throws
    {
        let (_, key, _) = try await world.createWithPasskey("eve", 1)
        let ada = try await world.create("ada")
        _ = try await world.signIn(with: key)
        let eve = try await world.service.account(try #require(AccountLookup("eve"))).id
        let stored = try #require(try await world.service.factors(of: .id(eve)).passkeys.first)
        var credential = stored.credential
        credential.signCount &+= 7
        for (owner, credential) in [(ada.id, stored.credential), (stored.account, credential)] {
            try await world.store.write { (transaction) throws(AccountError) in
                _ = try transaction.deletePasskey(stored.credential.id)
                var planted = Passkey(credential, of: owner, named: "Planted", createdAt: stored.createdAt)
                planted.tag = stored.tag
                try transaction.insert(planted)
            }
            #expect(await world.failure(loggingInWith: key) != nil)
            #expect(try await world.events().contains("crypt_row_refused/passkey"))
        }
        // Whoever changes a row must not get rid of the factor.
        let failure = await world.failure(signingIn: "eve")
        guard case .factorRequired? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test func `fields cannot be shifted from one to the next`() {
        var texts = Set<[UInt8]>()
        for parts in [["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], ["", "abc"]] {
            var fields = RowFields()
            for part in parts { fields.append(part) }
            texts.insert(fields.bytes)
        }
        for number in [nil, 0, 1, -1] as [Int64?] {
            var fields = RowFields()
            fields.append(number)
            texts.insert(fields.bytes)
        }
        #expect(texts.count == 9)
    }
}
