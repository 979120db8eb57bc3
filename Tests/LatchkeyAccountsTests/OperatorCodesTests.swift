import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct OperatorCodesTests {
    private func finish(_ world: World, _ code: Secret) async -> AccountError? {
        await world.failure { () async throws(AccountError) in
            try await world.service.finishRecovery(code: code, password: Secret("another long password"))
        }
    }

    private func strangeCode() throws -> Secret {
        let code = try RecoveryCode(from: .system)
        return Secret(code.text)
    }

    /// S-59.
    @Test func `after ten thousand wrong codes, the correct code still works`() async throws {
        let world = try World()
        try await world.create("ada")
        let right = try await world.recoveryCode(for: "ada@example.org")
        let records = try await world.trail().count
        var throttled = 0
        for number in 0..<10_000 {
            let code = number.isMultiple(of: 2) ? try strangeCode() : Secret("not a code \(number)")
            switch await finish(world, code) {
            case .refused?: #expect(throttled == 0)
            case .throttled(let wait)?:
                #expect(wait == .seconds(3600))
                throttled += 1
            case let other: Issue.record("\(String(describing: other))")
            }
        }
        #expect(throttled == 9000)
        #expect(try await world.trail().count <= records + 1000, "too many failures are only counted")
        #expect(await finish(world, right) == nil)
        _ = try await world.signIn("ada", "another long password")
    }

    /// S-59.
    @Test func `the limit of wrong codes ends after an hour, even if the clock jumps`() async throws {
        let world = try World()
        for _ in 0..<1000 { _ = await finish(world, Secret("no")) }
        world.clock.advance(by: .seconds(3599))
        #expect(await finish(world, Secret("no")) == .throttled(retryAfter: .seconds(1)))
        world.clock.advance(by: .seconds(1))
        #expect(await finish(world, Secret("no"))?.refusals == ["code: recovery_code"])
        world.clock.advance(by: .seconds(-86400))
        #expect(await finish(world, Secret("no"))?.refusals == ["code: recovery_code"])
    }

    /// S-63.
    @Test(arguments: [(86399, true), (86400, false)] as [(Int64, Bool)])
    func `an operator's code works once within a day, and the trail names the operator`(
        seconds: Int64, lives: Bool
    ) async throws {
        let world = try World()
        let account = try await world.create("ada", password: nil)
        let issued = try await world.service.issueRecoveryCode(
            for: .id(account.id), isSent: false, by: .operatingSystemUser(1000))
        let code = try #require(issued)
        #expect(code.text.wholeMatch(of: /([0-9A-Z]{4}-){5}[0-9A-Z]{4}/) != nil)
        #expect(world.mailer.delivered.isEmpty)
        #expect(try await world.waiting().isEmpty)
        let record = try #require(try await world.trail().last)
        #expect(record.event == .recoveryRequested && record.actor == .operatingSystemUser(1000))
        #expect(record.reason == "by_operator")
        world.clock.advance(by: .seconds(seconds))
        #expect((await finish(world, code) == nil) == lives)
        #expect(await finish(world, code)?.refusals == ["code: recovery_code"])
    }

    /// S-63.
    @Test func `an operator's code is either sent or returned`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        let shown = try await world.service.issueRecoveryCode(
            for: .id(account.id), isSent: true, by: .operatingSystemUser(1000))
        #expect(shown == nil)
        let message = try #require(world.mailer.delivered.first)
        #expect(message.body.contains("expires after 24 hours"))
        #expect(await finish(world, try #require(message.code)) == nil)
    }

    @Test func `a disabled or unknown account gets no code`() async throws {
        let world = try World()
        let account = try await world.create("ada")
        try await world.service.set(.disabled, of: .id(account.id), by: .owner)
        let unknown = try #require(AccountLookup("nobody"))
        for (lookup, expected) in [
            (AccountLookup.id(account.id), AccountError.accountDisabled), (unknown, .noSuchAccount),
        ] {
            let failure = await world.failure { () async throws(AccountError) in
                _ = try await world.service.issueRecoveryCode(for: lookup, isSent: true, by: .owner)
            }
            #expect(failure == expected)
        }
        #expect(world.mailer.delivered.isEmpty)
    }
}
