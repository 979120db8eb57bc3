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
        #expect(await stage.ask(.toggle(2)).changes?.text == "+[] -[] ~[2]")
        #expect(await stage.ask(.toggle(2)).list?.lines == ["2 Call Bob high", "1 Buy milk "])
        guard case .detail(let detail) = await stage.ask(.detail(1)) else {
            Issue.record("no detail")
            return
        }
        var draft = try #require(TodoDraft(texts: detail.texts))
        draft.title = "Buy oats"
        #expect(await stage.ask(.update(1, draft)).list?.lines == ["2 Call Bob high", "1 Buy oats "])
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
        #expect(await stage.ask(.update(1, TodoDraft(title: "Buy milk", note: "2 l"))).list?.lines == ["1 Buy milk "])
        _ = await stage.ask(.delete(1))
        #expect(await stage.ask(.new(TodoDraft(title: "Buy milk"))).changes?.inserted == [2])
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
            .list, .new(TodoDraft(title: "a")), .new(TodoDraft(title: "a")), .toggle(1), .toggle(9), .close,
        ] {
            _ = await stage.ask(request)
        }
        await counter.wait()
        #expect(usage.withLock { $0.summary } == "2 new, 2 toggle, 1 refused, 1 failed")
        #expect(UsageCount().summary == nil)
    }
}
