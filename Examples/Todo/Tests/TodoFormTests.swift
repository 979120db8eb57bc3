import LatchkeyForms
import Testing

@testable import todo

@Suite(.timeLimit(.minutes(60)))
struct TodoFormTests {
    @Test func `a todo requires a title, and its due day must be a date`() {
        #expect(TodoForm.failures(of: [TodoForm.title: "Buy milk", TodoForm.due: "2026-01-31"]).isEmpty)
        let failures = TodoForm.failures(of: [TodoForm.title: "", TodoForm.due: "soon"])
        #expect(failures.map(\.field) == [TodoForm.title, TodoForm.due])
    }
}
