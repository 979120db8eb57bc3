import LatchkeyForms
import LatchkeyTerminal
import TestSupport
import Testing

/// Every kind of field, asked line by line.
@Suite(.timeLimit(.minutes(60)))
struct FieldKindLineTests {
    private let port = ScriptedTerminal()

    private func ask(_ path: String) throws -> Task<TerminalEnding<Credentials>, Never> {
        let prompt = FormPrompt(form: try Fixture.form(path), port: port, environment: Stage.plain)
        return Task { await prompt.run() }
    }

    @Test(arguments: [("1", "5"), ("Fair", "3"), ("2", "3"), ("oor", "1")])
    func `an option is chosen by what the screen shows`(line: String, value: String) async {
        let options = [("5", "Excellent"), ("3", "Fair"), ("1", "Poor")].map { FieldOption($0.0, label: $0.1) }
        let form = Form(
            id: "trial", title: "A trial", submit: "Go",
            fields: [ChoiceField("stars", label: "Stars", options: options)])
        async let ending = FormPrompt(form: form, port: port, environment: Stage.plain).run()
        await port.expect("3. Poor")
        port.enter(line)
        guard case .finished(let answers) = await ending else {
            Issue.record("the form did not end")
            return
        }
        #expect(answers.text("stars") == value)
    }

    @Test func `each kind of field shows its options and its format`() async throws {
        let running = try ask("../../Forms/support.json")
        let conversation = [
            ("Subject: ", "Slow"),
            ("1. Login\n2. Mail\n3. Billing\n4. Something else\nArea (number or name): ", "2"),
            ("Where you see the problem\n1. Phone\n2. Tablet\n3. Computer\n4. Terminal\n", "1, tab"),
            ("Description (end with a line that contains only a dot): ", "It is slow."), ("", "\\."),
            ("", "Every day."),
            ("", "."),
            ("Since (optional) (year-month-day): ", "2026-02-30"),
            (
                "Enter a date, such as 2026-01-31\nSince (optional) [2026-02-30] (year-month-day): ",
                "2026-02-28"
            ),
            ("Call me back (yes/no): ", "y"), ("Phone: ", "+442079460958"),
            ("Subject: Slow\nArea: Mail\nDevices: Phone, Tablet\nDescription: It is slow. …\nSince: 2026-02-28\n", ""),
        ]
        for (expected, line) in conversation {
            await port.expect(expected)
            port.enter(line)
        }
        guard case .finished(let answers) = await running.value else {
            Issue.record("left")
            return
        }
        #expect(answers["area"] == .text("mail"))
        #expect(answers["devices"] == .list(["Phone", "Tablet"]))
        #expect(answers["description"] == .text("It is slow.\n.\nEvery day."))
        #expect(answers["call_back"] == .boolean(true) && answers.text("phone") == "+442079460958")
    }
}
