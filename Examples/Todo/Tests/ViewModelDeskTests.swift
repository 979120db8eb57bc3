import LatchkeyForms
import Testing

@testable import todo

/// Passes in events and checks the events that come out.
@Suite(.timeLimit(.minutes(60)))
struct ViewModelDeskTests {
    private let milk = TodoDraft(title: "Buy milk")
    private let taken = RuleFailure(code: .titleTaken, field: TodoForm.title)

    @Test func `a new todo is validated, added, and shown as inserted`() {
        var desk = ViewModelDesk()
        let todo = Todo(id: 1, draft: milk)
        #expect(desk.take(.new(milk.texts), number: 7) == [.ask(1, .validate(milk, replacing: nil))])
        #expect(desk.take(.verdict([]), number: 1) == [.ask(2, .add(milk))])
        #expect(desk.take(.todo(todo), number: 2) == [.ask(3, .all)])
        let list = TodoList(of: [todo])
        let answer = ViewResponse.list(list, RowChanges(from: [], to: list.rows))
        #expect(desk.take(.todos([todo]), number: 3) == [.answer(7, answer)])
        #expect(answer.changes?.inserted == [1])
    }

    @Test func `a draft that the model refuses is not saved`() {
        var desk = ViewModelDesk()
        _ = desk.take(.update(3, milk.texts, over: milk.texts), number: 1)
        #expect(desk.take(.verdict([taken]), number: 1) == [.answer(1, .refused([taken]))])
        _ = desk.take(.update(3, milk.texts, over: milk.texts), number: 2)
        #expect(desk.take(.verdict([]), number: 2) == [.ask(3, .change(3, milk, over: milk))])
        // Another process has used the title in the meantime.
        #expect(desk.take(.verdict([taken]), number: 3) == [.answer(2, .refused([taken]))])
    }

    @Test func `requests are handled one after another`() {
        var desk = ViewModelDesk()
        #expect(desk.take(.mark(1, isDone: true), number: 1) == [.ask(1, .mark(1, isDone: true))])
        #expect(desk.take(.close, number: 2) == [])
        #expect(desk.take(.failed(.busy), number: 1) == [.answer(1, .failed(.busy)), .ask(2, .close)])
        #expect(desk.take(.failed(.busy), number: 1) == [], "an answer to nothing that was asked")
        #expect(desk.take(.closed, number: 2) == [.answer(2, .closed)])
    }

    @Test func `rows are identified by id, and equal rows are unchanged`() {
        let (a, b, c) = (Todo(id: 1, draft: milk), Todo(id: 2, draft: milk), Todo(id: 3, draft: milk))
        var done = b
        done.isDone = true
        let changes = RowChanges(from: [a, b], to: [c, done])
        #expect(changes.inserted == [3] && changes.removed == [1] && changes.changed == [2])
        #expect(RowChanges(from: [a, b], to: [b, a]) == RowChanges(from: [a], to: [a]), "moved alone")
    }

    @Test func `the list is sorted and has no deleted todos`() throws {
        let day = try #require(CalendarDate("2026-01-31"))
        let list = TodoList(of: [
            Todo(id: 1, draft: TodoDraft(title: "late")), Todo(id: 2, draft: TodoDraft(title: "dull", priority: .low)),
            Todo(id: 3, draft: TodoDraft(title: "pressing", priority: .high)),
            Todo(id: 4, draft: TodoDraft(title: "due", due: day, priority: .low)),
            Todo(id: 5, draft: TodoDraft(title: "over", due: day), isDone: true),
            Todo(id: 6, draft: TodoDraft(title: "gone"), isDeleted: true),
        ])
        #expect(
            list.lines == [
                "4 due due 2026-01-31, low", "3 pressing high", "1 late ", "2 dull low", "5 done over due 2026-01-31",
            ]
        )
        #expect(list.summary == "4 open, 1 done")
    }
}

extension TodoList {
    /// Each row as its id and text.
    var lines: [String] { rows.map { "\($0.id) \($0.isDone ? "done " : "")\($0.title) \($0.remark)" } }
}

extension ViewResponse {
    /// The list; nil for other responses.
    var list: TodoList? { if case .list(let list, _) = self { list } else { nil } }
    var changes: RowChanges? { if case .list(_, let changes) = self { changes } else { nil } }
}

extension RowChanges {
    var text: String { "+\(inserted) -\(removed) ~\(changed)" }
}
