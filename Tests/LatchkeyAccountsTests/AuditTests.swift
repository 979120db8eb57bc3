import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct AuditTests {
    /// All operations that make a change and record it in the audit trail.
    enum Operation: CaseIterable {
        case create, delete, signIn, beginRecovery, finishRecovery, changePassword, endSession, expireSession, maintain
    }

    /// A world in which `operation` can succeed, and the call that performs it.
    private func prepared(
        _ operation: Operation
    ) async throws -> (World, AccountID, @Sendable () async throws(AccountError) -> Void) {
        let world = try World()
        let service = world.service
        let account = try await world.create("ada")
        let token = try await world.signIn("ada").token
        let code = try await world.recoveryCode(for: "ada@example.org")
        if [.expireSession, .maintain].contains(operation) { world.clock.advance(by: .seconds(8 * 86400)) }
        let body: @Sendable () async throws(AccountError) -> Void = { () async throws(AccountError) in
            switch operation {
            case .create:
                _ = try await service.create(
                    AccountDraft(username: "bo", email: "bo@example.org", password: nil), by: .owner)
            case .delete: try await service.delete(.id(account.id), by: .owner)
            case .signIn: _ = try await world.signIn("ada")
            case .beginRecovery: try await service.beginRecovery(email: "ada@example.org")
            case .finishRecovery: try await service.finishRecovery(code: code, password: Secret("a new password"))
            case .changePassword:
                _ = try await service.changePassword(
                    token: token, current: Secret(World.password), new: Secret("a new password"))
            case .endSession: _ = try await service.endSession(token: token)
            case .expireSession: _ = try await service.session(for: token)
            case .maintain: _ = try await service.maintain(by: .operatingSystemUser(0))
            }
        }
        return (world, account.id, body)
    }

    /// All state that an operation can change, except the failures booked in throttles.
    private struct State: Equatable {
        var accounts: [String]
        var sessions: [Session]
        var waiting: [OutboxMessage]
        var recoveries: Int
        var trail: [AuditRecord]
    }

    private func state(of world: World, _ id: AccountID) async throws -> State {
        let accounts = try await world.service.accounts(after: nil, limit: 10)
        return State(
            accounts: accounts.map {
                "\($0.id) \($0.state) \($0.updatedAt.milliseconds) \($0.passwordHash?.phc ?? "")"
            },
            sessions: try await world.sessions(of: id), waiting: try await world.waiting(),
            recoveries: try await world.store.read { (transaction) throws(AccountError) in
                try transaction.recoveryRequests(in: .account(id), since: Timestamp(milliseconds: 0))
            },
            trail: try await world.trail())
    }

    /// S-97.
    @Test(arguments: Operation.allCases)
    func `a change is rolled back if its audit record cannot be written`(operation: Operation) async throws {
        let (world, id, body) = try await prepared(operation)
        let before = try await state(of: world, id)
        let chain = try await world.chain()
        world.store.fail { $0 == .appendAudit ? .full : nil }
        #expect(await world.failure(body) == .store(.full))
        world.store.fail(nil)
        #expect(try await state(of: world, id) == before)
        #expect(try await world.chain() == chain)
        // The next attempt succeeds.
        let failure = await world.failure(body)
        #expect(failure == (operation == .expireSession ? .noSession : nil))
        #expect(try await state(of: world, id) != before)
    }

    @Test(arguments: Operation.allCases)
    func `a change is rolled back if its transaction cannot be committed`(operation: Operation) async throws {
        let (world, id, body) = try await prepared(operation)
        let before = try await state(of: world, id)
        world.store.fail { $0 == .commit ? .full : nil }
        #expect(await world.failure(body) == .store(.full))
        world.store.fail(nil)
        #expect(try await state(of: world, id) == before)
    }

    @Test func `the records of one call share a request ID, and the chain covers all of them`() async throws {
        let world = try World(settings: AccountSettings(sessions: SessionLimits(perAccount: 1)))
        try await world.create("ada")
        _ = try await world.signIn("ada")
        world.clock.advance(by: .seconds(1))
        _ = try await world.signIn("ada")
        let trail = try await world.trail()
        #expect(trail.map(\.sequence) == [1, 2, 3, 4, 5, 6])
        #expect(trail[1].requestID == trail[2].requestID)
        #expect(Set(trail[3...].map(\.requestID)).count == 1)
        #expect(Set(trail.map(\.requestID)).count == 3)
        let verification = try await world.chain()
        #expect(verification.finding == .intact && verification.head?.sequence == 6)
    }

    @Test func `a long trail is verified to its end, and a broken record is found`() async throws {
        let world = try World()
        for number in 0..<1100 {
            world.clock.advance(by: .seconds(1))
            _ = await world.failure(signingIn: "nobody\(number)")
        }
        let verification = try await world.chain()
        #expect(verification.finding == .intact && verification.head?.sequence == 1101)
        try await world.store.write { (transaction) throws(AccountError) in
            let record = AuditRecord(
                sequence: 1102, time: Timestamp(milliseconds: 0), name: "user_created", account: nil, actor: .owner,
                requestID: "forged", reason: "", context: nil)
            try transaction.append(record, hash: [UInt8](repeating: 1, count: 32))
        }
        #expect(try await world.chain().finding == .broken(sequence: 1102))
    }

    /// S-80, S-99.
    @Test func `the trail, errors and printed values contain no secret`() async throws {
        let canary = "canary-7f3a-password"
        let world = try World()
        var printed: [String] = []
        func run(_ body: () async throws(AccountError) -> Void) async {
            if let failure = await world.failure(body) { printed.append(String(reflecting: failure)) }
        }
        try await world.create("ada", password: canary)
        let signIn = try await world.signIn("ada", canary)
        let code = try await world.recoveryCode(for: "ada@example.org")
        var dumped = ""
        dump(signIn, to: &dumped)
        dump(world.mailer.delivered, to: &dumped)
        printed += [dumped, String(reflecting: signIn), String(reflecting: world.mailer.delivered)]
        let service = world.service
        // People sometimes type their password into the username field.
        await run { () async throws(AccountError) in _ = try await world.signIn(canary, canary) }
        await run { () async throws(AccountError) in try await service.beginRecovery(email: canary) }
        await run { () async throws(AccountError) in
            try await service.finishRecovery(code: Secret(canary), password: Secret(canary))
        }
        await run { () async throws(AccountError) in
            _ = try await service.changePassword(token: signIn.token, current: Secret(canary), new: Secret(canary))
        }
        await run { () async throws(AccountError) in
            _ = try await service.create(
                AccountDraft(
                    username: "x y", email: "no", attributes: ["a": .text("\0" + canary)],
                    password: Secret("\u{1}" + canary)),
                by: .owner)
        }
        #expect(printed.count == 7)
        for record in try await world.trail() { printed.append(String(reflecting: record)) }
        for text in printed {
            for secret in [canary, signIn.token.text, code.text, code.text.replacing("-", with: "")] {
                #expect(!text.contains(secret))
            }
        }
        #expect(printed.contains { $0.contains("authn_login_fail") })
    }
}

/// S-104.
@Suite(.timeLimit(.minutes(60)))
struct OwnAuditTests {
    private func own(_ world: World, _ token: Secret, _ filter: AuditFilter = AuditFilter()) async throws
        -> [AuditRecord]
    {
        var records: [AuditRecord] = []
        var last: Int64 = 0
        while let end = try await world.service.auditPage(ofOwner: token, after: last, matching: filter).last {
            records += try await world.service.auditPage(ofOwner: token, after: last, matching: filter).rows
                .compactMap(\.record)
            last = end
        }
        return records
    }

    @Test func `an owner sees only the records of their own account`() async throws {
        let world = try World()
        let ada = try await world.create("ada")
        let grace = try await world.create("grace")
        for _ in 0..<700 {
            _ = await world.failure(signingIn: "grace", "wrong")
            _ = await world.failure(signingIn: "nobody", "wrong")
            world.clock.advance(by: .seconds(901))
        }
        _ = await world.failure(signingIn: "ada", "wrong")
        let token = try await world.signIn("ada").token
        let records = try await own(world, token)
        #expect(
            records.map(\.name) == [
                "user_created", "authn_login_fail", "authn_login_successafterfail", "session_created",
            ])
        #expect(records.allSatisfy { $0.account == ada.id })
        // A filter cannot widen the result.
        #expect(try await own(world, token, AuditFilter(account: grace.id)).allSatisfy { $0.account == ada.id })
        #expect(try await own(world, token, AuditFilter(events: ["authn_login_fail"])).count == 1)
        #expect(try await own(world, token, AuditFilter(since: world.clock.now())).count == 3)
    }

    @Test func `a limited session cannot read audit records`() async throws {
        let world = try World()
        try await world.create("ada", mustChangePassword: true)
        let token = try await world.signIn("ada").token
        for (token, expected) in [(token, AccountError.mustChangePassword), (Secret("nobody's"), .noSession)] {
            let failure = await world.failure { () async throws(AccountError) in
                _ = try await world.service.auditPage(ofOwner: token, after: 0)
            }
            #expect(failure == expected)
        }
    }

    @Test func `if recording a hash engine fallback fails, the next login records it`() async throws {
        let world = try World()
        try await world.create("ada")
        let records = try await world.trail().count
        world.hasher.fallBack(HashFallback(engine: "avx512"))
        world.store.fail { $0 == .commit ? .full : nil }
        #expect(await world.failure(signingIn: "ada") == .store(.full))
        world.store.fail(nil)
        _ = try await world.signIn("ada")
        _ = try await world.signIn("ada")
        let written = try await world.events(after: records).filter { $0.hasPrefix("crypt_hash_engine_fail") }
        #expect(written == ["crypt_hash_engine_fail/engine:avx512"])
    }
}
