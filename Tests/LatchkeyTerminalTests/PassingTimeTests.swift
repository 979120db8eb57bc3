import LatchkeyFlows
import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import TestSupport
import Testing

@testable import LatchkeyTerminal

/// Changes with time: calls and waits.
@Suite(.timeLimit(.minutes(60)))
struct PassingTimeTests {
    private let start = FormMachine.Instant.now

    private func loggingIn() throws -> (FormViewModel, FormMachine) {
        let model = FormViewModel(form: try FormCatalogue.shipped.form(for: .login))
        var machine = FormMachine(for: model.state)
        for word in ["answer:ada", "answer:secret"] {
            _ = machine.handle(try ActionScript.action(word), on: model, at: start)
        }
        return (model, machine)
    }

    private func text(_ machine: FormMachine, _ model: FormViewModel, after time: Duration) -> String {
        machine.frame(of: model.state, columns: 80, at: start.advanced(by: time), in: .english)
            .lines(isUTF8: true).joined(separator: "\n")
    }

    @Test func `a call shows a spinner after a moment, and another text if it takes long`() throws {
        var (model, machine) = try loggingIn()
        let idle = start.advanced(by: .seconds(300))
        #expect(machine.deadline(after: start) == idle, "no call is running")
        machine.update(.busy, at: start)
        machine.update(.busy, at: start.advanced(by: .seconds(1)))
        #expect(machine.deadline(after: start) == start.advanced(by: .milliseconds(300)))
        #expect(!text(machine, model, after: .milliseconds(299)).contains("One moment"))
        #expect(text(machine, model, after: .milliseconds(300)).contains("⠋ One moment…"))
        let second = start.advanced(by: .milliseconds(300))
        #expect(machine.deadline(after: second) == start.advanced(by: .milliseconds(400)))
        #expect(text(machine, model, after: .milliseconds(450)).contains("⠙ One moment…"))
        #expect(text(machine, model, after: .seconds(5)).contains("Still working… Ctrl-C cancels"))
        machine.update(.idle, at: second)
        #expect(machine.deadline(after: second) == idle)
        #expect(!text(machine, model, after: .seconds(5)).contains("Still working"))
    }

    @Test func `a wait counts down each second, and Enter does not submit before its end`() throws {
        var (model, machine) = try loggingIn()
        model.callEnded(FrameTests.throttled)
        machine.callEnded(model.state, at: start)
        #expect(text(machine, model, after: .zero).contains("Try again in 27 s"))
        #expect(machine.deadline(after: start) == start.advanced(by: .seconds(1)))
        #expect(text(machine, model, after: .milliseconds(1001)).contains("Try again in 26 s"))
        // The form can be filled in and left while the countdown runs.
        _ = machine.handle(.insert(Secret("secret")), on: model, at: start)
        #expect(text(machine, model, after: .seconds(20)).contains("Try again in 7 s"))
        func effects(_ action: Action, _ seconds: Int) -> [String] {
            machine.handle(action, on: model, at: start.advanced(by: .seconds(seconds))).map(ActionScript.word)
        }
        #expect(effects(.key(.submit), 26) == ["wait"])
        #expect(effects(.followLink(1), 26) == ["follow:forgotPassword"])
        #expect(effects(.key(.tick), 27) == [])
        #expect(model.state.alert == nil)
        #expect(!text(machine, model, after: .seconds(27)).contains("Try again"))
        #expect(effects(.key(.submit), 27) == ["submit"])
    }

    @Test func `after Enter, the form is submitted at the end of the wait unless another key is pressed`() throws {
        for changes in [false, true] {
            var (model, machine) = try loggingIn()
            model.callEnded(FrameTests.throttled)
            machine.callEnded(model.state, at: start)
            #expect(machine.handle(.key(.submit), on: model, at: start).map(ActionScript.word) == ["wait"])
            machine.submitsAfterWait = true
            #expect(text(machine, model, after: .zero).contains("Your answers go out in 27 s"))
            if changes { _ = machine.handle(.key(.left), on: model, at: start) }
            let end = start.advanced(by: .seconds(27))
            let requests = machine.handle(.key(.tick), on: model, at: end).map(ActionScript.word)
            #expect(requests == (changes ? [] : ["submit"]) && model.state.isBusy == !changes)
        }
    }

    @Test func `secrets are erased after five minutes without a key`() throws {
        var (model, machine) = try loggingIn()
        model.callEnded(FrameTests.wrong)
        machine.callEnded(model.state, at: start)
        _ = machine.handle(.key(.left), on: model, at: start)
        func graphemes(after seconds: Int) -> FormViewState.Text? {
            _ = machine.handle(.key(.tick), on: model, at: start.advanced(by: .seconds(seconds)))
            return model.state.fields.last?.text
        }
        #expect(graphemes(after: 299) == .secret(graphemes: 6))
        #expect(graphemes(after: 300) == .secret(graphemes: 0))
        #expect(model.state.fields.allSatisfy { $0.message == nil })
    }

    @Test func `the first key after a refusal replaces the secret`() throws {
        for (action, count) in [
            (Action.insert(Secret("ab")), 2), (.paste(Secret("abc\n")), 3), (.key(.deleteBack), 0), (.key(.left), 6),
        ] {
            var (model, machine) = try loggingIn()
            model.callEnded(FrameTests.wrong)
            machine.callEnded(model.state, at: start)
            #expect(machine.focus == .field(.password))
            _ = machine.handle(action, on: model, at: start)
            #expect(model.state.fields.last?.text == .secret(graphemes: count))
        }
    }

    @Test func `line by line, the wait is reported once, and again on request`() async throws {
        let clock = Locked(start)
        let answers = Locked(0)
        let stage = try Stage(Stage.plain, clock: clock) { _, _ in
            let first = answers.withLock { count in
                count += 1
                return count == 1
            }
            return first ? .throttled(retryAfter: .seconds(27)) : .success(Stage.ada)
        }
        let port = stage.port
        await port.expect("Username or e-mail: ")
        port.enter("ada")
        await port.expect("Password: ")
        port.enter("correct horse")
        await port.expect("Too many attempts. Try again in 27 s\n")
        await port.expect("Password: ")
        clock.withLock { $0 = $0.advanced(by: .seconds(7)) }
        port.enter("correct horse")
        await port.expect("Too many attempts. Try again in 20 s\nPassword: ")
        port.enter("")
        await port.expect("? shows help: ")
        clock.withLock { $0 = $0.advanced(by: .seconds(2)) }
        port.enter("?")
        await port.expect("Too many attempts. Try again in 18 s\n")
        await port.expect("Password: ")
        clock.withLock { $0 = $0.advanced(by: .seconds(18)) }
        port.enter("correct horse")
        await port.expect("Logged in as ada")
        #expect(await stage.running.value == .finished(CompletedFlow(.login, .success(Stage.ada))))
        #expect(stage.network.calls.count == 2)
        #expect(port.text.split(separator: "Try again").count == 4)
    }

    @Test func `line by line, a long call is reported twice`() async throws {
        let clock = Locked(start)
        let (began, gate) = (TestGate(), TestGate())
        let stage = try Stage(Stage.plain, clock: clock) { _, _ in
            began.open()
            await gate.wait()
            return .success(Stage.ada)
        }
        await stage.port.expect("Username or e-mail: ")
        stage.port.enter("ada")
        await stage.port.expect("Password: ")
        stage.port.enter("correct horse")
        await began.wait()
        for time in [Duration.seconds(1), .seconds(5)] {
            clock.withLock { [start] in $0 = start.advanced(by: time) }
            stage.port.send(.resized)
            await stage.port.expect(time < .seconds(5) ? "One moment…\n" : "Still working… Ctrl-C cancels\n")
        }
        gate.open()
        await stage.port.expect("Logged in as ada")
        #expect(await stage.running.value == .finished(CompletedFlow(.login, .success(Stage.ada))))
    }

    @Test func `line by line, the strength of a password is reported only if it is new`() async throws {
        let stage = try Stage(Stage.plain, opening: .setup, until: .success(of: .setup)) { _, _ in .success() }
        await stage.port.expect("E-mail: ")
        stage.port.enter("ada@example.org")
        await stage.port.expect("Username: ")
        stage.port.enter("ada")
        await stage.port.expect("Password: ")
        stage.port.enter("password1815")
        await stage.port.expect("eak: ")
        await stage.port.expect("\nPassword again: ")
        stage.port.enter("password1815")
        await stage.port.expect("Enter: Create account")
        stage.port.enter("")
        #expect(await stage.running.value == .finished(CompletedFlow(.setup, .success())))
        #expect(stage.port.text.split(separator: "eak: ").count == 2)
        #expect(!stage.port.output.contains(0x1B))
    }
}
