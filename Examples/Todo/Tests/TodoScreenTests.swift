import LatchkeyForms
import LatchkeySecrets
import LatchkeyTerminal
import LatchkeyTesting
import Testing

@testable import todo

/// Passes in events and keys, and checks frames and requests.
@Suite(.timeLimit(.minutes(60)))
struct TodoScreenTests {
    private static let messages = MessageTable.english.adding(TodoFailure.sentences)

    private func screen(_ todos: Todo...) -> TodoScreen {
        var screen = TodoScreen(title: "Todos of ada", messages: Self.messages)
        let list = TodoList(of: todos)
        screen.take(.response(1, .list(list, RowChanges(from: [], to: list.rows))))
        return screen
    }

    private func lines(_ screen: TodoScreen, columns: Int = 60) -> [String] {
        screen.frame(columns: columns).lines(isUTF8: true)
    }

    private let milk = Todo(id: 4, draft: TodoDraft(title: "Buy milk", due: CalendarDate("2026-01-31")))
    private let bob = Todo(id: 7, draft: TodoDraft(title: "Call Bob"), isDone: true)

    @Test func `the list shows open todos first`() {
        #expect(
            lines(screen(bob, milk)) == [
                "Todos of ada", "1 open, 1 done", "", "❯ 1   Buy milk  due 2026-01-31", "  2 ✓ Call Bob", "",
                "n: new   Enter: edit   Space: done   d: delete   /: search",
                "f: filter   s: sort   x: log out   q: quit",
            ])
    }

    @Test func `the picture in the tutorial matches the program`() throws {
        let shopping = Todo(id: 9, draft: TodoDraft(title: "Order new keys", due: CalendarDate("2026-02-14")))
        try Golden.expect(
            screen(bob, milk, shopping).frame(columns: 60).svg(columns: 60), at: "../../../docs/pictures/todo.svg")
    }

    @Test func `the screen shows that it is loading until there is a response`() {
        var screen = TodoScreen(title: "Todos of ada", messages: Self.messages)
        screen.take(.request(1, .refresh))
        #expect(lines(screen).contains("Loading…") && !lines(screen).contains("  Nothing to do."))
        screen.take(.response(1, .list(TodoList(of: []), RowChanges(from: [TodoRow](), to: []))))
        #expect(lines(screen).contains("  Nothing to do.") && !lines(screen).contains("Loading…"))
    }

    @Test(arguments: TodoFailure.allCases)
    func `a failure is shown above the list`(failure: TodoFailure) {
        var screen = screen(milk)
        screen.take(.request(2, .mark(4, isDone: true)))
        screen.take(.response(2, .failed(failure)))
        let text = lines(screen, columns: 120).joined(separator: "\n")
        #expect(text.contains("✗ " + failure.sentence(in: Self.messages)) && text.contains("Buy milk"))
    }

    @Test func `a failure remains until the next key, even if other requests succeed`() {
        var screen = screen(milk)
        screen.take(.request(2, .mark(4, isDone: true)))
        screen.take(.request(3, .new(bob.draft.texts)))
        screen.take(.response(2, .failed(.busy)))
        let list = TodoList(of: [milk, bob])
        screen.take(.response(3, .list(list, RowChanges(from: TodoList(of: [milk]).rows, to: list.rows))))
        let said = "✗ " + TodoFailure.busy.sentence(in: Self.messages)
        #expect(lines(screen, columns: 120).contains(said) && lines(screen).contains("1 open, 1 done"))
        _ = screen.handle(.key(.next))
        #expect(!lines(screen, columns: 120).contains(said))
    }

    @Test func `keys send requests for the selected todo`() {
        var screen = screen(bob, milk)
        #expect(screen.handle(.key(.submit)) == .edit(4))
        #expect(screen.handle(.key(.next)) == .stay && screen.handle(.key(.next)) == .stay)
        #expect(screen.press(" d") == [.ask(.mark(7, isDone: false)), .ask(.delete(7))])
        #expect(screen.handle(.key(.home)) == .stay && screen.handle(.keys("e")) == .edit(4))
        #expect(screen.press("nxq?") == [.create, .logOut, .leave, .bell])
        #expect(screen.handle(.key(.cancel)) == .leave && screen.handle(.key(.reveal)) == .bell)
        var empty = self.screen()
        #expect(empty.press(" de") == [.bell, .bell, .bell] && empty.handle(.key(.submit)) == .bell)
    }

    @Test func `pasted text and longer lines are never commands`() {
        var screen = screen(milk)
        #expect(screen.handle(.paste(Secret("d"))) == .bell && screen.handle(.keys("dx")) == .bell)
        for line in ["dentist", "dd", "xq"] { #expect(screen.handle(.line(line)) == .bell) }
        #expect(lines(screen, columns: 120).contains { $0.contains("Enter one letter, the number of a todo, or /") })
    }

    @Test func `a failure of a form is shown only by the form`() {
        var screen = screen(milk)
        let texts = bob.draft.texts
        for (request, response) in [
            (ViewRequest.new(texts), ViewResponse.failed(.busy)), (.update(4, texts, over: texts), .failed(.changed)),
            (.new(texts), .refused([RuleFailure(code: .titleTaken, field: TodoForm.title)])),
        ] {
            screen.take(.request(2, request))
            screen.take(.response(2, response))
            #expect(!lines(screen, columns: 120).contains { $0.contains("✗") })
        }
        screen.take(.request(2, .restore(7)))
        screen.take(.response(2, .refused([RuleFailure(code: .titleTaken, field: TodoForm.title)])))
        #expect(lines(screen, columns: 120).contains { $0.contains("There is a todo with this title already") })
    }

    @Test func `the hint of the space bar names its effect`() {
        var screen = screen(milk, bob)
        #expect(lines(screen).contains { $0.contains("Space: done") })
        _ = screen.handle(.key(.next))
        #expect(lines(screen).contains { $0.contains("Space: not done") })
    }

    @Test func `a todo that is being deleted cannot be deleted again`() {
        var screen = screen(milk, bob)
        #expect(screen.press("d du") == [.ask(.delete(4)), .bell, .bell, .bell])
        screen.take(.request(2, .delete(4)))
        screen.take(.response(2, .failed(.busy)))
        #expect(screen.press("d") == [.ask(.delete(4))], "it is still there")
    }

    @Test func `a restored todo is selected`() {
        var screen = screen(milk, bob)
        screen.take(.request(2, .delete(4)))
        let (both, rest) = (TodoList(of: [milk, bob]), TodoList(of: [bob]))
        screen.take(.response(2, .list(rest, RowChanges(from: both.rows, to: rest.rows))))
        #expect(lines(screen).contains("❯ 1 ✓ Call Bob"))
        #expect(screen.press("u") == [.ask(.restore(4))])
        screen.take(.request(3, .restore(4)))
        screen.take(.response(3, .list(both, RowChanges(from: rest.rows, to: both.rows))))
        #expect(lines(screen).contains("❯ 1   Buy milk  due 2026-01-31"))
    }

    @Test func `Space toggles a todo again before the first response arrives`() {
        var screen = screen(milk, bob)
        #expect(
            screen.press("   ") == [true, false, true].map { .ask(.mark(4, isDone: $0)) },
            "each press toggles the requested state")
    }

    @Test func `only keys that have an effect are shown`() {
        var empty = screen()
        #expect(lines(empty).suffix(1) == ["n: new   /: search   x: log out   q: quit"])
        _ = empty.press("/")
        #expect(lines(empty).suffix(1) == ["Enter: keep the search   Esc: end it"])
        _ = empty.press("milk")
        _ = empty.handle(.key(.submit))
        #expect(lines(empty).suffix(1) == ["n: new   /: search   Esc: all todos   x: log out   q: quit"])
    }

    @Test func `line by line, the hints name what can be typed`() {
        var screen = TodoScreen(title: "Todos of ada", messages: Self.messages, isPlain: true)
        let list = TodoList(of: [milk, bob])
        screen.take(.response(1, .list(list, RowChanges(from: [], to: list.rows))))
        #expect(
            lines(screen, columns: 80).suffix(2) == [
                "n: new   1 to 2: choose   Enter: edit   t: done   d: delete   /: search",
                "f: filter   s: sort   x: log out   q: quit",
            ])
        #expect(screen.press("t") == [.ask(.mark(4, isDone: true))])
        _ = screen.handle(.line("/milk"))
        #expect(lines(screen, columns: 120).contains { $0.contains("<: all todos") })
    }

    @Test func `the keys are visible on a low terminal, however long the list is`() {
        let screen = screen(milk, bob)
        let port = ScriptedTerminal(columns: 30, rows: 8)
        var renderer = Renderer(output: port, environment: TerminalEnvironment())
        renderer.show(screen.frame(columns: 30), size: port.size)
        var shown = VTScreen(columns: 30, rows: 8)
        shown.feed(port.output)
        #expect(
            shown.lines == [
                "Todos of ada", "1 open, 1 done", "", "❯ 1   Buy milk  due 2026-0… ↓",
                "n: new  Enter: edit", "Space: done  d: delete", "/: search  f: filter  s: sort",
                "x: log out  q: quit",
            ])
    }

    @Test func `a line with a number selects a row`() {
        var screen = screen(bob, milk)
        #expect(screen.handle(.line("2")) == .stay && screen.handle(.line("d")) == .ask(.delete(7)))
        #expect(screen.handle(.line("3")) == .bell && screen.handle(.line("0")) == .bell)
        for line in ["-1", "\(Int.min)", "\(Int.max)"] {
            #expect(screen.handle(.line(line)) == .bell, "\(line)")
        }
    }

    /// Shows another list, as the response to a request.
    private func show(
        _ todos: [Todo], after before: [Todo], on screen: inout TodoScreen, answering request: ViewRequest = .refresh
    ) {
        let list = TodoList(of: todos)
        screen.take(.request(2, request))
        screen.take(.response(2, .list(list, RowChanges(from: TodoList(of: before).rows, to: list.rows))))
    }

    @Test func `the selection moves to this window's new row, and to a neighbour of a deleted one`() {
        var screen = screen(milk)
        show([milk, bob], after: [milk], on: &screen, answering: .new(bob.draft.texts))
        #expect(screen.handle(.key(.submit)) == .edit(7))
        show([milk], after: [milk, bob], on: &screen, answering: .delete(7))
        #expect(screen.handle(.key(.submit)) == .edit(4))
    }

    @Test func `changes by another window never move the selection to another todo`() {
        let first = Todo(id: 9, draft: TodoDraft(title: "First", due: CalendarDate("2020-01-01")))
        var screen = screen(milk, bob)
        show([first, milk, bob], after: [milk, bob], on: &screen)
        #expect(lines(screen).contains { $0.hasPrefix("❯ 2   Buy milk") })
        #expect(screen.handle(.keys("d")) == .ask(.delete(4)))
        show([first, bob], after: [first, milk, bob], on: &screen)
        #expect(!lines(screen).contains { $0.contains("Buy milk  due") }, "deleted here or elsewhere, it disappears")
    }

    @Test func `after a todo is marked, the selection stays in its place, and the row moves to the done ones`() {
        let second = Todo(id: 5, draft: TodoDraft(title: "Second"))
        var screen = screen(milk, second)
        #expect(screen.handle(.keys(" ")) == .ask(.mark(4, isDone: true)))
        var done = milk
        done.isDone = true
        var other = screen
        show([done, second], after: [milk, second], on: &screen, answering: .mark(4, isDone: true))
        #expect(lines(screen).contains { $0.hasPrefix("❯ 1   Second") })
        // The other window's list arrives first, and then the response.
        let first = Todo(id: 9, draft: TodoDraft(title: "First", due: CalendarDate("2020-01-01")))
        other.take(.request(7, .mark(4, isDone: true)))
        show([first, milk, second], after: [milk, second], on: &other)
        #expect(lines(other).contains { $0.hasPrefix("❯ 2   Buy milk") }, "not the todo that is at its place now")
    }

    @Test func `a deletion that fails cannot be taken back`() {
        var screen = screen(milk)
        _ = screen.handle(.keys("d"))
        screen.take(.request(2, .delete(4)))
        screen.take(.response(2, .failed(.busy)))
        #expect(screen.handle(.keys("u")) == .bell && !lines(screen).contains { $0.contains("restore") })
    }

    @Test func `a deletion can be taken back once`() {
        var screen = screen(milk, bob)
        #expect(screen.handle(.keys("u")) == .bell, "nothing was deleted")
        #expect(screen.handle(.keys("d")) == .ask(.delete(4)))
        show([bob], after: [milk, bob], on: &screen, answering: .delete(4))
        #expect(lines(screen).contains { $0.contains("u: restore Buy milk") })
        #expect(screen.handle(.keys("u")) == .ask(.restore(4)))
        show([milk, bob], after: [bob], on: &screen, answering: .restore(4))
        #expect(screen.handle(.keys("u")) == .bell)
    }

    @Test func `the summary and a failure of a long list are visible on a low terminal`() {
        var screen = screen(milk)
        let todos = (1...100).map { Todo(id: $0, draft: TodoDraft(title: "todo \($0)")) }
        show(todos, after: [milk], on: &screen)
        for _ in 0..<50 { _ = screen.handle(.key(.next)) }
        screen.take(.response(3, .failed(.busy)))
        let port = ScriptedTerminal(columns: 100, rows: 8)
        var renderer = Renderer(output: port, environment: TerminalEnvironment())
        renderer.show(screen.frame(columns: 100), size: port.size)
        var shown = VTScreen(columns: 100, rows: 8)
        shown.feed(port.output)
        #expect(shown.text.contains("100 open, 0 done") && shown.text.contains("Another program is writing"))
        screen.take(.request(4, .refresh))
        #expect(screen.frame(columns: 100).lines(isUTF8: true)[1] == "Loading…")
    }

    @Test func `keys filter, sort and search`() {
        var screen = screen(bob, milk)
        #expect(screen.handle(.keys("f")) == .ask(.list(ListQuery(filter: .open))))
        show([milk], after: [milk, bob], on: &screen)
        #expect(lines(screen, columns: 120)[1] == "1 open, 0 done   only open ones")
        #expect(screen.handle(.keys("s")) == .ask(.list(ListQuery(filter: .open, order: .priority))))
        _ = screen.press("ffss")
        #expect(screen.handle(.keys("/")) == .ask(.list(ListQuery(order: .own))))
        #expect(lines(screen).contains("/ Part of a title or note, Esc ends"))
        // During a search, letters are typed and are not commands.
        #expect(
            screen.press("dx")
                == ["d", "dx"].map { .ask(.list(ListQuery(order: .own, search: $0))) })
        #expect(screen.handle(.key(.deleteBack)) == .ask(.list(ListQuery(order: .own, search: "d"))))
        #expect(lines(screen).contains("/ d"))
        let cursor = screen.frame(columns: 60).cursor
        #expect((cursor.line, cursor.column) == (2, 3))
        show([], after: [milk], on: &screen)
        #expect(lines(screen).contains("  No todo matches."))
        #expect(screen.handle(.key(.submit)) == .stay && lines(screen)[1].contains(#"in your own order   with "d""#))
        // Escape ends the search first, and then the program.
        #expect(screen.handle(.key(.cancel)) == .ask(.list(ListQuery(order: .own))))
        #expect(screen.handle(.key(.cancel)) == .leave)
        #expect(screen.handle(.line("/é")) == .ask(.list(ListQuery(order: .own, search: "é"))))
    }

    @Test func `after a search, its first match is selected`() {
        var screen = screen(milk, Todo(id: 9, draft: TodoDraft(title: "Other")))
        _ = screen.handle(.key(.next))
        _ = screen.handle(.keys("/"))
        _ = screen.handle(.keys("o"))
        let first = Todo(id: 3, draft: TodoDraft(title: "Oats"))
        show([first, Todo(id: 9, draft: TodoDraft(title: "Other"))], after: [milk], on: &screen)
        _ = screen.handle(.key(.submit))
        #expect(screen.handle(.key(.submit)) == .edit(3))
    }

    @Test func `J and K move the selected todo only in the user's own order`() {
        let (a, b) = (Todo(id: 1, draft: TodoDraft(title: "a")), Todo(id: 2, draft: TodoDraft(title: "b")))
        var screen = screen(a, b, bob)
        #expect(screen.handle(.keys("J")) == .bell)
        #expect(lines(screen, columns: 120).contains { $0.contains("Press s until the list shows it") })
        _ = screen.press("sss")
        #expect(lines(screen, columns: 120).contains { $0.contains("J K: move") })
        #expect(screen.handle(.keys("K")) == .bell, "it is the first one")
        #expect(screen.handle(.keys("J")) == .ask(.move(1, before: 7)))
        _ = screen.handle(.key(.next))
        #expect(screen.handle(.keys("K")) == .ask(.move(2, before: 1)))
        #expect(screen.handle(.keys("J")) == .bell, "done todos stay last")
    }

    @Test func `a list that could not be read is not shown as empty`() {
        var screen = TodoScreen(title: "Todos of ada", messages: Self.messages)
        screen.take(.request(1, .refresh))
        screen.take(.response(1, .failed(.damaged)))
        let text = lines(screen, columns: 120).joined(separator: "\n")
        #expect(!text.contains("Nothing to do") && text.contains("todos.sqlite is damaged"))
        #expect(text.contains("restore it from a backup"))
    }

    @Test func `control characters in a title are escaped`() {
        let text = lines(screen(Todo(id: 1, draft: TodoDraft(title: "a\u{1B}[2Jb")))).joined()
        #expect(text.contains(#"a\u{1B}[2Jb"#))
    }
}

extension TodoScreen {
    /// Types keys, each of which is an action, as in `ScreenLoop`.
    mutating func press(_ keys: String) -> [Step] { keys.map { handle(.keys(String($0))) } }
}
