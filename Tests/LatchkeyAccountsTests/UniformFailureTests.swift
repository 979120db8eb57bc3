import LatchkeyAccounts
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

/// Every failed login gets the same response and does the same work.
@Suite(.timeLimit(.minutes(60)))
struct UniformFailureTests {
    enum Class: String, CaseIterable, Sendable {
        case unknownName, unknownAddress, unknownID, nameOfNoShape, addressOfNoShape, emptyName, overlongName, nilName
        case wrongPassword, wrongPasswordByAddress, emptyPassword, nilPassword, overlongPassword, noUTF8
        case likeAnAppPassword
        case disabled, disabledWithWrongPassword, noPassword, unsupportedHash, costlyHash, sealedForAnother
        case generatedTooLongAgo, tooManyFailures, throttledAccount, notSealed
    }

    /// All work of a login attempt, in order.
    struct Work: Equatable {
        var answer: AccountError?
        var operations: [StoreOperation]
        var storeOperationsBeforeHash: [Int]
        var hashes: Int
        var clockReadings: Int
        var messages: Int
    }

    /// The purpose of the caller's login.
    enum Caller: CaseIterable, Sendable { case session, verdict, program }

    private func attempt(_ kind: Class, _ caller: Caller = .session) async throws -> (Work, World) {
        let keys = MemorySealingKeys()
        let world = try World(settings: AccountSettings(preset: .nist), policy: PasswordPolicy(), sealing: keys)
        if kind == .sealedForAnother { _ = try await world.service.addSealingKey(by: .owner) }
        let another = try await world.create("another")
        let account = try await world.create("ada", password: kind == .noPassword ? nil : World.password)
        try await world.edit(account.id) { account in
            switch kind {
            case .disabled, .disabledWithWrongPassword: account.state = .disabled
            case .unsupportedHash: account.passwordHash = FakePasswordHasher.unsupported
            case .costlyHash: account.passwordHash = FakePasswordHasher.costly
            case .sealedForAnother: account.passwordHash = another.passwordHash
            case .generatedTooLongAgo: account.passwordExpiresAt = world.clock.now()
            default: break
            }
        }
        if kind == .notSealed { try keys.requireSealedHashes() }
        if kind == .throttledAccount {
            try await world.store.write { (transaction) throws(AccountError) in
                let failures = ThrottleFailures(count: 13, lastAt: world.clock.now())
                try transaction.setFailures(failures, in: .account(account.id))
            }
        }
        if kind == .tooManyFailures {
            try await world.store.write { (transaction) throws(AccountError) in
                let failures = ThrottleFailures(count: 1, lastAt: world.clock.now(), total: 100)
                try transaction.setFailures(failures, in: .account(account.id))
            }
        }
        let name: String? =
            switch kind {
            case .unknownName: "grace"
            case .unknownAddress: "grace@example.org"
            case .unknownID: "00000000-0000-4000-8000-000000000000"
            case .nameOfNoShape: "a b c"
            case .addressOfNoShape: "@@"
            case .emptyName: ""
            case .overlongName: String(repeating: "x", count: 100_000)
            case .nilName: nil
            case .wrongPasswordByAddress: "ada@example.org"
            default: "ada"
            }
        let noUTF8: [UInt8] = [0xFF, 0xFF]
        let password: Secret? =
            switch kind {
            case .wrongPassword, .wrongPasswordByAddress, .disabledWithWrongPassword: Secret("not the password")
            case .likeAnAppPassword: Secret("0123-4567-89AB-CDEF-GHJK-MNPQ")
            case .emptyPassword: Secret("")
            case .nilPassword: nil
            case .overlongPassword: Secret(String(repeating: "x", count: 1025))
            case .noUTF8: Secret(copying: noUTF8.span)
            default: Secret(World.password)
            }
        world.store.forgetOperations()
        world.hasher.forgetWork()
        let readings = world.clock.readings
        let before = Locked<[Int]>([])
        world.hasher.interrupt { [store = world.store] _ in
            before.withLock { $0.append(store.operations.count) }
        }
        let answer = await world.failure { () async throws(AccountError) in
            switch caller {
            case .session: _ = try await world.service.authenticate(identifier: name, password: password)
            case .verdict: _ = try await world.service.verifyCredentials(identifier: name, password: password)
            case .program: _ = try await world.service.verifyAppLogin(identifier: name, password: password)
            }
        }
        let work = Work(
            answer: answer, operations: world.store.operations, storeOperationsBeforeHash: before.withLock { $0 },
            hashes: world.hasher.work.count, clockReadings: world.clock.readings - readings,
            messages: try await world.waiting().count)
        return (work, world)
    }

    /// S-36, S-37, S-39, S-40.
    @Test(arguments: Class.allCases, Caller.allCases)
    func `every failure gets the same response and does the same work`(kind: Class, caller: Caller) async throws {
        let (work, _) = try await attempt(kind, caller)
        #expect(
            work
                == Work(
                    answer: .wrongCredentials,
                    operations: [
                        .beginWrite, .account, .failures, .setFailures, .failures, .setFailures, .hashCosts,
                        .commit,
                        .beginWrite,
                    ] + (caller == .program ? [.appPassword] : []) + [
                        .auditHead, .auditFlood, .appendAudit, .setAuditFlood, .commit, .beginRead, .usedSealingKeys,
                    ],
                    storeOperationsBeforeHash: [8], hashes: 1, clockReadings: 2, messages: 0))
    }

    /// S-36.
    @Test(arguments: Class.allCases)
    func `the real reason is only in the audit trail`(kind: Class) async throws {
        let (_, world) = try await attempt(kind)
        let record = try #require(try await world.trail().last)
        let reason =
            switch kind {
            case .wrongPassword, .wrongPasswordByAddress, .likeAnAppPassword: "wrong_password"
            case .emptyPassword, .nilPassword, .overlongPassword, .noUTF8: "unusable_password"
            case .disabled, .disabledWithWrongPassword: "disabled"
            case .noPassword: "no_password"
            case .generatedTooLongAgo: "password_expired"
            case .tooManyFailures: "recovery_needed"
            case .throttledAccount: "throttled"
            case .unsupportedHash, .costlyHash, .sealedForAnother: "hash_refused"
            case .notSealed: "hash_not_sealed"
            default: "unknown"
            }
        let event: AuditEvent =
            switch reason {
            case "hash_refused", "hash_not_sealed": .hashRefused
            default: .loginFailed
            }
        #expect(record.event == event)
        #expect(record.reason.split(separator: ":").first.map(String.init) == reason)
        #expect((record.account == nil) == (reason == "unknown"))
        if reason == "unknown" { #expect(record.reason.utf8.count == "unknown:".utf8.count + 16) }
    }
}
