import Foundation
import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyTerminal

@Suite(.timeLimit(.minutes(60)))
struct RandomWalkTests {
    /// Random responses, equal for equal seeds.
    private static func answers(_ seed: UInt64) -> ScriptedNetworking.Rule {
        let random = RandomSource.seeded(seed)
        return { type, _ in
            await Task.yield()
            let number = (try? random.bytes(1)[0]) ?? 0
            switch number {
            case 0..<60:
                switch type {
                case .setup, .forgotPassword: return .success()
                // These keys would end the run.
                case .login, .changePassword, .resetPassword, .profile, .deleteAccount, .reauthenticate, .secondFactor,
                    .addFactor:
                    return .refused(.invalidCredentials)
                }
            case 60..<120: return .refused(.invalidCredentials)
            case 120..<160: return .refused(.taken, [RuleFailure(code: .taken, field: .username)])
            case 160..<180: return .changeRequired()
            case 180..<220: return .throttled(retryAfter: .milliseconds(1))
            default: return .unavailable()
            }
        }
    }

    /// `scripts/walk` runs a million actions.
    private static let steps = ProcessInfo.processInfo.environment["LATCHKEY_WALK"].flatMap { Int($0) } ?? 8000

    @Test(arguments: AccountType.allCases)
    func `after any sequence of keys, at most one call is requested at a time`(type: AccountType) throws {
        let form = try FormCatalogue.shipped.form(for: type).askingTwice(.english)
        var model = FormViewModel(form: form)
        var machine = FormMachine(for: model.state)
        var keys = RandomKeys(seed: 7)
        var calls = 0
        for number in 0..<(Self.steps / AccountType.allCases.count) {
            let wasBusy = model.state.isBusy
            let effects = machine.handle(keys.next(), on: model, at: .now)
            for case .submit in effects {
                #expect(!wasBusy && model.state.isBusy)
                calls += 1
            }
            #expect(machine.focus.isStop(of: model.state))
            guard number % 4 == 0 || model.state.isBusy else { continue }
            let frame = machine.frame(of: model.state, columns: 20 + number % 70, at: .now, in: .english)
            #expect(frame.lines.indices.contains(frame.cursor.line))
            if model.state.isBusy && number % 7 == 0 {
                model.callEnded(FrameTests.taken)
                machine.callEnded(model.state, at: .now)
            }
            if calls > 3 {
                model = FormViewModel(form: form)
                machine = FormMachine(for: model.state)
                calls = 0
            }
        }
        let out = machine.handle(.key(.cancel), on: model, at: .now)
        #expect(out.map(ActionScript.word) == ["cancel"])
    }

    @Test(arguments: [1, 2, 3, 4])
    func `after any sequence of keys, Esc quits`(seed: UInt64) async throws {
        let port = ScriptedTerminal(columns: 60, rows: 20)
        let network = ScriptedNetworking(answering: Self.answers(seed))
        let dependency = AppDependency(networking: network, forms: try FormCatalogue.shipped, opensWith: { .login })
        let front = TerminalFront(
            coordinator: AccountCoordinator(dependency: dependency, opening: .login, until: .signedIn),
            port: port, environment: TerminalEnvironment())
        let running = Task { await front.run() }
        await port.expect("Log in")
        var keys = RandomKeys(seed: seed)
        for _ in 0..<min(Self.steps * 3 / 8, 20_000) {
            switch keys.next() {
            case .key(.interrupt), .key(.quit), .key(.cancel), .key(.endOfText): continue
            case let action: port.send(.action(action))
            }
            _ = port.takeOutput()
            // Lets responses arrive in between.
            await Task.yield()
        }
        for _ in 0..<20 { port.send(.action(.key(.cancel))) }
        let result = await running.value
        #expect(network.calls.count > 10)
        #expect(result.isLeftOrFinished)
        #expect(!port.isTaken)
    }
}

extension Focus {
    fileprivate func isStop(of state: FormViewState) -> Bool { state.focusOrder.contains(self) }
}

extension TerminalEnding {
    fileprivate var isLeftOrFinished: Bool {
        switch self {
        case .left, .finished: true
        case .killed, .hungUp: false
        }
    }
}
