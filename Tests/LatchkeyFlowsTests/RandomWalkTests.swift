import LatchkeyFlows
import LatchkeyForms
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
@MainActor struct RandomWalkTests {
    /// S-127.
    @Test(arguments: 1...5)
    func `random actions never lose or repeat a call, or show a response on the wrong screen`(seed: UInt64) async throws
    {
        var random = SeededGenerator(seed: seed)
        var steps = 0
        while steps < 2000 {
            let walk = try Walk()
            while steps < 2000, try await walk.step(&random) { steps += 1 }
            try await walk.end()
            Self.check(await walk.journey.events())
        }
    }

    /// Each call ends once, two calls never run at the same time, and each move starts where the previous one ended.
    private static func check(_ events: [AccountEvent]) {
        var running: Set<UInt64> = []
        var abandoned: Set<UInt64> = []
        var shown: AccountType?
        var lastEnded: UInt64?
        for event in events {
            switch event {
            case .call(.began(let id, let call)):
                #expect(running.isEmpty && call == shown)
                #expect(running.insert(id).inserted)
            case .call(.abandoned(let id, _)):
                #expect(running.contains(id) && abandoned.insert(id).inserted)
            case .call(.ended(let id, _, _)):
                #expect(running.remove(id) != nil)
                lastEnded = id
            case .navigation(.opened(let type)):
                #expect(shown == nil)
                shown = type
            case .navigation(.moved(let from, let to, _)):
                #expect(shown == from)
                shown = to
            case .navigation(.left(let type)):
                #expect(shown == type)
                shown = nil
            case .session(.began): #expect(running.subtracting(abandoned).isEmpty)
            case .session(.ended): #expect(shown == .deleteAccount)
            case .call(.refused(let id, _, _)): #expect(!running.contains(id) && id == lastEnded)
            case .activity(.busy): #expect(running.subtracting(abandoned).isEmpty)
            case .activity(.idle): #expect(running.subtracting(abandoned).isEmpty)
            case .form, .administration, .session(.othersEnded): Issue.record("no coordinator tells of these")
            }
        }
        #expect(running.isEmpty)
    }
}

/// One run, until its user has quit or logged in.
@MainActor private final class Walk {
    let journey: Journey
    private typealias Submission = Task<(Destination, NetworkResponse?), any Error>

    private var running: Submission?
    /// Submissions that wait for an abandoned call to end. All but the last have been abandoned too.
    private var waiting: [Submission] = []
    private var calls = 0

    init() throws {
        journey = try Journey(opening: .login)
        journey.networking.hold()
    }

    /// Performs one action. Returns false if no flow is shown any more.
    func step(_ random: inout SeededGenerator) async throws -> Bool {
        switch Int.random(in: 0..<16, using: &random) {
        case 0...4:
            try journey.coordinator.updateResponder(to: AccountType.allCases.randomElement(using: &random) ?? .login)
        case 5: try journey.coordinator.cancel()
        case 6...10: try await submit()
        default:
            let name = NetworkResponse.samples.keys.sorted().randomElement(using: &random) ?? ""
            try await answer(NetworkResponse.samples[name] ?? .unavailable())
        }
        let path = try journey.coordinator.path
        #expect(Set(path).count == path.count, "no flow is in the path twice")
        #expect(journey.networking.calls.count == calls)
        return !path.isEmpty
    }

    private func submit() async throws {
        if try journey.coordinator.isBusy {
            let path = try journey.coordinator.path
            #expect(try await journey.submit().0 == .ignored)
            #expect(try journey.coordinator.path == path)
            return
        }
        let submission = Task { [journey] in try await journey.submit() }
        if running == nil {
            try await begin(submission)
        } else {
            waiting.append(submission)
            while try !journey.coordinator.isBusy { await Task.yield() }
        }
    }

    private func begin(_ submission: Submission) async throws {
        running = submission
        calls += 1
        await journey.networking.called(times: calls)
        #expect(try journey.coordinator.isBusy)
    }

    /// Responds to the running call.
    private func answer(_ response: NetworkResponse) async throws {
        guard let call = running else { return }
        running = nil
        let path = try journey.coordinator.path
        let isBusy = try journey.coordinator.isBusy
        let isAwaited = isBusy && waiting.isEmpty
        journey.networking.release(with: response)
        let (destination, answered) = try await call.value
        #expect(answered == response)
        #expect((destination == .ignored) == !isAwaited)
        guard !isAwaited else { return }
        #expect(try journey.coordinator.path == path)
        #expect(try journey.coordinator.isBusy == isBusy)
        let next = isBusy ? waiting.popLast() : nil
        for given in waiting {
            let (destination, answered) = try await given.value
            #expect(destination == .ignored && answered == nil)
        }
        waiting = []
        if let next { try await begin(next) }
    }

    /// Lets every call end. A run that has quit does not change.
    func end() async throws {
        while running != nil { try await answer(.unavailable()) }
    }
}
