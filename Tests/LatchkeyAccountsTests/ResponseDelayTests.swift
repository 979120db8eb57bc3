import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyAccounts

/// Failure responses are sent at multiples of an interval. The test controls the clock.
@Suite(.timeLimit(.minutes(60)))
struct ResponseDelayTests {
    private final class Time: Sendable {
        let now = Locked(Duration.seconds(1000))
        var responseDelay: ResponseDelay {
            ResponseDelay(
                now: { [self] in now.withLock { $0 } },
                sleep: { [self] (duration: Duration) in now.withLock { $0 += duration } })
        }
    }

    /// The duration of a failed login if verification takes `work`.
    private func time(_ work: Duration, _ name: String, stored: PasswordHash? = nil) async throws -> Duration {
        let time = Time()
        let world = try World(responseDelay: time.responseDelay)
        let account = try await world.create("ada")
        if let stored { try await world.edit(account.id) { $0.passwordHash = stored } }
        world.hasher.interrupt { _ in time.now.withLock { $0 += work } }
        let start = time.now.withLock { $0 }
        #expect(await world.failure(signingIn: name, "wrong password") == .wrongCredentials)
        return time.now.withLock { $0 } - start
    }

    /// S-38.
    @Test(arguments: [(0, 250), (1, 250), (250, 250), (251, 500), (499, 500), (501, 750)])
    func `a failure response is sent at the next multiple of 250 milliseconds`(work: Int, answer: Int) async throws {
        for name in ["ada", "ghost"] {
            #expect(try await time(.milliseconds(work), name) == .milliseconds(answer), "\(name)")
        }
    }

    /// S-38: bcrypt at cost 14 is estimated at 774 ms.
    @Test(arguments: [("ada", 774), ("ada", 1100), ("ghost", 122), ("ghost", 122)])
    func `one expensive stored hash delays every account's failures`(name: String, work: Int) async throws {
        let dear = PasswordHash(phc: "other$0$x", milliseconds: 774)
        #expect(try await time(.milliseconds(work), name, stored: dear) == .milliseconds(1550))
    }

    /// S-38: only failures are delayed. A throttled attempt is not a failure.
    @Test func `successful and throttled attempts get an immediate response`() async throws {
        let time = Time()
        let world = try World(responseDelay: time.responseDelay)
        try await world.create("ada")
        var start = time.now.withLock { $0 }
        _ = try await world.signIn("ada")
        #expect(time.now.withLock { $0 } == start)
        for _ in 0..<4 { _ = await world.failure(signingIn: "ada", "wrong password") }
        start = time.now.withLock { $0 }
        guard case .throttled = await world.failure(signingIn: "ada", "wrong password") else {
            Issue.record("not throttled")
            return
        }
        #expect(time.now.withLock { $0 } == start)
    }

    @Test func `a program's failed login takes the same time for every reason`() async throws {
        let time = Time()
        let world = try World(responseDelay: time.responseDelay)
        let (_, _, codes) = try await world.createWithFactor("ada")
        world.hasher.interrupt { _ in time.now.withLock { $0 += .milliseconds(100) } }
        for password in [Secret(World.password), Secret("wrong"), codes[0], try RecoveryCode(from: .seeded(9)).secret] {
            let start = time.now.withLock { $0 }
            let failure = await world.failure { () async throws(AccountError) in
                _ = try await world.service.verifyAppLogin(identifier: "ada", password: password)
            }
            #expect(failure == .wrongCredentials)
            #expect(time.now.withLock { $0 } - start == .milliseconds(250))
        }
    }

    /// S-57.
    @Test func `requesting a code takes the same time for every address`() async throws {
        for email in ["ada@example.org", "ghost@example.org", "no address"] {
            let time = Time()
            let world = try World(responseDelay: time.responseDelay)
            try await world.create("ada")
            let start = time.now.withLock { $0 }
            try await world.service.beginRecovery(email: email)
            #expect(time.now.withLock { $0 } - start == .milliseconds(250))
        }
    }
}
