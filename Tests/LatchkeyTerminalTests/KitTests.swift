import LatchkeyForms
import LatchkeySecrets
import LatchkeySystem
import LatchkeyTerminal
import TestSupport
import Testing

/// The drawing components for other programs, each through its public interface.
@Suite(.timeLimit(.minutes(60)))
struct KitTests {
    private let start = ProgressMeter.Instant.now
    private let ascii = TerminalEnvironment(usesColor: false, isUTF8: false)

    // MARK: Progress

    @Test func `progress shows the amount done, the rate, and the remaining time`() {
        var meter = ProgressMeter(label: "Importing", total: 1000, at: start)
        #expect(meter.rate == nil && meter.timeLeft == nil)
        #expect(meter.sentence(in: .english) == "Importing: 0 of 1000")
        meter.advance(to: 100, at: start.advanced(by: .seconds(2)))
        #expect(meter.rate == 50 && meter.timeLeft == .seconds(18))
        #expect(meter.sentence(in: .english) == "Importing: 100 of 1000, 50/s, 0:18 left")
        #expect(
            meter.frame(columns: 80).lines(isUTF8: false) == [
                "Importing  ####....................................  100/1000  50/s  0:18"
            ])
        #expect(meter.frame(columns: 40).lines(isUTF8: false) == ["Importing  ......  100/1000  50/s  0:18"])
        #expect(meter.frame(columns: 20).lines(isUTF8: false) == ["Importing  100/1000"])
        meter.advance(to: 50, at: start.advanced(by: .seconds(3)))
        #expect(meter.done == 100, "it never goes back")
    }

    @Test func `a program's custom sentences override those of the terminal`() {
        let own = MessageTable.portuguese.adding(["progress.begun": "{done}/{total}"])
        #expect(ProgressMeter(label: "Importing", total: 1000, at: start).sentence(in: own) == "0/1000")
        let list = SelectionList(title: "", options: []).frame(columns: 40, in: own.adding(["keys.cancel": "Fora"]))
        let keys = list.lines.last?.runs ?? []
        #expect(keys.contains(.text("Enter: escolher", .hint)) && keys.contains(.text("Fora", .hint)))
    }

    @Test func `lists and tables mark the selected row and cut long text`() {
        var builder = FrameBuilder(columns: 20)
        builder.item([.text("first", .value)], number: 1, isSelected: false)
        builder.item([.text("second, which is long", .value)], number: 2, isSelected: true)
        #expect(builder.frame.lines(isUTF8: true) == ["  1 first", "❯ 2 second, which …"])
        #expect(builder.frame.cursor.line == 1 && builder.frame.cursor.column == 2)
        builder.table(
            TextTable(columns: [.init("name"), .init("n", .right)], rows: [["a", "1"], ["b", "2"]]), selected: 1)
        #expect(builder.frame.lines(isUTF8: true).suffix(3) == ["  name  n", "  a     1", "❯ b     2"])
        #expect(builder.frame.cursor.line == 4)
        builder.keys(["a: add", "b: bid\u{7}"])
        #expect(builder.frame.lines(isUTF8: true).last == #"a: add  b: bid\u{7}"#)
    }

    @Test func `the rate covers the last ten seconds`() {
        var meter = ProgressMeter(label: "", total: nil, at: start)
        for second in 1...60 { meter.advance(to: second, at: start.advanced(by: .seconds(second))) }
        for second in 61...80 { meter.advance(to: 60 + (second - 60) * 100, at: start.advanced(by: .seconds(second))) }
        #expect(meter.rate == 100)
        #expect(meter.timeLeft == nil)
        #expect(meter.sentence(in: .english) == ": 2060, 100/s")
    }

    @Test(arguments: [
        (1, 3600, "1:00:00"), (1, 59, "0:59"), (1, 61, "1:01"), (1, 86399, "23:59:59"), (3600, 1, "0:01"),
    ])
    func `the remaining time is formatted like a clock`(rate: Int, left: Int, text: String) {
        var meter = ProgressMeter(label: "x", total: rate + left, at: start)
        meter.advance(to: rate, at: start.advanced(by: .seconds(1)))
        #expect(meter.sentence(in: .english).hasSuffix(", \(text) left"))
    }

    @Test func `on a terminal, the progress bar stays on its line, and its final state remains`() {
        let port = ScriptedTerminal(columns: 60)
        let clock = Locked(start)
        let bar = ProgressBar(
            label: "Importing", total: 200, output: port, isTerminal: true, environment: ascii,
            now: { clock.withLock { $0 } })
        for done in 1...200 {
            clock.withLock { $0 = $0.advanced(by: .milliseconds(20)) }
            bar.update(done: done)
        }
        func screen() -> VTScreen {
            var screen = VTScreen(columns: 60, rows: 5)
            screen.feed(port.output)
            return screen
        }
        #expect(screen().lines[0].hasPrefix("Importing  ##") && screen().row == 0)
        #expect(port.text.split(separator: "Importing").count <= 41, "no more often than every 100 ms")
        bar.finish(saying: "200 accounts imported")
        bar.update(done: 200)
        #expect(screen().text == "200 accounts imported" && screen().row == 1)
    }

    @Test func `a program's output appears above the progress bar`() {
        let port = ScriptedTerminal(columns: 60)
        let start = start
        let bar = ProgressBar(
            label: "Applying", total: 3, output: port, isTerminal: true, environment: ascii, now: { start })
        for (number, line) in ["create ada\r\n", "create bo\r\n", "create cy\r\n"].enumerated() {
            bar.makeRoom { port.write(Array(line.utf8).span) }
            bar.update(done: number + 1)
        }
        var screen = VTScreen(columns: 60, rows: 6)
        screen.feed(port.output)
        #expect(screen.lines[..<3] == ["create ada", "create bo", "create cy"])
        #expect(screen.lines[3].hasPrefix("Applying  ##"), "at once, however soon after the one before")
        bar.finish(saying: nil)
        screen = VTScreen(columns: 60, rows: 6)
        screen.feed(port.output)
        #expect(screen.text == "create ada\ncreate bo\ncreate cy" && screen.row == 3)
    }

    @Test func `a spinner turns until the end, and shows when the work is stopping`() async throws {
        let port = ScriptedTerminal(columns: 60)
        let isStopping = Locked(false)
        let bar = ProgressBar(
            label: "Importing", total: nil, output: port, isTerminal: true, environment: ascii)
        bar.animate { isStopping.withLock { $0 } }
        await port.expect("- Importing  0")
        await port.expect("\\")
        isStopping.withLock { $0 = true }
        await port.expect("Stopping.  0")
        bar.finish(saying: "Stopped")
        var screen = VTScreen(columns: 60, rows: 3)
        screen.feed(port.output)
        #expect(screen.text == "Stopped")
    }

    @Test func `without a terminal, progress is printed every ten seconds without escape sequences`() {
        let port = ScriptedTerminal()
        let clock = Locked(start)
        let bar = ProgressBar(
            label: "Importing", total: 3500, output: port, isTerminal: false, environment: TerminalEnvironment(),
            now: { clock.withLock { $0 } })
        for done in 1...3500 {
            clock.withLock { $0 = $0.advanced(by: .milliseconds(10)) }
            bar.update(done: done)
        }
        bar.finish(saying: "3500 accounts imported")
        #expect(
            port.text == """
                Importing: 1000 of 3500, 100/s, 0:25 left
                Importing: 2000 of 3500, 100/s, 0:15 left
                Importing: 3000 of 3500, 100/s, 0:05 left
                3500 accounts imported

                """)
    }

    // MARK: Tables and lists

    private let table = TextTable(
        columns: [TextTable.Column("Name"), TextTable.Column("Logins", .right), TextTable.Column("Note")],
        rows: [["ada", "12", "日本語"], ["grace", "7"], ["x\u{1B}[31m", "1000", "long note that goes on and on"]])

    @Test func `a table is as wide as its contents`() {
        #expect(
            table.frame(columns: nil).lines(isUTF8: true) == [
                "Name         Logins  Note",
                "ada              12  日本語",
                "grace             7",
                "x\\u{1B}[31m    1000  long note that goes on and on",
            ])
    }

    @Test(arguments: [80, 40, 30, 20, 10, 1])
    func `a table that is too wide is cut, with a mark`(columns: Int) {
        let frame = table.frame(columns: columns)
        #expect(frame.lines.count == 4)
        #expect(frame.lines.allSatisfy { $0.columns < max(columns, 2) })
        if (20...40).contains(columns) { #expect(frame.lines(isUTF8: true)[3].contains("…")) }
    }

    @Test func `a list wraps around at its ends and returns the chosen option`() {
        var list = SelectionList(title: "Which?", options: (1...30).map { "option \($0)" })
        #expect(list.handle(.key(.previous)) == .stay && list.selected == 29)
        #expect(list.handle(.key(.next)) == .stay && list.selected == 0)
        for _ in 0..<20 { _ = list.handle(.key(.next)) }
        #expect(list.handle(.key(.submit)) == .finish(20))
        #expect(list.handle(.key(.cancel)) == .leave && list.handle(.key(.reveal)) == .bell)
        #expect(SelectionList(title: "", options: []).frame(columns: 20, in: .english).lines.isEmpty == false)
        var paged = list
        for (key, place) in [(Action.Key.home, 0), (.pageDown, 10), (.pageDown, 20), (.pageDown, 29), (.pageUp, 19)] {
            #expect(paged.handle(.key(key)) == .stay && paged.selected == place)
        }
        for (letter, place) in [("j", 21), ("k", 20), ("7", 6), ("o", 7)] {
            #expect(list.handle(.insert(Secret(letter))) == .stay && list.selected == place)
        }
        #expect(list.handle(.insert(Secret("x"))) == .bell && list.handle(.insert(Secret("99"))) == .bell)
        #expect(list.handle(.insert(Secret("?"))) == .stay)
        #expect(list.frame(columns: 80, in: .english).lines(isUTF8: true).contains { $0.contains("Home, End") })
        #expect(list.handle(.insert(Secret("?"))) == .stay)
        for _ in 0..<13 { _ = list.handle(.key(.next)) }
        var none = SelectionList(title: "", options: ["a", "b"], selecting: nil)
        #expect(none.handle(.key(.submit)) == .bell && none.handle(.key(.previous)) == .stay && none.selected == 1)
        // Eight rows: the title, the selection with its neighbours, and the keys.
        let port = ScriptedTerminal(columns: 40, rows: 8)
        var renderer = Renderer(output: port, environment: ascii)
        renderer.show(list.frame(columns: 40, in: .english), size: port.size)
        var screen = VTScreen(columns: 40, rows: 8)
        screen.feed(port.output)
        #expect(
            screen.lines[0] == "Which? ^" && screen.lines[screen.row] == "> option 21"
                && screen.lines.contains { $0.hasSuffix(" v") } && screen.lines[7].contains("?: "))
    }

    @Test(arguments: [80, 40])
    func `a row of a list that is too long ends with an ellipsis`(columns: Int) {
        let list = SelectionList(title: "", options: [String(repeating: "sessão ", count: 20)])
        let frame = list.frame(columns: columns, in: .portuguese)
        #expect(frame.lines.allSatisfy { $0.columns < columns })
        #expect(frame.lines(isUTF8: true).contains { $0.hasPrefix("❯ sessão") && $0.hasSuffix("…") })
    }

    @Test func `a spinner turns with and without Unicode symbols`() {
        #expect((0...4).map { Spinner.text(at: $0, isUTF8: false) } == ["-", "\\", "|", "/", "-"])
        #expect(Set((0..<10).map { Spinner.text(at: $0, isUTF8: true) }).count == 10)
        #expect(Spinner.step(after: .milliseconds(250)) == 2 && Spinner.step(after: .seconds(-1)) == 0)
    }
}
