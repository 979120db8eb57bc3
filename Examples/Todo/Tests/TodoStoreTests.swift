import LatchkeyAccounts
import LatchkeyForms
import LatchkeySQLite
import LatchkeyTesting
import Testing

@testable import todo

/// Todos in a real file, and failures of the database.
@Suite(.timeLimit(.minutes(60)))
struct TodoStoreTests {
    private let milk = TodoDraft(
        title: "Buy milk", note: "ünïcode \"2 l\"", due: CalendarDate("2026-01-31"), priority: .low)

    @Test func `each account has separate todos, which are numbered from 1`() async throws {
        let ada = try await TodoStage()
        let bob = TodoStore(database: ada.database, owner: "bob")
        let milks = Todo(id: 1, draft: milk)
        #expect(await ada.answer(.add(milk)) == .todo(milks))
        #expect(await bob.answer(.all) == .todos([]))
        #expect(await bob.answer(.mark(1, isDone: true)) == .failed(.gone))
        #expect(await bob.answer(.add(milk)) == .todo(milks))
        #expect(await bob.answer(.delete(1)) == .todo(Todo(id: 1, draft: milk, isDeleted: true)))
        #expect(await ada.answer(.all) == .todos([milks]))
    }

    @Test func `a deleted todo remains stored with a flag, and cannot be changed`() async throws {
        let stage = try await TodoStage()
        _ = await stage.answer(.add(milk))
        _ = await stage.answer(.delete(1))
        #expect(await stage.answer(.all) == .todos([Todo(id: 1, draft: milk, isDeleted: true)]))
        for request: ModelRequest in [.one(1), .mark(1, isDone: true), .delete(1), .change(1, milk, over: milk)] {
            #expect(await stage.answer(request) == .failed(.gone))
        }
    }

    @Test func `a title that was used since validation is refused`() async throws {
        let stage = try await TodoStage()
        #expect(await stage.answer(.validate(milk, replacing: nil)) == .verdict([]))
        _ = await stage.answer(.add(milk))
        let refusal = ModelResponse.verdict([RuleFailure(code: .titleTaken, field: TodoForm.title)])
        #expect(await stage.answer(.add(milk)) == refusal)
        #expect(await stage.answer(.validate(milk, replacing: 1)) == .verdict([]))
    }

    @Test func `a write to a locked database fails as busy and can be repeated`() async throws {
        let stage = try await TodoStage()
        _ = await stage.answer(.add(milk))
        let lock = try DatabaseLock(of: stage.path)
        #expect(await stage.ask(.mark(1, isDone: true)) == .failed(.busy))
        #expect(await stage.ask(.refresh).list?.rows.count == 1)
        lock.release()
        #expect(await stage.ask(.mark(1, isDone: true)).list?.rows.first?.isDone == true)
    }

    @Test func `a full disk or a read-only database loses no todo`() async throws {
        let stage = try await TodoStage()
        _ = await stage.answer(.add(milk))
        try await stage.run("PRAGMA query_only = 1")
        #expect(await stage.ask(.delete(1)) == .failed(.readOnly))
        try await stage.run("PRAGMA query_only = 0")
        try await stage.run("PRAGMA max_page_count = 1")
        var (answer, count) = (ViewResponse.closed, 1)
        while answer != .failed(.full), count < 1000 {
            answer = await stage.ask(
                .new(TodoDraft(title: "\(count)", note: String(repeating: "long ", count: 80)).texts))
            count += answer.list == nil ? 0 : 1
            if answer.list == nil && answer != .failed(.full) { break }
        }
        #expect(answer == .failed(.full))
        #expect(await stage.ask(.refresh).list?.rows.count == count)
    }

    @Test func `an invalid row is reported as damage`() async throws {
        let stage = try await TodoStage()
        _ = await stage.answer(.add(milk))
        _ = try await stage.database.write { (connection) throws(SQLiteError) in
            try connection.run("UPDATE todo SET due = 'tomorrow'")
        }
        #expect(await stage.ask(.refresh) == .failed(.damaged))
        _ = try await stage.database.write { (connection) throws(SQLiteError) in
            try connection.run("UPDATE todo SET due = '', id = 9223372036854775807")
        }
        #expect(await stage.ask(.new(TodoDraft(title: "One too many").texts)) == .failed(.damaged))
        #expect(await stage.ask(.refresh).list?.rows.count == 1)
    }

    @Test func `the draft of a deleted todo becomes the draft of a new one, unless there is one`() async throws {
        let stage = try await TodoStage()
        for title in ["Buy milk", "Call Bob"] { _ = await stage.answer(.add(TodoDraft(title: title))) }
        for id in 1...2 { _ = await stage.answer(.delete(id)) }
        try await stage.store.keep([TodoForm.title: "Buy oats"], of: 1)
        #expect(await stage.store.draft(of: nil) == [TodoForm.title: "Buy oats"])
        try await stage.store.keep([TodoForm.title: "Call Cy"], of: 2)
        #expect(await stage.store.draft(of: nil) == [TodoForm.title: "Buy oats"])
        #expect(await stage.store.draft(of: 2) == [TodoForm.title: "Call Cy"])
        // Removing the draft of a deleted todo removes no other one.
        try await stage.store.keep([:], of: 1)
        #expect(await stage.store.draft(of: nil) == [TodoForm.title: "Buy oats"])
    }

    @Test func `every failure has a sentence`() {
        for failure in TodoFailure.allCases {
            #expect(
                failure.sentence(in: MessageTable.english.adding(TodoFailure.sentences)) != "todo." + failure.rawValue)
        }
    }
}
