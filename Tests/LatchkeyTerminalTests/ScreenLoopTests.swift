import Glibc
import LatchkeyForms
import LatchkeySecrets
import LatchkeyTerminal
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct ScreenLoopTests {
    private let port = ScriptedTerminal(columns: 40, rows: 10)

    /// A counter: a key adds one, Esc leaves.
    private actor Counter {
        let loop: ScreenLoop
        var count = 0
        let refresh: ScreenRefresh

        init(on port: ScriptedTerminal, _ environment: TerminalEnvironment, _ refresh: ScreenRefresh) {
            loop = ScreenLoop(port: port, environment: environment)
            self.refresh = refresh
        }

        func add(_ number: Int) {
            count += number
            refresh.request()
        }

        func run() async -> TerminalEnding<Never> {
            await loop.run(
                refreshing: refresh,
                frame: { columns in
                    var builder = FrameBuilder(columns: columns)
                    builder.text("count \(count) on \(columns)", .title)
                    return builder.frame
                },
                handling: { action in
                    switch action {
                    case .key(.cancel): return .leave
                    case .insert, .answer, .key(.submit):
                        count += 1
                        return .stay
                    default: return .bell
                    }
                })
        }
    }

    private func counter(
        isPlain: Bool = false, refreshing refresh: ScreenRefresh = ScreenRefresh()
    ) -> Counter {
        Counter(on: port, TerminalEnvironment(isPlain: isPlain, usesColor: false), refresh)
    }

    @Test func `the frame is drawn after each key, and removed at the end`() async {
        let counter = counter()
        async let end = counter.run()
        await port.expect("count 0")
        port.type("x")
        await port.expect("count 1")
        port.type("\u{1B}")
        #expect(await end == .left)
        #expect(!port.isTaken)
        var screen = VTScreen(columns: 40, rows: 10)
        screen.feed(port.output)
        #expect(screen.lines.allSatisfy { $0.isEmpty })
    }

    /// Lists the actions until a period ends the loop, or `!` leaves it.
    private func listen(
        isPlain: Bool = false, refreshing refresh: ScreenRefresh = ScreenRefresh()
    ) async -> TerminalEnding<[String]> {
        var heard: [String] = []
        return await ScreenLoop(port: port, environment: TerminalEnvironment(isPlain: isPlain)).run(
            refreshing: refresh,
            frame: { columns in
                var builder = FrameBuilder(columns: columns)
                builder.text("heard \(heard.joined(separator: ","))", .title)
                return builder.frame
            },
            handling: { action in
                switch action.letter {
                case ".": return .finish(heard)
                case "!": return .leave
                case "r": refresh.leave()
                default: break
                }
                heard.append(action.letter.map { "\($0)" } ?? "[\(action.text ?? "")]")
                return .stay
            })
    }

    @Test func `each typed character is one action`() async {
        async let end = listen()
        await port.expect("heard")
        port.type("/d👩‍👩‍👧\u{1B}[200~ab\u{1B}[201~x.")
        #expect(await end == .finished(["/", "d", "👩‍👩‍👧", "[ab]", "x"]))
        #expect(port.text.contains("heard /,d"), "a frame is shown between two keys")
    }

    @Test(arguments: [".", "!"])
    func `what is typed after the end goes to the next screen, and pasted text stays pasted`(end: String) async {
        async let first = listen()
        await port.expect("heard")
        port.resize(columns: 50, rows: 10)
        port.type("a\(end)yz\u{1B}[200~.!\u{1B}[201~\r.lat")
        #expect(await first == (end == "." ? .finished(["a"]) : .left))
        #expect(await listen() == .finished(["y", "z", "[.!]", "[]"]))
        async let third = listen()
        await port.expect("heard l,a,t")
        port.type(".")
        #expect(await third == .finished(["l", "a", "t"]), "the rest of the rest")
    }

    @Test func `lines after the end go to the next screen`() async {
        async let first = listen(isPlain: true)
        await port.expect("heard")
        for line in [".", "y", "whole line", "."] { port.enter(line) }
        #expect(await first == .finished([]))
        #expect(await listen(isPlain: true) == .finished(["y", "[whole line]"]))
    }

    @Test func `when the program ends the loop, nothing goes to the next screen`() async {
        async let first = listen()
        await port.expect("heard")
        port.type("raaa")
        #expect(await first == .left)
        async let second = listen()
        await port.expect("heard")
        port.type(".")
        #expect(await second == .finished([]))
    }

    @Test func `a key without effect rings the bell`() async {
        async let end = counter().run()
        await port.expect("count 0")
        port.type("\t")
        await port.expect("\u{07}")
        port.type("\u{1B}")
        #expect(await end == .left)
    }

    @Test func `a change is shown after a refresh is requested`() async {
        let counter = counter()
        async let end = counter.run()
        await port.expect("count 0")
        await counter.add(41)
        await port.expect("count 41")
        // A second change after the first refresh.
        await counter.add(1)
        await port.expect("count 42")
        port.type("\u{1B}")
        #expect(await end == .left)
    }

    @Test(arguments: [false, true]) func `a program can end the loop without a key press`(isPlain: Bool) async {
        let refresh = ScreenRefresh()
        let counter = counter(isPlain: isPlain, refreshing: refresh)
        async let end = counter.run()
        await port.expect("count 0")
        refresh.leave()
        #expect(await end == .left)
    }

    @Test func `a message that appears rings the bell once`() async {
        let refresh = ScreenRefresh()
        let counter = counter(refreshing: refresh)
        async let end = counter.run()
        await port.expect("count 0")
        refresh.request(ringing: true)
        await port.expect("\u{7}")
        port.type("x")
        await port.expect("count 1")
        port.type("\u{1B}")
        #expect(await end == .left)
        #expect(port.output.count { $0 == 7 } == 1)
    }

    @Test func `a refresh that was requested before the loop started is shown`() async {
        let refresh = ScreenRefresh()
        refresh.request()
        let counter = counter(refreshing: refresh)
        async let end = counter.run()
        await port.expect("count 0")
        await counter.add(1)
        await port.expect("count 1")
        port.type("\u{1B}")
        #expect(await end == .left)
    }

    @Test(arguments: [("\u{3}", SIGINT), ("\u{1C}", SIGQUIT)])
    func `Ctrl-C and Ctrl-Backslash end the loop`(keys: String, signal: Int32) async {
        async let end = counter().run()
        await port.expect("count 0")
        port.type(keys)
        #expect(await end == .killed(by: signal))
        #expect(!port.isTaken)
    }

    @Test(arguments: [false, true]) func `a signal or a hang-up ends the loop`(isPlain: Bool) async {
        async let end = counter(isPlain: isPlain).run()
        await port.expect("count 0")
        port.send(.signal(SIGTERM))
        #expect(await end == .killed(by: SIGTERM))
        async let second = counter(isPlain: isPlain).run()
        await port.expect("count 0")
        port.send(.hungUp)
        #expect(await second == .hungUp)
        #expect(!port.isTaken)
    }

    @Test func `the loop can be suspended and continued, and adapts to the terminal's size`() async {
        async let end = counter().run()
        await port.expect("count 0 on 40")
        port.type("\u{1A}")
        await port.expect("count 0 on 40")
        #expect(port.suspensions == 1)
        port.resize(columns: 30, rows: 10)
        await port.expect("count 0 on 30")
        port.send(.signal(SIGCONT))
        await port.expect("count 0 on 30")
        port.type("\u{1B}")
        #expect(await end == .left)
    }

    @Test func `line by line, the frame is plain text`() async {
        async let end = counter(isPlain: true).run()
        await port.expect("count 0 on 40\n> ")
        port.enter("anything")
        await port.expect("count 1 on 40\n> ")
        port.enter("")
        await port.expect("count 2 on 40\n> ")
        port.send(.overlongLine)
        await port.expect("count 2 on 40\n> ")
        port.send(.endOfInput)
        #expect(await end == .left)
        #expect(!port.output.contains(0x1B))
    }

    @Test func `line by line, < goes back, and a backslash before it makes it an answer`() async {
        async let end = listen(isPlain: true)
        await port.expect("heard")
        for line in ["\\<", "\\<3", "\\\\<", "\\?", "<3", "<", "."] { port.enter(line) }
        #expect(await end == .finished(["<", "[<3]", "[\\<]", "[\\?]", "[<3]", "[]"]))
    }

    @Test func `line by line, news is written at once, and a message at the end has its own line`() async {
        let refresh = ScreenRefresh()
        let counter = counter(isPlain: true, refreshing: refresh)
        async let end = counter.run()
        await port.expect("count 0 on 40\n> ")
        await counter.add(1)
        refresh.announce("bob writes: \u{1B} " + String(repeating: "word ", count: 8))
        await port.expect("\nbob writes: \\u{1B} word word word word\nword word word word\n> ")
        #expect(!port.text.contains("count 1"), "a frame waits for the next line")
        port.enter("")
        await port.expect("count 2 on 40\n> ")
        refresh.leave()
        #expect(await end == .left)
        #expect(port.text.hasSuffix("> \n"))
    }

    @Test func `only a single typed character is a letter`() {
        #expect(Action.insert(Secret("d")).letter == "d" && Action.answer(Secret("é")).letter == "é")
        for action in [
            Action.insert(Secret("dd")), .answer(Secret("dd")), .paste(Secret("d")), .edited(Secret("d")),
            .key(.submit),
        ] {
            #expect(action.letter == nil)
        }
        #expect(Action.paste(Secret("a\nb")).text == "a\nb" && Action.key(.submit).text == nil)
        let bytes: [UInt8] = [0xFF]
        #expect(Action.insert(Secret(copying: bytes.span)).text == nil)
    }

    @Test func `the title of the window is set where there is one, and restored`() async {
        for (term, title) in [("xterm-256color", "Two \\u{1B} items"), ("linux", ""), ("vt220", ""), ("dumb", "")] {
            let port = ScriptedTerminal(columns: 40, rows: 10)
            let environment = TerminalEnvironment(variables: ["TERM": term, "LANG": "C.UTF-8"])
            async let end: TerminalEnding<Never> = ScreenLoop(port: port, environment: environment).run(
                frame: { columns in
                    var builder = FrameBuilder(columns: columns)
                    builder.titleWindow("Two \u{1B} items")
                    builder.text("shown", .plain)
                    return builder.frame
                }, handling: { _ in .leave })
            await port.expect("shown")
            var screen = VTScreen(columns: 40, rows: 10)
            screen.feed(Array("\u{1B}]2;before\u{1B}\\".utf8))
            screen.feed(port.takeOutput())
            #expect(screen.windowTitle == (title.isEmpty ? "before" : title), "\(term)")
            port.send(term == "dumb" ? .endOfInput : .action(.key(.cancel)))
            #expect(await end == .left)
            screen.feed(port.takeOutput())
            #expect(screen.windowTitle == "before" && screen.unknown.isEmpty, "\(term)")
        }
    }

    @Test func `a terminal that is in use cannot be taken over`() async {
        async let end = counter().run()
        await port.expect("count 0")
        #expect(await counter().run() == .hungUp)
        port.type("\u{1B}")
        #expect(await end == .left)
    }
}
