import LatchkeyForms
import LatchkeyTerminal
import LatchkeyTesting
import Testing

@testable import todo

/// Events and keys in, frames and requests out.
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
                "Todos of ada", "", "❯ 1   Buy milk  due 2026-01-31", "  2 ✓ Call Bob", "", "1 open, 1 done",
                "n: new   Enter: edit   Space: done   d: delete   x: log out", "q: quit",
            ])
    }

    @Test func `the tutorial opens with a picture of the program`() throws {
        let shopping = Todo(id: 9, draft: TodoDraft(title: "Order new keys", due: CalendarDate("2026-02-14")))
        try Golden.expect(
            screen(bob, milk, shopping).frame(columns: 60).svg(columns: 60), at: "../../../docs/pictures/todo.svg")
    }

    @Test func `the screen is loading until there is a response`() {
        var screen = TodoScreen(title: "Todos of ada", messages: Self.messages)
        screen.take(.request(1, .list))
        #expect(lines(screen).contains("Loading…") && !lines(screen).contains("  Nothing to do."))
        screen.take(.response(1, .list(TodoList(of: []), RowChanges(from: [TodoRow](), to: []))))
        #expect(lines(screen).contains("  Nothing to do.") && !lines(screen).contains("Loading…"))
    }

    @Test(arguments: TodoFailure.allCases)
    func `a failure is shown, and the list stays`(failure: TodoFailure) {
        var screen = screen(milk)
        screen.take(.request(2, .toggle(4)))
        screen.take(.response(2, .failed(failure)))
        let text = lines(screen, columns: 120).joined(separator: "\n")
        #expect(text.contains("✗ " + failure.sentence(in: Self.messages)) && text.contains("Buy milk"))
    }

    @Test func `a failure stays until the next key, even if other requests succeed`() {
        var screen = screen(milk)
        screen.take(.request(2, .toggle(4)))
        screen.take(.request(3, .new(bob.draft)))
        screen.take(.response(2, .failed(.busy)))
        let list = TodoList(of: [milk, bob])
        screen.take(.response(3, .list(list, RowChanges(from: TodoList(of: [milk]).rows, to: list.rows))))
        let said = "✗ " + TodoFailure.busy.sentence(in: Self.messages)
        #expect(lines(screen, columns: 120).contains(said) && lines(screen).contains("1 open, 1 done"))
        _ = screen.handle(.key(.next))
        #expect(!lines(screen, columns: 120).contains(said))
    }

    @Test func `keys make requests for the selected todo`() {
        var screen = screen(bob, milk)
        #expect(screen.handle(.key(.submit)) == [.edit(4)])
        #expect(screen.handle(.key(.next)) == [] && screen.handle(.key(.next)) == [])
        #expect(screen.handle(.keys(" d")) == [.ask(.toggle(7)), .ask(.delete(7))])
        #expect(screen.handle(.key(.home)) == [] && screen.handle(.keys("e")) == [.edit(4)])
        #expect(screen.handle(.keys("nxq?")) == [.create, .logOut, .leave, .bell])
        #expect(screen.handle(.key(.cancel)) == [.leave] && screen.handle(.key(.reveal)) == [.bell])
        var empty = self.screen()
        #expect(empty.handle(.keys(" de")) == [.bell, .bell, .bell] && empty.handle(.key(.submit)) == [.bell])
    }

    @Test func `a line with a number chooses a row`() {
        var screen = screen(bob, milk)
        #expect(screen.handle(.line("2")) == [] && screen.handle(.line("d")) == [.ask(.delete(7))])
        #expect(screen.handle(.line("3")) == [.bell] && screen.handle(.line("0")) == [.bell])
        for line in ["-1", "\(Int.min)", "\(Int.max)"] {
            #expect(screen.handle(.line(line)).allSatisfy { $0 == .bell }, "\(line)")
        }
    }

    @Test func `the selection moves to a new row, and to a neighbour of a deleted one`() {
        var screen = screen(milk)
        func show(_ todos: [Todo], after before: [Todo]) {
            let list = TodoList(of: todos)
            screen.take(.response(2, .list(list, RowChanges(from: TodoList(of: before).rows, to: list.rows))))
        }
        show([milk, bob], after: [milk])
        #expect(screen.handle(.key(.submit)) == [.edit(7)])
        show([milk], after: [milk, bob])
        #expect(screen.handle(.key(.submit)) == [.edit(4)])
    }

    @Test func `control characters in a title are escaped`() {
        let text = lines(screen(Todo(id: 1, draft: TodoDraft(title: "a\u{1B}[2Jb")))).joined()
        #expect(text.contains(#"a\u{1B}[2Jb"#))
    }
}
