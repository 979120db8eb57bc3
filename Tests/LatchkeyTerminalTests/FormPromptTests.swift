import Glibc
import LatchkeyForms
import LatchkeySystem
import LatchkeyTerminal
import TestSupport
import Testing

/// A form without a flow, on a terminal in memory.
@Suite(.timeLimit(.minutes(60)))
struct FormPromptTests {
    private struct Field: FormTextField {
        let apiKey: FieldKey
        var placeholder: String { apiKey.rawValue }
        var validationRules: [any Rule] = [RequiredRule()]
        var isSecret = false
        var isOptional = false
    }

    private let port = ScriptedTerminal()

    private func ask(
        _ fields: [Field], _ environment: TerminalEnvironment = Stage.plain, prefill: [FieldKey: FieldInput] = [:]
    ) -> Task<TerminalEnding<Credentials>, Never> {
        let form = Form(id: "trial", title: "A trial", submit: "Go", links: [.login], fields: fields)
        let prompt = FormPrompt(form: form, port: port, environment: environment, prefill: prefill)
        return Task { await prompt.run() }
    }

    private func credentials(_ running: Task<TerminalEnding<Credentials>, Never>) async -> Credentials? {
        guard case .finished(let credentials) = await running.value else { return nil }
        return credentials
    }

    @Test(arguments: [Stage.plain, Stage.rich])
    func `a prompt asks for each field and returns the answers`(environment: TerminalEnvironment) async throws {
        let running = ask([Field(apiKey: "a"), Field(apiKey: "passphrase", isSecret: true)], environment)
        await port.expect("A trial")
        port.answer("one", in: environment)
        await port.expect("passphrase")
        port.answer("two", in: environment)
        let credentials = try #require(await credentials(running))
        #expect(credentials.text("a") == "one" && credentials.secret("passphrase")?.text == "two")
        #expect(!port.isTaken && !port.text.contains("Log in") && !port.text.contains("two"))
    }

    @Test func `a prefilled field is not asked for`() async throws {
        let running = ask([Field(apiKey: "a"), Field(apiKey: "b")], prefill: ["a": .text("one")])
        await port.expect("b: ")
        port.enter("two")
        let credentials = try #require(await credentials(running))
        #expect(credentials.text("a") == "one" && credentials.text("b") == "two")
    }

    @Test func `an optional secret can stay empty, and a required one is asked for again`() async throws {
        let running = ask([
            Field(apiKey: "s", isSecret: true), Field(apiKey: "t", isSecret: true, isOptional: true),
            Field(apiKey: "u", validationRules: [], isSecret: true),
        ])
        await port.expect("s: ")
        port.enter("")
        await port.expect("Nothing entered. Enter leaves it empty, < goes back, ? shows help: ")
        port.enter("")
        await port.expect("s is required\ns: ")
        port.enter("one")
        for secret in ["t (optional): ", "u: "] {
            await port.expect(secret)
            port.enter("")
            await port.expect("Nothing entered.")
            port.enter("")
        }
        let credentials = try #require(await credentials(running))
        #expect(credentials.secret("s")?.text == "one" && credentials.secret("t")?.text ?? "" == "")
    }

    @Test(arguments: [true, false])
    func `an interrupted form leaves a draft unless its check accepts the answers`(accepts: Bool) async throws {
        let form = Form(id: "trial", title: "A trial", submit: "Go", fields: [Field(apiKey: "a")])
        let prompt = FormPrompt(form: form, port: port, environment: Stage.rich)
        let (began, gate) = (TestGate(), TestGate())
        async let ending = prompt.run { _ in
            began.open()
            await gate.wait()
            return accepts ? nil : AlertViewModel(title: "Taken")
        }
        await port.expect("A trial")
        #expect(await prompt.draft.isEmpty, "nothing was typed")
        port.type("one\r\r")
        await began.wait()
        port.send(.signal(SIGTERM))
        guard case .killed(by: SIGTERM) = await ending else {
            Issue.record("the form did not end")
            return
        }
        gate.open()
        #expect(await prompt.draft == (accepts ? [:] : ["a": "one"]))
    }

    @Test(arguments: [true, false]) func `only a form without an earlier screen shows Cancelled`(goesBack: Bool) async {
        let form = Form(id: "trial", title: "A trial", submit: "Go", fields: [Field(apiKey: "a")])
        let prompt = FormPrompt(form: form, port: port, environment: Stage.rich, goesBack: goesBack)
        async let ending = prompt.run()
        await port.expect(goesBack ? "Esc: back" : "Esc: cancel")
        port.type("\u{1B}")
        guard case .left = await ending else {
            Issue.record("the form did not end")
            return
        }
        #expect(port.text.contains("Cancelled") != goesBack)
    }

    @Test func `on a narrow terminal, the highlighted option is visible`() async {
        let options = [
            FieldOption("one", label: "Yes or no"), FieldOption("two", label: "Agreement"), FieldOption("three"),
        ]
        let form = Form(
            id: "trial", title: "A trial", submit: "Go", fields: [ChoiceField("kind", label: "Kind", options: options)])
        let port = ScriptedTerminal(columns: 30, rows: 8)
        async let ending = FormPrompt(form: form, port: port, environment: Stage.rich).run()
        func screen() -> String {
            var screen = VTScreen(columns: 30, rows: 8)
            screen.feed(port.output)
            return screen.text
        }
        await port.expect("Esc: cancel")
        #expect(screen().contains("❯ ( ) Yes or no"), "without an answer, a pointer marks it")
        // Ctrl-L draws everything again after the keys before it.
        port.type("\u{1B}[C\u{1B}[C\u{C}")
        await port.expect("Esc: cancel")
        #expect(screen().contains("(*) three"))
        port.type("\r\r")
        guard case .finished(let answers) = await ending else {
            Issue.record("the form did not end")
            return
        }
        #expect(answers.text("kind") == "three")
    }

    @Test func `the field check runs once, when the focus leaves a field with a new answer`() async throws {
        let calls = Locked<[String]>([])
        let form = Form(id: "trial", title: "A trial", submit: "Go", fields: [Field(apiKey: "a"), Field(apiKey: "b")])
        let prompt = FormPrompt(form: form, port: port, environment: Stage.rich)
        let running = Task {
            await prompt.run(fields: { field, value in
                calls.withLock { $0.append("\(field.rawValue)=\(value.text)") }
                return value.text == "used" ? RuleFailure(code: .taken) : nil
            })
        }
        await port.expect("A trial")
        port.type("used\r")
        await port.expect("already taken")
        port.type("two\u{1B}[A")
        port.type("\u{15}free\r\r")
        let credentials = try #require(await credentials(running))
        #expect(credentials.text("a") == "free" && credentials.text("b") == "two")
        #expect(calls.withLock { $0 } == ["a=used", "b=two", "a=free"])
    }

    @Test func `an answer refused by the field check can still be submitted`() async throws {
        let form = Form(id: "trial", title: "A trial", submit: "Go", fields: [Field(apiKey: "a"), Field(apiKey: "b")])
        let prompt = FormPrompt(form: form, port: port, environment: Stage.rich)
        let running = Task { await prompt.run(fields: { _, _ in RuleFailure(code: .taken) }) }
        await port.expect("A trial")
        port.type("used\r")
        await port.expect("already taken")
        port.type("two\r")
        #expect(try #require(await credentials(running)).text("a") == "used")
    }

    @Test(arguments: [Stage.plain, Stage.rich])
    func `an alert of the check is shown in the form, and the answers remain`(
        environment: TerminalEnvironment
    ) async throws {
        let form = Form(id: "trial", title: "A trial", submit: "Go", fields: [Field(apiKey: "a"), Field(apiKey: "b")])
        let prompt = FormPrompt(form: form, port: port, environment: environment, present: ["b": "two"])
        let running = Task {
            await prompt.run { credentials in
                credentials.text("a") == "taken"
                    ? AlertViewModel(title: "Refused", failures: [RuleFailure(code: .taken, field: "a")]) : nil
            }
        }
        await port.expect("A trial")
        port.answer("taken", in: environment)
        await port.expect("two")
        port.answer("", in: environment)
        await port.expect("a is already taken")
        port.answer(environment.isPlain ? "free" : "\u{15}free", in: environment)
        if environment.isPlain { await port.expect("b [two]: ") }
        port.answer("", in: environment)
        let credentials = try #require(await credentials(running))
        #expect(credentials.text("a") == "free" && credentials.text("b") == "two")
    }

    @Test func `leaving a form does not wait for a running check`() async throws {
        let gate = TestGate()
        let form = Form(id: "trial", title: "A trial", submit: "Go", fields: [Field(apiKey: "a")])
        let prompt = FormPrompt(form: form, port: port, environment: Stage.rich)
        let running = Task {
            await prompt.run { _ in
                await gate.wait()
                return nil
            }
        }
        await port.expect("A trial")
        port.type("one\r")
        port.type("\u{1B}")
        guard case .left = await running.value else {
            Issue.record("it was waited for")
            return
        }
        gate.open()
        #expect(!port.isTaken)
    }

    @Test func `an answer can be cleared, and the next field is asked for`() async throws {
        let running = ask([Field(apiKey: "a", isOptional: true), Field(apiKey: "b")])
        await port.expect("a (optional): ")
        port.enter("one")
        await port.expect("b: ")
        port.enter("<")
        await port.expect("a (optional) [one]: ")
        port.enter(":empty")
        await port.expect("b: ")
        port.enter("two")
        let credentials = try #require(await credentials(running))
        #expect(credentials.text("a") == "" && credentials.text("b") == "two")
        #expect(
            port.text.split(separator: "[one]").count == 2, "it is asked for once more, and not again when it is empty")
    }

    @Test func `a field that must match a later one can be answered first`() async throws {
        let running = ask([
            Field(apiKey: "a", validationRules: [ConfirmationRule(field: "b")]), Field(apiKey: "b"),
        ])
        await port.expect("a: ")
        port.enter("one")
        await port.expect("b: ")
        port.enter("two")
        await port.expect("The two answers do not match\na [one]: ")
        port.enter("two")
        await port.expect("b [two]: ")
        port.enter("")
        #expect(await credentials(running)?.text("a") == "two")
    }

    @Test(arguments: [Stage.plain, Stage.rich])
    func `a program can end a prompt and keep its answers, without secrets`(
        environment: TerminalEnvironment
    ) async throws {
        let form = Form(
            id: "trial", title: "A trial", submit: "Go",
            fields: [Field(apiKey: "s", isSecret: true), Field(apiKey: "a"), Field(apiKey: "b")])
        let prompt = FormPrompt(form: form, port: port, environment: environment)
        let running = Task { await prompt.run() }
        await port.expect("A trial")
        port.answer("two", in: environment)
        if environment.isPlain { await port.expect("a: ") }
        port.answer("one", in: environment)
        await port.expect(environment.isPlain ? "b: " : "one")
        await prompt.leave()
        guard case .left = await running.value else {
            Issue.record("it did not end")
            return
        }
        #expect(await prompt.answers == ["a": .text("one")] && !port.isTaken)
        guard case .left = await prompt.run() else {
            Issue.record("it began again")
            return
        }
    }

    @Test(arguments: [Stage.plain, Stage.rich])
    func `a prompt ends when the user leaves, a signal arrives, or the terminal hangs up`(
        environment: TerminalEnvironment
    ) async throws {
        for (input, ending) in [
            (TerminalInput.signal(SIGTERM), "killed(by: 15)"), (.hungUp, "hungUp"),
            (environment.isPlain ? .endOfInput : .action(.key(.cancel)), "left"),
        ] {
            let running = ask([Field(apiKey: "a")], environment)
            await port.expect("A trial")
            port.send(input)
            #expect("\(await running.value)" == ending)
            #expect(!port.isTaken)
        }
    }
}

extension ScriptedTerminal {
    /// Enters an answer for the driver of `environment`.
    fileprivate func answer(_ text: String, in environment: TerminalEnvironment) {
        if environment.isPlain { enter(text) } else { type(text + "\r") }
    }
}
