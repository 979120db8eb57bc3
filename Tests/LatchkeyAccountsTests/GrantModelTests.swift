import LatchkeyAccounts
import LatchkeySecrets
import TestSupport
import Testing

/// Compares the service with ``GrantModel`` in every state that two applications, a lost response, a failed commit and
/// waiting can reach.
@Suite(.timeLimit(.minutes(60)))
struct GrantModelTests {
    /// A state of the model with a store in that state.
    private struct Node {
        var model = GrantModel()
        let world: World
        let ada: AccountID
        let code: Secret
        /// The refresh tokens that the application has got; nil for those whose response was lost.
        var tokens: [Secret?] = []

        /// A copy that can go another way.
        func copy() throws -> Node {
            let world = try World(random: .system, store: MemoryAccountStore(copying: world.store))
            world.clock.advance(by: .seconds(model.time))
            return Node(model: model, world: world, ada: ada, code: code, tokens: tokens)
        }
    }

    /// The states that are not explored again. The time of the tokens is part of the state, and the text of a token is not.
    private struct Key: Hashable {
        let model: GrantModel
        let known: [Bool]
    }

    private static func start() async throws -> Node {
        let setting = try await GrantWorld()
        let code = try await setting.code(["openid", "offline_access"], challenge: "challenge")
        return Node(world: setting.world, ada: setting.ada.id, code: code)
    }

    /// Performs an action with the service. Returns its refusal.
    private func perform(_ action: GrantModel.Action, on node: inout Node) async throws -> TokenRefusal? {
        let service = node.world.service
        let result: Result<IssuedTokens, TokenRefusal>
        switch action {
        case .redeem, .redeemAsOther, .redeemWithoutVerifier:
            result = try await service.redeem(
                node.code, by: action == .redeemAsOther ? "blog" : "wiki", redirectURI: GrantWorld.redirectURI
            ) { $0 == "challenge" && action != .redeemWithoutVerifier }
        case .refreshFirst, .refreshSecond, .refreshThird, .refreshAsOther:
            result = try await service.refresh(
                try #require(node.tokens[action.token ?? 0]), by: action == .refreshAsOther ? "blog" : "wiki",
                scopes: nil)
        case .disconnect:
            try await service.endGrants(of: node.ada, to: "wiki")
            return nil
        case .maintain:
            _ = try await service.maintain(by: .owner)
            return nil
        case .waitForLeeway, .waitForCode, .waitForExpiry:
            node.world.clock.advance(by: .seconds(action.seconds ?? 0))
            return nil
        }
        switch result {
        case .failure(let refusal): return refusal
        case .success(let issued):
            let number = action.token.map { $0 + 1 } ?? 0
            if number < node.tokens.count, let known = node.tokens[number] {
                #expect(known.text == issued.refresh?.text, "a token has one successor")
            }
            node.tokens += [Secret?](repeating: nil, count: max(0, number + 1 - node.tokens.count))
            node.tokens[number] = issued.refresh
            #expect(try await service.access(issued.access) != nil)
            return nil
        }
    }

    /// Compares the rows with the model.
    private func check(_ node: Node, after path: [GrantModel.Action]) async throws {
        let rows = try await node.world.store.read { (transaction) throws(AccountError) in
            try transaction.grants(of: node.ada)
        }
        #expect(rows.count == (node.model.exists ? 1 : 0), "\(path)")
        let unused = node.model.tokens.count { $0.usedAt == nil }
        #expect(unused <= 1, "\(path)")
    }

    @Test func `codes and refresh tokens behave like the model in every state`() async throws {
        var transitions: Set<Transition> = [Transition(from: "none", event: "authorize", to: "code")]
        var visited: Set<Key> = []
        var queue: [(node: Node, path: [GrantModel.Action])] = [(try await Self.start(), [])]
        var performed = 0
        while let (node, path) = queue.popLast() {
            guard visited.insert(Key(model: node.model, known: node.tokens.map { $0 != nil })).inserted else {
                continue
            }
            for action in GrantModel.Action.allCases {
                if let number = action.token, !node.tokens.indices.contains(number) || node.tokens[number] == nil {
                    continue
                }
                for crash in Crash.allCases {
                    if crash != .none, action.seconds != nil || action == .maintain { continue }
                    var next = try node.copy()
                    var model = node.model
                    let path = path + [action]
                    performed += 1
                    if crash == .beforeCommit {
                        next.world.store.fail { $0 == .commit ? .busy : nil }
                        do {
                            _ = try await perform(action, on: &next)
                            Issue.record("\(path): a failed commit gave a response")
                        } catch { #expect(error as? AccountError == .store(.busy)) }
                        next.world.store.fail(nil)
                        try await check(next, after: path)
                        #expect(try await perform(action, on: &next) == model.perform(action).refusal, "\(path): again")
                        continue
                    }
                    let (refusal, event) = model.perform(action)
                    let tokens = next.tokens
                    let found = try await perform(action, on: &next)
                    #expect(found == refusal, "\(path)")
                    if let event {
                        transitions.insert(Transition(from: node.model.name, event: event, to: model.name))
                    }
                    next.model = model
                    if crash == .afterCommit {
                        // The application has not got the tokens, and may try again with those that it has.
                        let lost = max(0, model.tokens.count - tokens.count)
                        next.tokens = tokens + [Secret?](repeating: nil, count: lost)
                    }
                    try await check(next, after: path)
                    let isExplored = model.tokens.count <= 3 && path.count(where: { $0.seconds != nil }) <= 2
                    if isExplored { queue.append((next, path)) }
                }
            }
        }
        #expect(performed > 1_000, "\(performed) calls in \(visited.count) states")
        #expect(transitions.sorted() == (try Transition.diagram(in: "AccessGrant.swift").sorted()))
    }
}
