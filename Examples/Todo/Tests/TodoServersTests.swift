import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem
import Testing

@testable import todo

/// View requests in, view models out, over both streams and a real database.
@Suite(.timeLimit(.minutes(20)))
struct TodoServersTests {
    @Test func `a todo's life`() async throws {
        let stage = try await TodoStage()
        #expect(await stage.ask(.list).list == TodoList(of: []))
        #expect(await stage.ask(.new(TodoDraft(title: "Buy milk"))).list?.lines == ["1 Buy milk "])
        let second = await stage.ask(.new(TodoDraft(title: "Call Bob", priority: .high)))
        #expect(second.list?.lines == ["2 Call Bob high", "1 Buy milk "])
        #expect(second.changes?.text == "+[2] -[] ~[]")
        #expect(await stage.ask(.mark(2, isDone: true)).changes?.text == "+[] -[] ~[2]")
        // Pressed again before the screen shows it, here or in another window.
        #expect(await stage.ask(.mark(2, isDone: true)).list?.lines == ["1 Buy milk ", "2 done Call Bob high"])
        #expect(await stage.ask(.mark(2, isDone: false)).list?.lines == ["2 Call Bob high", "1 Buy milk "])
        guard case .detail(let detail) = await stage.ask(.detail(1)) else {
            Issue.record("no detail")
            return
        }
        var draft = try #require(TodoDraft(texts: detail.texts))
        draft.title = "Buy oats"
        #expect(
            await stage.ask(.update(1, draft, over: detail.draft)).list?.lines == ["2 Call Bob high", "1 Buy oats "])
        #expect(await stage.ask(.delete(2)).changes?.text == "+[] -[2] ~[]")
        #expect(await stage.ask(.delete(2)) == .failed(.gone))
        #expect(await stage.ask(.new(TodoDraft(title: "Third"))).changes?.inserted == [3], "an id is used once")
        #expect(await stage.ask(.close) == .closed)
    }

    @Test func `a draft is validated by the form's rules and by the other todos`() async throws {
        let stage = try await TodoStage()
        _ = await stage.ask(.new(TodoDraft(title: "Buy milk")))
        let refused: [(draft: TodoDraft, code: RuleFailure.Code)] = [
            (TodoDraft(title: ""), .required), (TodoDraft(title: String(repeating: "a", count: 81)), .maxLength),
            (TodoDraft(title: "a\u{1B}b"), .unprintable), (TodoDraft(title: "Buy milk"), .titleTaken),
        ]
        for (draft, code) in refused {
            guard case .refused(let failures) = await stage.ask(.new(draft)) else {
                Issue.record("\(draft) was taken")
                continue
            }
            #expect(failures.map(\.code) == [code] && failures[0].field == TodoForm.title)
        }
        #expect(
            await stage.ask(
                .update(1, TodoDraft(title: "Buy milk", note: "2 l"), over: TodoDraft(title: "Buy milk"))
            ).list?.lines == ["1 Buy milk "])
        _ = await stage.ask(.delete(1))
        #expect(await stage.ask(.new(TodoDraft(title: "Buy milk"))).changes?.inserted == [2])
    }

    @Test func `a change by another window is not overwritten without a word`() async throws {
        let stage = try await TodoStage()
        let (old, mine, other) = (TodoDraft(title: "Milk"), TodoDraft(title: "Oats"), TodoDraft(title: "Soy"))
        _ = await stage.ask(.new(old))
        let elsewhere = try await TodoStore.open(stage.path, of: "ada")
        _ = await elsewhere.answer(.change(1, other, over: old))
        #expect(await stage.ask(.update(1, mine, over: old)) == .failed(.changed))
        #expect(await stage.ask(.list).list?.lines == ["1 Soy "])
        #expect(await stage.ask(.update(1, mine, over: other)).list?.lines == ["1 Oats "])
    }

    @Test func `a deletion is taken back, unless another todo has the title now`() async throws {
        let stage = try await TodoStage()
        for title in ["Milk", "Bob"] { _ = await stage.ask(.new(TodoDraft(title: title))) }
        _ = await stage.ask(.delete(1))
        #expect(await stage.ask(.restore(1)).list?.lines == ["1 Milk ", "2 Bob "])
        _ = await stage.ask(.delete(1))
        _ = await stage.ask(.new(TodoDraft(title: "Milk")))
        #expect(await stage.ask(.restore(1)) == .refused([RuleFailure(code: .titleTaken, field: TodoForm.title)]))
        #expect(await stage.ask(.restore(9)) == .failed(.gone))
    }

    @Test func `nothing is written after the session has ended`() async throws {
        let stage = try await TodoStage()
        _ = await stage.answer(.add(TodoDraft(title: "Milk")))
        let ended = TodoStore(database: stage.database, owner: "ada", isSignedIn: { false })
        for request: ModelRequest in [
            .add(TodoDraft(title: "Bob")), .change(1, TodoDraft(title: "Oats"), over: TodoDraft(title: "Milk")),
            .mark(1, isDone: true), .delete(1), .restore(1),
        ] {
            #expect(await ended.answer(request) == .failed(.signedOut))
        }
        #expect(await stage.answer(.all) == .todos([Todo(id: 1, draft: TodoDraft(title: "Milk"))]))
    }

    @Test func `changes by other windows are noticed, and our own are not`() async throws {
        let stage = try await TodoStage()
        let elsewhere = try await TodoStore.open(stage.path, of: "ada")
        let (looks, looked) = AsyncStream.makeStream(of: Void.self)
        let (permits, permit) = AsyncStream.makeStream(of: Void.self)
        var changes = stage.store.changesElsewhere {
            looked.yield()
            for await _ in permits { break }
        }.makeAsyncIterator()
        var look = looks.makeAsyncIterator()
        await look.next()
        _ = await stage.ask(.new(TodoDraft(title: "ours")))
        permit.yield()
        await look.next()
        _ = await elsewhere.answer(.add(TodoDraft(title: "theirs")))
        permit.yield()
        await look.next()
        await changes.next()
        #expect(await stage.ask(.list).list?.rows.count == 2)
    }

    @Test func `loading is on while a response is missing, also for a late listener`() async throws {
        var loading = Loading()
        loading.take(.request(1, .list))
        loading.take(.request(2, .list))
        loading.take(.response(1, .closed))
        #expect(loading.isOn)
        loading.take(.response(2, .failed(.busy)))
        #expect(!loading.isOn)
        let events = EventStream<ViewEvent>()
        events.emit(.request(1, .list))
        events.emit(.request(2, .close))
        events.emit(.response(1, .closed))
        #expect(await events.events().next() == .event(.request(2, .close)))
    }

    @Test func `an observer can emit on its own stream and on another without deadlock`() async throws {
        let (first, second) = (EventStream<ModelEvent>(), EventStream<ViewEvent>())
        let echoes = first.requests().listen { heard in
            guard let (number, _) = heard.event, number < 100 else { return }
            first.emit(.request(number + 1, .all))
            second.emit(.request(number + 1, .list))
        }
        let heard = second.requests()
        first.emit(.request(0, .all))
        for number in 1...100 { #expect(await heard.next()?.event?.number == number) }
        echoes.cancel()
    }

    @Test func `requests are counted`() async throws {
        let stage = try await TodoStage()
        let usage = Locked(UsageCount())
        let counter = stage.servers.view.listenToTheEnd { event in usage.withLock { $0.take(event) } }
        for request: ViewRequest in [
            .list, .new(TodoDraft(title: "a")), .new(TodoDraft(title: "a")), .mark(1, isDone: true),
            .mark(9, isDone: true), .close,
        ] {
            _ = await stage.ask(request)
        }
        await counter.wait()
        #expect(usage.withLock { $0.summary } == "2 new, 2 mark, 1 refused, 1 failed")
        #expect(UsageCount().summary == nil)
    }
}
