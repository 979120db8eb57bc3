import LatchkeyFlows
import LatchkeyForms
import LatchkeyTerminal
import LatchkeyTesting
import Testing

@testable import guestbook

@Suite(.timeLimit(.minutes(60)))
struct GuestBookTests {
    private let hotel = Hotel()

    @Test func `a guest signs the book in the terminal`() async throws {
        let terminal = ScriptedTerminal()
        let front = TerminalFront(
            coordinator: try await GuestBook.dependency(on: hotel).coordinator(), port: terminal,
            environment: TerminalEnvironment(variables: ["TERM": "xterm", "LANG": "C.UTF-8"]))
        async let ending = front.run()
        await terminal.expect("Guest book")
        terminal.type("Ada\r12\r\rThank you\r")
        await terminal.expect("Message needs at least 3 words")
        terminal.type(" all\r\r")
        guard case .finished = await ending else {
            Issue.record("the guest did not finish")
            return
        }
        #expect(await hotel.entries == ["Ada (good): Thank you all"])
    }

    @Test(
        arguments: [
            (["Ada", "12", "good", "Thank you all"], nil),
            (["Ada", "13", "good", "Thank you all"], "Wrong username or password"),
            (
                ["Ada", "12", "bad", "No"],
                "Your stay must be one of: good (Lovely), fair (Could be better)\nMessage needs at least 3 words"
            ),
        ] as [([String], String?)])
    func `a script signs the book with one line for each field`(lines: [String], problem: String?) async throws {
        var lines = lines[...]
        let coordinator = try await GuestBook.dependency(on: hotel).coordinator()
        let found = await GuestBook.sign(with: coordinator) { lines.popFirst() }
        #expect(found == problem)
        #expect(await hotel.entries.count == (problem == nil ? 1 : 0))
    }

    @Test func `a form in the flow has the values that its fields name`() throws {
        let model = FormViewModel(type: .login, in: try GuestBook.dependency(on: hotel).forms)
        model["stay"] = "FAIR"
        #expect(model["stay"] == "fair" && model.values == ["stay": "fair"])
        #expect(model.state["stay"]?.options.map(\.label) == ["Lovely", "Could be better"])
    }
}
