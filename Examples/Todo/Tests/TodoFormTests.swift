import LatchkeyForms
import Testing

@testable import todo

@Suite(.timeLimit(.minutes(60)))
struct TodoFormTests {
    @Test func `a todo needs a title, and a due day is a date`() {
        #expect(TodoForm.failures(of: [TodoForm.title: "Buy milk", TodoForm.due: "2026-01-31"]).isEmpty)
        let failures = TodoForm.failures(of: [TodoForm.title: "", TodoForm.due: "soon"])
        #expect(failures.map(\.field) == [TodoForm.title, TodoForm.due])
    }
}
