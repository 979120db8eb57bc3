/// The state of the view-model server: the waiting requests and the last list. It is a value, so it can be tested
/// without a stream.
struct ViewModelDesk {
    /// An event to emit, with its stream.
    enum Step: Equatable, Sendable {
        case ask(Int, ModelRequest)
        case answer(Int, ViewResponse)
    }

    /// The first request is in progress. Only one is, so that equal requests always have equal responses.
    private var waiting: [(number: Int, request: ViewRequest)] = []
    /// The number of requests to the model.
    private var asked = 0
    private var told = TodoList()
    private var query = ListQuery()

    mutating func take(_ request: ViewRequest, number: Int) -> [Step] {
        waiting.append((number, request))
        return waiting.count == 1 ? begin() : []
    }

    mutating func take(_ response: ModelResponse, number: Int) -> [Step] {
        guard number == asked, let served = waiting.first else { return [] }
        return switch (response, served.request) {
        case (.verdict([]), .new(let texts)): withDraft(texts) { .add($0) }
        case (.verdict([]), .update(let id, let texts, let seen)):
            withDraft(texts) { draft in TodoDraft(texts: seen).map { .change(id, draft, over: $0) } }
        case (.verdict(let failures), _): answer(.refused(failures))
        case (.todo(let todo), .detail): answer(.detail(TodoDetail(todo)))
        // The data has changed, so the list must be requested.
        case (.todo, _): ask(.all)
        case (.todos(let todos), .list(let query)): answer(with: todos, by: query)
        case (.todos(let todos), _): answer(with: todos, by: query)
        case (.failed(let failure), _): answer(.failed(failure))
        case (.closed, _): answer(.closed)
        }
    }

    private mutating func begin() -> [Step] {
        guard let next = waiting.first else { return [] }
        return switch next.request {
        case .list, .refresh: ask(.all)
        case .detail(let id): ask(.one(id))
        case .new(let texts): withDraft(texts) { .validate($0, replacing: nil) }
        case .update(let id, let texts, _): withDraft(texts) { .validate($0, replacing: id) }
        case .mark(let id, let isDone): ask(.mark(id, isDone: isDone))
        case .move(let id, let other): ask(.move(id, before: other))
        case .delete(let id): ask(.delete(id))
        case .restore(let id): ask(.restore(id))
        case .close: ask(.close)
        }
    }

    /// Converts the texts into a draft for the model, or refuses them.
    private mutating func withDraft(_ texts: FormTexts, _ request: (TodoDraft) -> ModelRequest?) -> [Step] {
        TodoDraft(texts: texts).flatMap(request).map { ask($0) } ?? answer(.refused(TodoForm.failures(of: texts)))
    }

    private mutating func ask(_ request: ModelRequest) -> [Step] {
        asked += 1
        return [.ask(asked, request)]
    }

    private mutating func answer(with todos: [Todo], by asked: ListQuery) -> [Step] {
        let list = TodoList(of: todos, by: asked)
        // Rows that appear only because of another query are not new.
        let changes = RowChanges(from: asked == query ? told.rows : list.rows, to: list.rows)
        (told, query) = (list, asked)
        return answer(.list(list, changes))
    }

    private mutating func answer(_ response: ViewResponse) -> [Step] {
        [.answer(waiting.removeFirst().number, response)] + begin()
    }
}
