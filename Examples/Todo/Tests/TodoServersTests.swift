import LatchkeyCommandLine
import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem
import Testing

@testable import todo

/// Passes in view requests and checks view models, over both streams and a real database.
@Suite(.timeLimit(.minutes(60)))
struct TodoServersTests {
    @Test func `a todo is added, marked, edited and deleted`() async throws {
        let stage = try await TodoStage()
        #expect(await stage.ask(.list(ListQuery())).list == TodoList(of: []))
        #expect(await stage.ask(.new(TodoDraft(title: "Buy milk").texts)).list?.lines == ["1 Buy milk "])
        let second = await stage.ask(.new(TodoDraft(title: "Call Bob", priority: .high).texts))
        #expect(second.list?.lines == ["2 Call Bob high", "1 Buy milk "])
        #expect(second.changes?.text == "+[2] -[] ~[]")
        #expect(await stage.ask(.mark(2, isDone: true)).changes?.text == "+[] -[] ~[2]")
        // Marked again before the screen shows the first mark, here or in another window.
        #expect(await stage.ask(.mark(2, isDone: true)).list?.lines == ["1 Buy milk ", "2 done Call Bob high"])
        #expect(await stage.ask(.mark(2, isDone: false)).list?.lines == ["2 Call Bob high", "1 Buy milk "])
        guard case .detail(let detail) = await stage.ask(.detail(1)) else {
            Issue.record("no detail")
            return
        }
        var texts = detail.texts
        texts[TodoForm.title] = "Buy oats"
        #expect(
            await stage.ask(.update(1, texts, over: detail.texts)).list?.lines == ["2 Call Bob high", "1 Buy oats "])
        #expect(await stage.ask(.delete(2)).changes?.text == "+[] -[2] ~[]")
        #expect(await stage.ask(.delete(2)) == .failed(.gone))
        #expect(await stage.ask(.new(TodoDraft(title: "Third").texts)).changes?.inserted == [3], "an id is used once")
        #expect(await stage.ask(.close) == .closed)
    }

    @Test func `a draft is validated by the form's rules and by the other todos`() async throws {
        let stage = try await TodoStage()
        _ = await stage.ask(.new(TodoDraft(title: "Buy milk").texts))
        let refused: [(draft: TodoDraft, code: RuleFailure.Code)] = [
            (TodoDraft(title: ""), .required), (TodoDraft(title: String(repeating: "a", count: 81)), .maxLength),
            (TodoDraft(title: "a\u{1B}b"), .unprintable), (TodoDraft(title: "Buy milk"), .titleTaken),
        ]
        for (draft, code) in refused {
            guard case .refused(let failures) = await stage.ask(.new(draft.texts)) else {
                Issue.record("\(draft) was taken")
                continue
            }
            #expect(failures.map(\.code) == [code] && failures[0].field == TodoForm.title)
        }
        #expect(
            await stage.ask(
                .update(
                    1, TodoDraft(title: "Buy milk", note: "2 l").texts, over: TodoDraft(title: "Buy milk").texts)
            ).list?.lines == ["1 Buy milk "])
        _ = await stage.ask(.delete(1))
        #expect(await stage.ask(.new(TodoDraft(title: "Buy milk").texts)).changes?.inserted == [2])
    }

    @Test func `invalid texts are refused by the form's rules`() async throws {
        let stage = try await TodoStage()
        _ = await stage.ask(.new(TodoDraft(title: "Milk").texts))
        let texts: FormTexts = [TodoForm.title: "Oats", TodoForm.due: "soon"]
        let refused = ViewResponse.refused(TodoForm.failures(of: texts))
        #expect(refused != .refused([]))
        #expect(await stage.ask(.new(texts)) == refused)
        #expect(await stage.ask(.update(1, texts, over: TodoDraft(title: "Milk").texts)) == refused)
        #expect(await stage.ask(.refresh).list?.lines == ["1 Milk "])
    }

    @Test func `a query filters, sorts and searches, and applies to later responses`() async throws {
        let stage = try await TodoStage()
        for draft in [
            TodoDraft(title: "milk", note: "for Bob"), TodoDraft(title: "Call Bob", priority: .low),
            TodoDraft(title: "Alps", due: CalendarDate("2026-01-31")),
        ] {
            _ = await stage.ask(.new(draft.texts))
        }
        func titles(_ query: ListQuery) async -> [String]? { await stage.ask(.list(query)).list?.rows.map(\.title) }
        #expect(await titles(ListQuery()) == ["Alps", "milk", "Call Bob"])
        #expect(await titles(ListQuery(order: .priority)) == ["Alps", "milk", "Call Bob"])
        #expect(await titles(ListQuery(order: .title)) == ["Alps", "Call Bob", "milk"])
        #expect(await titles(ListQuery(order: .own)) == ["milk", "Call Bob", "Alps"])
        #expect(await titles(ListQuery(search: "bob")) == ["milk", "Call Bob"])
        #expect(await titles(ListQuery(search: "BOB'")) == [])
        _ = await stage.ask(.mark(1, isDone: true))
        #expect(await titles(ListQuery(filter: .done)) == ["milk"])
        let open = await stage.ask(.list(ListQuery(filter: .open, order: .title)))
        #expect(open.list?.rows.map(\.title) == ["Alps", "Call Bob"] && open.list?.summary == "2 open, 1 done")
        #expect(open.changes?.text == "+[] -[] ~[]", "another query shows no new rows")
        let marked = await stage.ask(.mark(2, isDone: true))
        #expect(marked.list?.rows.map(\.title) == ["Alps"] && marked.changes?.text == "+[] -[2] ~[]")
    }

    @Test func `todos can be moved in the user's own order, and new ones come last`() async throws {
        let stage = try await TodoStage()
        for title in ["a", "b", "c"] { _ = await stage.ask(.new(TodoDraft(title: title).texts)) }
        _ = await stage.ask(.list(ListQuery(order: .own)))
        func titles(_ request: ViewRequest) async -> String? {
            await stage.ask(request).list.map { $0.rows.map(\.title).joined() }
        }
        #expect(await titles(.move(3, before: 1)) == "cab")
        #expect(await titles(.move(3, before: nil)) == "abc")
        #expect(await titles(.move(2, before: 2)) == nil, "a todo is not before itself")
        #expect(await stage.ask(.move(9, before: 1)) == .failed(.gone))
        #expect(await stage.ask(.move(1, before: 9)) == .failed(.gone))
        #expect(await titles(.move(1, before: nil)) == "bca")
        #expect(await titles(.new(TodoDraft(title: "d").texts)) == "bcad")
        #expect(await titles(.delete(3)) == "bad")
        #expect(await titles(.restore(3)) == "bcad")
    }

    @Test func `a change by another window is not overwritten without a warning`() async throws {
        let stage = try await TodoStage()
        let (old, mine, other) = (TodoDraft(title: "Milk"), TodoDraft(title: "Oats"), TodoDraft(title: "Soy"))
        _ = await stage.ask(.new(old.texts))
        let elsewhere = try await TodoStore.open(stage.path, of: "ada")
        _ = await elsewhere.answer(.change(1, other, over: old))
        #expect(await stage.ask(.update(1, mine.texts, over: old.texts)) == .failed(.changed))
        #expect(await stage.ask(.list(ListQuery())).list?.lines == ["1 Soy "])
        #expect(await stage.ask(.update(1, mine.texts, over: other.texts)).list?.lines == ["1 Oats "])
    }

    @Test func `a deletion can be taken back unless another todo has the title now`() async throws {
        let stage = try await TodoStage()
        for title in ["Milk", "Bob"] { _ = await stage.ask(.new(TodoDraft(title: title).texts)) }
        _ = await stage.ask(.delete(1))
        #expect(await stage.ask(.restore(1)).list?.lines == ["1 Milk ", "2 Bob "])
        _ = await stage.ask(.delete(1))
        _ = await stage.ask(.new(TodoDraft(title: "Milk").texts))
        #expect(await stage.ask(.restore(1)) == .refused([RuleFailure(code: .titleTaken, field: TodoForm.title)]))
        #expect(await stage.ask(.restore(9)) == .failed(.gone))
    }

    @Test func `nothing is written after the session has ended`() async throws {
        let stage = try await TodoStage()
        _ = await stage.answer(.add(TodoDraft(title: "Milk")))
        let ended = TodoStore(database: stage.database, owner: "ada", session: SessionWatch { .ended })
        for request: ModelRequest in [
            .add(TodoDraft(title: "Bob")), .change(1, TodoDraft(title: "Oats"), over: TodoDraft(title: "Milk")),
            .mark(1, isDone: true), .delete(1), .restore(1),
        ] {
            #expect(await ended.answer(request) == .failed(.signedOut))
        }
        #expect(await stage.answer(.all) == .todos([Todo(id: 1, draft: TodoDraft(title: "Milk"))]))
    }

    @Test func `a change by another window is noticed once, and the program's own are not`() async throws {
        let stage = try await TodoStage()
        let elsewhere = try await TodoStore.open(stage.path, of: "ada")
        let requests = stage.servers.view.requests()
        var looks = 0
        await stage.servers.follow {
            looks += 1
            switch looks {
            case 1: _ = await stage.ask(.new(TodoDraft(title: "ours").texts))
            case 2: _ = await elsewhere.answer(.add(TodoDraft(title: "theirs")))
            case 5: throw CancellationError()
            default: break
            }
        }
        _ = await stage.ask(.close)
        var heard: [ViewRequest] = []
        while heard.last != .close, let request = await requests.next()?.event?.request { heard.append(request) }
        #expect(heard == [.new(TodoDraft(title: "ours").texts), .refresh, .close])
    }

    @Test func `after the session has ended, no change by another window is shown`() async throws {
        let session = Locked(SessionWatch.State.live)
        let stage = try await TodoStage(in: SessionWatch { session.withLock { $0 } })
        let elsewhere = try await TodoStore.open(stage.path, of: "ada")
        let requests = stage.servers.view.requests()
        var looks = 0
        await stage.servers.follow {
            looks += 1
            guard looks < 3 else { throw CancellationError() }
            _ = await elsewhere.answer(.add(TodoDraft(title: "theirs")))
            session.withLock { $0 = .ended }
        }
        _ = await stage.ask(.close)
        #expect(await requests.next()?.event?.request == .close)
    }

    @Test func `while the store cannot be read, todos are stored and shown`() async throws {
        let stage = try await TodoStage(in: SessionWatch { .unknown })
        #expect(await stage.ask(.new(TodoDraft(title: "Milk").texts)).list?.lines == ["1 Milk "])
    }

    @Test func `a draft belongs to its account and its todo, and is replaced`() async throws {
        let stage = try await TodoStage(in: SessionWatch { .ended })
        let texts: FormTexts = [TodoForm.title: "Milk", TodoForm.due: "soon"]
        try await stage.store.keep(texts, of: nil)
        try await stage.store.keep([TodoForm.title: "Bob"], of: 7)
        #expect(await stage.store.draft(of: nil) == texts)
        #expect(await stage.store.draft(of: 8) == [:])
        #expect(await TodoStore(database: stage.database, owner: "bob").draft(of: nil) == [:])
        try await stage.store.keep([:], of: nil)
        #expect(await stage.store.draft(of: nil) == [:])
        #expect(await stage.store.draft(of: 7) == [TodoForm.title: "Bob"])
    }

    @Test func `loading is on until every request has its response`() {
        var loading = Loading()
        _ = loading.take(.request(1, .refresh))
        _ = loading.take(.request(2, .delete(7)))
        #expect(loading.take(.response(1, .closed)) == .refresh)
        #expect(loading.isOn)
        #expect(loading.take(.response(2, .failed(.busy))) == .delete(7))
        #expect(!loading.isOn)
    }

    @Test func `an observer can emit on its own stream and on another one without a deadlock`() async throws {
        let (first, second) = (EventStream<ModelEvent>(), EventStream<ViewEvent>())
        let echoes = first.requests().listen { heard in
            guard let (number, _) = heard.event, number < 100 else { return }
            first.emit(.request(number + 1, .all))
            second.emit(.request(number + 1, .refresh))
        }
        let heard = second.requests()
        first.emit(.request(0, .all))
        for number in 1...100 { #expect(await heard.next()?.event?.number == number) }
        echoes.cancel()
    }
}
