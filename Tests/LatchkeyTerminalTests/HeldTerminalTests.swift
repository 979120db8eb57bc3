import Glibc
import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal
import TestSupport
import Testing

/// The screens of a program on one terminal.
@Suite(.timeLimit(.minutes(60)))
struct HeldTerminalTests {
    private struct Name: FormTextField {
        let apiKey: FieldKey = "name"
        let placeholder = "name"
        let validationRules: [any Rule] = [RequiredRule()]
    }

    private let port = ScriptedTerminal(columns: 40, rows: 10)
    private let held: HeldTerminal

    init() { held = HeldTerminal(port) }

    /// A screen that lists its keys until a period.
    private func listen(isPlain: Bool = false) async -> TerminalEnding<String> {
        var heard = ""
        return await ScreenLoop(port: held, environment: TerminalEnvironment(isPlain: isPlain)).run(
            frame: { columns in
                var builder = FrameBuilder(columns: columns)
                builder.text("heard \(heard)", .title)
                return builder.frame
            },
            handling: { action in
                if action.letter == "." { return .finish(heard) }
                heard += action.text ?? ""
                return .stay
            })
    }

    private func prompt() -> FormPrompt {
        FormPrompt(
            form: Form(id: "trial", title: "A trial", submit: "Go", fields: [Name()]), port: held,
            environment: Stage.rich)
    }

    @Test func `keys that arrive between two screens go to the next one`() async {
        async let first = listen()
        await port.expect("heard")
        port.type("ab.c")
        #expect(await first == .finished("ab"))
        #expect(port.isTaken && !port.echoes, "keys are not echoed in the meantime")
        port.type("d.e")
        #expect(await listen() == .finished("cd"))
        held.release()
        #expect(!port.isTaken)
        _ = port.takeOutput()
        async let last = listen()
        await port.expect("heard")
        port.type("f.")
        #expect(await last == .finished("f"), "release discards unread input")
    }

    @Test func `a signal between two screens ends the next one`() async {
        async let first = listen()
        await port.expect("heard")
        port.type(".")
        #expect(await first == .finished(""))
        port.send(.signal(SIGTERM))
        #expect(await listen() == .killed(by: SIGTERM))
    }

    @Test func `keys after a form that the program ends go to the next screen`() async {
        for _ in 0..<100 {
            let prompt = prompt()
            async let ending = prompt.run()
            await port.expect("A trial")
            await prompt.leave()
            guard case .left = await ending else {
                Issue.record("the form did not end")
                return
            }
            port.type("x.")
            #expect(await listen() == .finished("x"))
        }
    }

    @Test func `a form that ends while its editor is open restores the terminal`() async throws {
        let text = """
            { "form": "note", "title": "A note", "submit": "Go", "fields": [
              { "apiKey": "note", "label": "Note", "kind": "multiline", "rules": [{ "rule": "required" }] } ] }
            """
        var environment = Stage.rich
        environment.editor = "ed"
        let prompt = FormPrompt(
            form: try FormCatalogue.form(of: .init(file: "note", text: text)), port: held, environment: environment)
        async let ending = prompt.run()
        await port.expect("A note")
        port.type("\u{5}")
        while port.lent.isEmpty { await Task.yield() }
        await prompt.leave()
        guard case .left = await ending else {
            Issue.record("the form did not end")
            return
        }
        #expect(!port.isTaken)
    }

    @Test func `a screen in another mode takes over the terminal again`() async {
        async let first = listen()
        await port.expect("heard")
        port.type(".")
        _ = await first
        async let second = listen(isPlain: true)
        await port.expect("> ")
        #expect(port.echoes)
        port.enter("word")
        port.enter(".")
        #expect(await second == .finished("word"))
    }

    @Test func `keys typed during a check go to the next screen`() async {
        let gate = TestGate()
        let prompt = prompt()
        async let ending = prompt.run { _ in
            await gate.wait()
            return nil
        }
        await port.expect("A trial")
        // The second Enter sends the form. The third is impatience.
        port.type("ada\r\r\rnx")
        gate.open()
        port.type("\ry.")
        guard case .finished = await ending else {
            Issue.record("the form was not completed")
            return
        }
        #expect(await listen() == .finished("nxy"))
    }

    @Test func `keys typed during a check that refuses the form are dropped`() async {
        let gate = TestGate()
        let prompt = prompt()
        async let ending = prompt.run { answers in
            guard answers.text("name") == "ada" else { return nil }
            await gate.wait()
            return AlertViewModel(title: "Taken")
        }
        await port.expect("A trial")
        // Ctrl-L draws everything again, when the keys before it have been read.
        port.type("ada\r\rquit\u{C}")
        await port.expect("A trial")
        gate.open()
        await port.expect("\u{7}")
        await port.expect("Taken")
        port.type("\u{15}eve\r\r")
        guard case .finished(let answers) = await ending else {
            Issue.record("the form was not completed")
            return
        }
        #expect(answers.text("name") == "eve")
    }
}
