import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

/// The rules for one request of a device, without a store.
private struct DeviceModel: Hashable {
    enum Action: String, CaseIterable {
        case poll, pollAsOther, allow, deny, disconnect, maintain, waitForInterval, waitForExpiry

        var seconds: Int64? { self == .waitForInterval ? 7 : self == .waitForExpiry ? 600 : nil }
    }

    enum State: String {
        case none, waiting, approved, denied
    }

    /// Seconds since the request.
    var time: Int64 = 0
    var state = State.waiting
    var polledAt: Int64?
    var interval: Int64 = 5
    var hasGrant = false
    /// The number of answers without a request that waits, which delay further ones.
    var wrongCodes = 0

    var isLive: Bool { time < 600 }

    /// Performs an action. Returns the expected refusal, and the name of the event if the state changes.
    mutating func perform(_ action: Action) -> (refusal: DeviceRefusal?, event: String?) {
        switch action {
        case .poll: return poll()
        case .pollAsOther: return (.unknown, nil)
        case .allow, .deny:
            guard state == .waiting, isLive else {
                wrongCodes += 1
                return (.unknown, nil)
            }
            state = action == .allow ? .approved : .denied
            hasGrant = action == .allow
            return (nil, action == .allow ? "allow" : "deny")
        case .disconnect:
            hasGrant = false
            guard state == .approved else { return (nil, nil) }
            state = .none
            return (nil, "disconnect")
        case .maintain:
            guard state != .none, !isLive else { return (nil, nil) }
            state = .none
            return (nil, "maintain, expired")
        case .waitForInterval, .waitForExpiry:
            time += action.seconds ?? 0
            return (nil, nil)
        }
    }

    private mutating func poll() -> (DeviceRefusal?, String?) {
        guard state != .none else { return (.unknown, nil) }
        guard isLive else { return (.expired, nil) }
        switch state {
        case .waiting:
            let isFast = polledAt.map { time - $0 < interval } ?? false
            if isFast { interval += 5 }
            polledAt = time
            return (isFast ? .slowDown : .pending, "poll")
        case .denied:
            state = .none
            return (.denied, "poll")
        case .approved, .none:
            state = .none
            return (nil, "poll")
        }
    }
}

/// Compares the service with ``DeviceModel`` in every state that two applications, a lost response, a failed commit and
/// waiting can reach.
@Suite(.timeLimit(.minutes(60)))
struct DeviceModelTests {
    private struct Node {
        var model = DeviceModel()
        let world: World
        let ada: AccountID
        let session: Secret
        let device: Secret

        /// A copy that can go another way.
        func copy() throws -> Node {
            let world = try World(random: .system, store: MemoryAccountStore(copying: world.store))
            world.clock.advance(by: .seconds(model.time))
            return Node(model: model, world: world, ada: ada, session: session, device: device)
        }
    }

    private static let userCode = "BCDFGHJK"

    private static func start() async throws -> Node {
        let setting = try await GrantWorld { $0.grants = [.code, .refresh, .device] }
        let device = try #require(
            await setting.service.beginDeviceRequest(of: "wiki", scopes: ["openid"], userCode: Secret(userCode)))
        return Node(world: setting.world, ada: setting.ada.id, session: setting.session, device: device)
    }

    private func perform(_ action: DeviceModel.Action, on node: Node) async throws -> DeviceRefusal? {
        let service = node.world.service
        switch action {
        case .poll, .pollAsOther:
            let result = try await service.redeemDevice(node.device, by: action == .poll ? "wiki" : "blog")
            if case .success(let issued) = result { #expect(try await service.access(issued.access) != nil) }
            return result.failure
        case .allow, .deny:
            let entry = try await service.answerDeviceRequest(
                Secret(Self.userCode), allowing: action == .allow, token: node.session)
            return entry.refusal
        case .disconnect: try await service.endGrants(of: node.ada, to: "wiki")
        case .maintain: _ = try await service.maintain(by: .owner)
        case .waitForInterval, .waitForExpiry: node.world.clock.advance(by: .seconds(action.seconds ?? 0))
        }
        return nil
    }

    private func check(_ node: Node, after path: [DeviceModel.Action]) async throws {
        let (requests, grants) = try await node.world.store.read { (transaction) throws(AccountError) in
            (try transaction.deviceRequestCount, try transaction.grants(of: node.ada).count)
        }
        #expect(requests == (node.model.state == .none ? 0 : 1), "\(path.map(\.rawValue))")
        if node.model.isLive { #expect(grants == (node.model.hasGrant ? 1 : 0), "\(path.map(\.rawValue))") }
    }

    @Test func `device requests behave like the model in every state`() async throws {
        var transitions: Set<Transition> = [Transition(from: "none", event: "begin", to: "waiting")]
        var visited: Set<DeviceModel> = []
        var queue: [(node: Node, path: [DeviceModel.Action])] = [(try await Self.start(), [])]
        var performed = 0
        while let (node, path) = queue.popLast() {
            guard visited.insert(node.model).inserted else { continue }
            for action in DeviceModel.Action.allCases {
                // A lost response leaves the same state as a received one, so it needs no case of its own.
                for crash in [Crash.none, .beforeCommit] where crash == .none || action.seconds == nil {
                    var next = try node.copy()
                    let path = path + [action]
                    performed += 1
                    if crash == .beforeCommit {
                        next.world.store.fail { $0 == .commit ? .busy : nil }
                        do {
                            _ = try await perform(action, on: next)
                            Issue.record("\(path): a failed commit gave a response")
                        } catch { #expect(error as? AccountError == .store(.busy)) }
                        next.world.store.fail(nil)
                        try await check(next, after: path)
                    }
                    let (refusal, event) = next.model.perform(action)
                    #expect(try await perform(action, on: next) == refusal, "\(path.map(\.rawValue)) \(crash)")
                    try await check(next, after: path)
                    if let event {
                        transitions.insert(
                            Transition(from: node.model.state.rawValue, event: event, to: next.model.state.rawValue))
                    }
                    let isExplored = next.model.wrongCodes <= 2 && path.count(where: { $0.seconds != nil }) <= 3
                    if crash == .none, isExplored, next.model.interval <= 15 { queue.append((next, path)) }
                }
            }
        }
        #expect(performed > 500, "\(performed) calls in \(visited.count) states")
        #expect(transitions.sorted() == (try Transition.diagram(in: "DeviceRequest.swift").sorted()))
    }

    @Test func `maintenance leaves an approved device its grant, also with short access tokens`() async throws {
        var settings = AccountSettings()
        settings.openID.accessLifetime = .seconds(60)
        let node = try await Self.start()
        let world = try World(random: .system, settings: settings, store: MemoryAccountStore(copying: node.world.store))
        let entry = try await world.service.answerDeviceRequest(
            Secret(Self.userCode), allowing: true, token: node.session)
        #expect(entry.refusal == nil)
        world.clock.advance(by: .seconds(300))
        _ = try await world.service.maintain(by: .owner)
        #expect(try await world.service.redeemDevice(node.device, by: "wiki").failure == nil)
    }
}

extension DeviceEntry {
    /// The reason why a code leads nowhere; nil if a request waits or has waited for the answer.
    fileprivate var refusal: DeviceRefusal? {
        switch self {
        case .waiting: nil
        case .refused(let refusal, _): .refused(refusal)
        case .unknown: .unknown
        }
    }
}
