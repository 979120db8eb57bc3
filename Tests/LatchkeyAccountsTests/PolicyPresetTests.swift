import LatchkeyAccounts
import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct PolicyPresetTests {
    static let lengths = [7, 8, 9, 14, 15]

    /// A password of this length that is not on a list.
    static func password(_ length: Int) -> String { String("qz7vkxw3mhd9tgb".prefix(length)) }

    struct Case: Sendable, CustomTestStringConvertible {
        let preset: PolicyPreset
        let length: Int
        var testDescription: String { "\(length) code points under \(preset.name)" }
        var expected: AccountError? {
            let minimum = preset == .nist ? 15 : 9
            guard length < minimum else { return nil }
            return .refused([
                RuleFailure(code: .minLength, values: ["minimum": .integer(minimum)], field: .password)
            ])
        }
    }

    static let cases = PolicyPreset.all.flatMap { preset in lengths.map { Case(preset: preset, length: $0) } }

    /// S-3, S-1: the verdict does not depend on the caller.
    @Test(arguments: cases)
    func `every way to set a password follows the preset`(row: Case) async throws {
        let password = Secret(Self.password(row.length))
        let settings = AccountSettings(preset: row.preset)
        for actor in [AuditActor.owner, .operatingSystemUser(1000)] {
            let world = try World(settings: settings)
            #expect(
                await world.failure { () async throws(AccountError) in
                    _ = try await world.service.create(
                        AccountDraft(username: "ada", email: "ada@example.org", password: password), by: actor)
                } == row.expected)
        }
        let world = try World(settings: settings)
        let id = try await world.create("ada").id
        let token = try await world.signIn("ada").token
        let code = try await world.recoveryCode(for: "ada@example.org")
        #expect(
            await world.failure { () async throws(AccountError) in
                try await world.service.finishRecovery(code: code, password: password)
            } == row.expected)
        let current = row.expected == nil ? Self.password(row.length) : World.password
        let own = row.expected == nil ? try await world.signIn("ada", current).token : token
        let another = Secret(String(Self.password(row.length).reversed()))
        #expect(
            await world.failure { () async throws(AccountError) in
                _ = try await world.service.changePassword(token: own, current: Secret(current), new: another)
            } == row.expected)
        #expect(
            await world.failure { () async throws(AccountError) in
                _ = try await world.service.setPassword(
                    of: .id(id), to: password, mustChangePassword: false, by: .operatingSystemUser(1000))
            } == row.expected)
        let policy = PasswordPolicy(row.preset)
        let verdict = try policy.failure(of: password)
        #expect(verdict.map { .refused([$0]) } == row.expected)
    }

    /// S-2, S-3.
    @Test func `a password set under another preset still works`() async throws {
        let world = try World(settings: AccountSettings(preset: .nist), policy: PasswordPolicy(minimumLength: 1))
        try await world.create("ada", password: "kurz!")
        #expect(try await world.signIn("ada", "kurz!").session.scope == .full)
    }

    /// S-3.
    @Test func `the presets have the documented values, and an unknown name is refused`() {
        #expect(PolicyPreset(named: "standard") == .standard)
        #expect(PolicyPreset(named: "nist") == .nist)
        for name in ["", "NIST", "nist ", "strict"] { #expect(PolicyPreset(named: name) == nil) }
        #expect(AccountSettings(preset: .nist).sessions == PolicyPreset.nist.sessions)
        #expect(AccountSettings().preset == .standard)
    }

    /// S-6: 50 characters of each kind.
    @Test func `a password with one kind of character is accepted`() async throws {
        var source = SeededGenerator(seed: 6)
        let kinds = [
            "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "0123456789", "!#$%&*+-/=?^_~",
        ]
        var count = 0
        for preset in PolicyPreset.all {
            let policy = PasswordPolicy(preset)
            for kind in kinds {
                for _ in 0..<50 {
                    let letters = Array(kind)
                    var text = ""
                    for _ in 0..<preset.minimumLength + 2 { text.append(letters.randomElement(using: &source) ?? "x") }
                    #expect(try policy.failure(of: Secret(text)) == nil, "\(text)")
                    count += 1
                }
            }
        }
        #expect(count == 400)
    }
}

/// S-47: the hard limit of `nist`.
@Suite(.timeLimit(.minutes(60)))
struct RecoveryDemandTests {
    /// Fails until `count` failures have been verified, as fast as the throttle allows.
    private func fail(_ world: World, _ name: String, count: Int) async {
        var failed = 0
        while failed < count {
            switch await world.failure(signingIn: name, "wrong password") {
            case .throttled(let retryAfter): world.clock.advance(by: retryAfter)
            default: failed += 1
            }
        }
    }

    private func open(_ world: World) { world.clock.advance(by: .seconds(900)) }

    @Test(arguments: [99, 100])
    func `under nist the correct password stops working after exactly 100 failures`(count: Int) async throws {
        let world = try World(settings: AccountSettings(preset: .nist))
        try await world.create("ada")
        await fail(world, "ada", count: count)
        open(world)
        #expect(await world.failure(signingIn: "ada") == (count < 100 ? nil : .wrongCredentials))
        if count == 100 { #expect(try await world.events().last == "authn_login_fail_max/recovery_needed") }
    }

    @Test func `under standard, the correct password works after any number of failures`() async throws {
        let world = try World()
        try await world.create("ada")
        await fail(world, "ada", count: 1000)
        open(world)
        #expect(await world.failure(signingIn: "ada") == nil)
    }

    @Test func `under nist, a password that failures have disabled stays disabled after idle days`() async throws {
        let world = try World(settings: AccountSettings(preset: .nist))
        try await world.create("ada")
        await fail(world, "ada", count: 100)
        world.clock.advance(by: .seconds(60 * 86400))
        #expect(await world.failure(signingIn: "ada") == .wrongCredentials)
    }

    /// S-49, S-53.
    @Test func `a recovery unlocks the account, but unlocking alone does not`() async throws {
        let world = try World(settings: AccountSettings(preset: .nist))
        let id = try await world.create("ada").id
        await fail(world, "ada", count: 100)
        try await world.service.unlock(.id(id), by: .operatingSystemUser(1000))
        #expect(try await world.service.throttle(of: .id(id)).demandsRecovery)
        #expect(await world.failure(signingIn: "ada") == .wrongCredentials)
        let code = try await world.recoveryCode(for: "ada@example.org")
        try await world.service.finishRecovery(code: code, password: Secret("another battery horse"))
        #expect(try await !world.service.throttle(of: .id(id)).demandsRecovery)
        #expect(await world.failure(signingIn: "ada", "another battery horse") == nil)
    }

    @Test func `under nist, a session cannot change a password that failures have disabled`() async throws {
        let world = try World(settings: AccountSettings(preset: .nist))
        try await world.create("ada")
        let signIn = try await world.signIn("ada")
        try await world.store.write { (transaction) throws(AccountError) in
            let failures = ThrottleFailures(count: 1, lastAt: world.clock.now(), total: 100)
            try transaction.setFailures(failures, in: .account(signIn.account.id))
        }
        let work = world.hasher.work.count
        let refused = await world.failure { () async throws(AccountError) in
            _ = try await world.service.changePassword(
                token: signIn.token, current: Secret(World.password), new: Secret("another battery horse"))
        }
        #expect(refused?.refusals == ["current_password: wrong_password"])
        #expect(world.hasher.work.count == work + 1)
    }

    /// S-47, S-132: attacks the service for thirty days of a simulated clock. The attacker tries at the end of each
    /// wait, and once more immediately.
    @Test(arguments: PolicyPreset.all.map(\.name))
    func `a tireless attacker gets at most the preset's number of guesses in 30 days`(name: String) async throws {
        let preset = try #require(PolicyPreset(named: name))
        let world = try World(settings: AccountSettings(preset: preset))
        try await world.create("ada")
        let start = world.clock.now()
        var judged = 0
        while true {
            switch await world.failure(signingIn: "ada", "wrong password") {
            case .throttled(let retryAfter): world.clock.advance(by: retryAfter)
            default: judged += 1
            }
            let isOver = world.clock.now().since(start) >= .seconds(30 * 86400)
            guard !isOver, preset.failuresUntilRecovery.map({ judged <= $0 }) ?? true else { break }
        }
        // Under nist, a guess beyond the limit gets a response but is not verified. The correct password would fail
        // too.
        let disabled = try await world.events().count { $0.hasSuffix("/recovery_needed") }
        #expect(judged - disabled <= preset.guesses(in: .seconds(30 * 86400)))
        #expect(judged - disabled >= (preset == .nist ? 100 : 2880))
        #expect((disabled > 0) == (preset == .nist))
    }
}
