import LatchkeyForms
import Testing

@testable import todo

@Suite(.timeLimit(.minutes(60)))
struct TodoFormTests {
    @Test func `a todo requires a title, and its due day must be a date`() {
        #expect(TodoForm.failures(of: TodoDraft(title: "Buy milk", due: CalendarDate("2026-01-31")).texts).isEmpty)
        let failures = TodoForm.failures(of: [TodoForm.title: "", TodoForm.due: "soon", TodoForm.priority: "low"])
        #expect(failures.map(\.field) == [TodoForm.title, TodoForm.due])
    }
}
