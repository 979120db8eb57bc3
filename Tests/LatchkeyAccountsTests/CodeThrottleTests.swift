import LatchkeyForms
import LatchkeySecrets
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// S-67: wrong codes of a thief of the password, and the owner's way in.
@Suite(.timeLimit(.minutes(60)))
struct CodeThrottleTests {
    private let world: World
    private let account: Account
    private let phone: Phone
    private let savedCodes: [Secret]
    private static let refused = AccountError.refused([RuleFailure(code: .secondFactor, field: .code)])

    init() async throws {
        world = try World()
        (account, phone, savedCodes) = try await world.createWithFactor("ada")
    }

    /// Logs in as the owner on a new device, and waits for the next code.
    private func knownDevice() async throws -> (claim: DeviceClaim, token: Secret) {
        let service = world.service(from: "192.0.2.1").on(.new)
        let challenge = try await world.challenge(of: "ada", by: service)
        let result = try await service.finishLogin(pending: challenge.token, code: phone.code(world.clock))
        guard case .signedIn(let signIn) = result else { throw NoSignIn() }
        world.clock.advance(by: .seconds(30))
        return (.token(try #require(signIn.device)), signIn.token)
    }

    private struct NoSignIn: Error {}

    /// Tries `count` wrong codes that are verified, each as soon as it may be.
    @discardableResult
    private func guess(_ count: Int, from address: String = "198.51.100.1") async throws -> AccountError? {
        let service = world.service(from: address)
        var last: AccountError?
        for _ in 0..<count {
            repeat {
                let challenge = try await world.challenge(of: "ada", by: service)
                last = await world.failure(finishing: challenge, Secret("000000"), by: service)
                if case .throttled(let wait)? = last { world.clock.advance(by: wait) }
            } while last != Self.refused
        }
        return last
    }

    private func isThrottled(_ failure: AccountError?) -> Bool {
        if case .throttled? = failure { true } else { false }
    }

    @Test func `a thief elsewhere delays neither a known device nor another network`() async throws {
        let (device, token) = try await knownDevice()
        try await guess(13)
        let thief = world.service(from: "198.51.100.1")
        let theirs = try await world.challenge(of: "ada", by: thief)
        #expect(isThrottled(await world.failure(finishing: theirs, phone.code(world.clock), by: thief)))
        for service in [world.service(from: "192.0.2.1").on(device), world.service(from: "203.0.113.1")] {
            let challenge = try await world.challenge(of: "ada", by: service)
            #expect(await world.failure(finishing: challenge, phone.code(world.clock), by: service) == nil)
            world.clock.advance(by: .seconds(30))
            try await guess(3)
        }
        let own = world.service(from: "192.0.2.1").on(device)
        let again = try await world.challenge { () async throws(AccountError) in
            _ = try await own.reauthenticate(token: token, password: Secret(World.password))
        }
        #expect(await world.failure(finishing: again, phone.code(world.clock), by: own) == nil)
        world.clock.advance(by: .seconds(30))
        let code = try await world.recoveryCode(for: "ada@example.org")
        let recovery = try await world.challenge { () async throws(AccountError) in
            try await own.finishRecovery(code: code, password: Secret("another password"))
        }
        #expect(await world.failure(finishing: recovery, phone.code(world.clock), by: own) == nil)
    }

    @Test func `saved codes are never throttled, wrong or right`() async throws {
        try await guess(13)
        let thief = world.service(from: "198.51.100.1")
        let challenge = try await world.challenge(of: "ada", by: thief)
        #expect(isThrottled(await world.failure(finishing: challenge, Secret("000000"), by: thief)))
        for _ in 0..<20 {
            let wrong = await world.failure(finishing: challenge, Secret("0123-4567-89AB-CDEF"), by: thief)
            #expect(wrong == Self.refused)
        }
        #expect(await world.failure(finishing: challenge, savedCodes[0], by: thief) == nil)
    }

    @Test func `input that is not a code does not count`() async throws {
        let service = world.service(from: "192.0.2.1")
        let challenge = try await world.challenge(of: "ada", by: service)
        for typed in [nil, "", "12345", "1234567", "abcdef", "0123-4567-89AB-CDEF-GHJK-MNPQ"] {
            for _ in 0..<5 {
                let failure = await world.failure(finishing: challenge, typed.map { Secret($0) }, by: service)
                #expect(failure == Self.refused)
            }
            #expect(try await world.events().last == "authn_factor_fail/malformed")
        }
        #expect(try await world.failures(in: .codes(account.id)) == nil)
        #expect(await world.failure(finishing: challenge, phone.code(world.clock), by: service) == nil)
    }

    @Test func `guesses from many networks are limited together, and extra attempts remain`() async throws {
        let codes = Throttle.codes(account.id)
        for number in 0..<28 {
            let address = "198.51.100.\(number)"
            for _ in 0..<5 {
                let service = world.service(from: address)
                let challenge = try await world.challenge(of: "ada", by: service)
                _ = await world.failure(finishing: challenge, Secret("000000"), by: service)
            }
        }
        let failures = try #require(try await world.failures(in: codes))
        #expect(failures.count == 101, "100 are free, and the next ones wait")
        // At the longest delay, each window admits one more, which the owner in a new network can take.
        try await world.store.write { [clock = world.clock] (store) throws(AccountError) in
            try store.setFailures(ThrottleFailures(count: 111, lastAt: clock.now()), in: codes)
        }
        let owner = world.service(from: "203.0.113.1")
        var waits = 0
        while true {
            let challenge = try await world.challenge(of: "ada", by: owner)
            guard let failure = await world.failure(finishing: challenge, phone.code(world.clock), by: owner) else {
                break
            }
            try #require(isThrottled(failure) && waits < 30)
            waits += 1
            world.clock.advance(by: .seconds(60))
            try await world.store.write { [clock = world.clock] (store) throws(AccountError) in
                // A thief fails again and again.
                guard let failures = try store.failures(in: codes) else { return }
                try store.setFailures(
                    ThrottleFailures(count: failures.count, lastAt: clock.now(), extraAt: failures.extraAt), in: codes)
            }
        }
        #expect(try await world.failures(in: codes) == nil, "the correct code clears it")
    }

    @Test func `an attempt that the account's throttle blocks is not counted for its network`() async throws {
        try await world.store.write { [clock = world.clock, id = account.id] (store) throws(AccountError) in
            try store.setFailures(ThrottleFailures(count: 105, lastAt: clock.now()), in: .codes(id))
        }
        let owner = world.service(from: "203.0.113.1")
        let challenge = try await world.challenge(of: "ada", by: owner)
        for _ in 0..<9 {
            #expect(
                await world.failure(finishing: challenge, phone.code(world.clock), by: owner)
                    == .throttled(retryAfter: .seconds(16)))
        }
        world.clock.advance(by: .seconds(16))
        #expect(await world.failure(finishing: challenge, phone.code(world.clock), by: owner) == nil)
    }

    @Test func `wrong codes on a known device are failures of the device`() async throws {
        let (device, _) = try await knownDevice()
        let service = world.service(from: "192.0.2.1").on(device)
        let challenge = try await world.challenge(of: "ada", by: service)
        for _ in 0..<9 {
            #expect(await world.failure(finishing: challenge, Secret("000000"), by: service) == Self.refused)
        }
        #expect(try await world.failures(in: .codes(account.id)) == nil)
        #expect(await world.failure(finishing: challenge, phone.code(world.clock), by: service) == nil)
        world.clock.advance(by: .seconds(30))
        let next = try await world.challenge(of: "ada", by: service)
        for _ in 0..<10 {
            #expect(await world.failure(finishing: next, Secret("000000"), by: service) == Self.refused)
        }
        #expect(try await world.failures(in: .codes(account.id)) == nil)
        #expect(await world.failure(finishing: next, Secret("000000"), by: service) == Self.refused)
        #expect(try await world.failures(in: .codes(account.id))?.count == 1, "the device is unknown now")
    }

    @Test func `an operator unlocks the codes of an account`() async throws {
        try await world.store.write { [clock = world.clock, id = account.id] (store) throws(AccountError) in
            try store.setFailures(ThrottleFailures(count: 120, lastAt: clock.now()), in: .codes(id))
        }
        try await world.service.unlock(.id(account.id), by: .owner)
        let challenge = try await world.challenge(signingIn: "ada")
        #expect(await world.failure(finishing: challenge, phone.code(world.clock)) == nil)
    }
}
