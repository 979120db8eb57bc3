import LatchkeyAccounts
import LatchkeyForms
import LatchkeyHTTP
import LatchkeyServer
import LatchkeyTesting
import TestSupport
import Testing

/// The limit of requests that wait for a hash.
@Suite(.timeLimit(.minutes(60)))
struct HashQueueTests {
    private static func login(_ world: ServiceWorld, password: String = World.password) async throws -> HTTPResponse {
        try await world.send(
            "POST", "/api/v1/flows/login", #"{"values":{"username":"ada","password":"\#(password)"}}"#)
    }

    @Test func `a login beyond the queue's limit gets 503 before any work, and the queued ones succeed`() async throws {
        let queue = HashQueue(atOnce: 1, waitingLimit: 2)
        let world = try ServiceWorld(hashQueue: queue)
        try await world.world.create("ada")
        let gate = TestGate()
        world.world.hasher.forgetWork()
        world.world.hasher.interrupt { _ in await gate.wait() }
        let logins = (0..<3).map { _ in Task { try await Self.login(world) } }
        while world.world.hasher.work.count < 3 { await Task.yield() }
        #expect(queue.figures == HashQueue.Figures(waiting: 2, refused: 0))

        world.world.store.forgetOperations()
        let refused = try await Self.login(world)
        #expect(refused.status == 503)
        #expect(refused["Retry-After"] == "5")
        #expect(try refused.json["code"]?.string == "unavailable")
        let page = try await world.submit("/login", [("username", "ada"), ("password", World.password)])
        #expect(page.status == 503)
        #expect(page["Retry-After"] == "5")
        #expect(world.world.store.operations.isEmpty)
        #expect(world.world.hasher.work.count == 3)
        #expect(queue.figures == HashQueue.Figures(waiting: 2, refused: 2))
        let forgotten = try await world.send(
            "POST", "/api/v1/flows/forgotPassword", #"{"values":{"email_field":"ada@example.org"}}"#)
        #expect(forgotten.status == 200, "a flow without a hash needs no place")

        gate.open()
        for login in logins { #expect(try await login.value.status == 200) }
        #expect(queue.figures == HashQueue.Figures(waiting: 0, refused: 2))
        #expect(try await Self.login(world).status == 200)
    }

    @Test func `a failed login does not occupy the queue while its response is delayed`() async throws {
        let queue = HashQueue(atOnce: 1, waitingLimit: 0)
        let started = TestGate()
        let gate = TestGate()
        let delay = ResponseDelay(
            now: { .zero },
            sleep: { _ in
                started.open()
                await gate.wait()
            })
        let world = try ServiceWorld(responseDelay: delay, hashQueue: queue)
        try await world.world.create("ada")
        let failing = Task { try await Self.login(world, password: "not the password") }
        await started.wait()
        #expect(try await Self.login(world).status == 200)
        gate.open()
        #expect(try await failing.value.status == 401)
    }

    @Test func `a client that disconnects does not shorten the delay of its failed login`() async throws {
        let gate = TestGate()
        let started = TestGate()
        let delay = ResponseDelay(
            now: { .zero },
            sleep: { _ in
                started.open()
                await gate.wait()
                #expect(!Task.isCancelled)
            })
        let world = try ServiceWorld(responseDelay: delay)
        try await world.world.create("ada")
        let failing = Task { try await Self.login(world, password: "not the password") }
        await started.wait()
        failing.cancel()
        gate.open()
        #expect(try await failing.value.status == 401)
    }
}
