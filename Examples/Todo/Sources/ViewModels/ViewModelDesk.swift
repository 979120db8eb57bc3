/// The state of the view-model server: the waiting requests and the last list. A value without a stream.
struct ViewModelDesk {
    /// An event to emit, with its stream.
    enum Step: Equatable, Sendable {
        case ask(Int, ModelRequest)
        case answer(Int, ViewResponse)
    }

    /// The first request is being served. One at a time, so that equal requests always have equal responses.
    private var waiting: [(number: Int, request: ViewRequest)] = []
    /// The number of requests to the model.
    private var asked = 0
    private var told = TodoList()

    mutating func take(_ request: ViewRequest, number: Int) -> [Step] {
        waiting.append((number, request))
        return waiting.count == 1 ? begin() : []
    }

    mutating func take(_ response: ModelResponse, number: Int) -> [Step] {
        guard number == asked, let served = waiting.first else { return [] }
        return switch (response, served.request) {
        case (.verdict([]), .new(let draft)): ask(.add(draft))
        case (.verdict([]), .update(let id, let draft, let seen)): ask(.change(id, draft, over: seen))
        case (.verdict(let failures), _): answer(.refused(failures))
        case (.todo(let todo), .detail): answer(.detail(TodoDetail(todo)))
        // The data has changed, so request the list.
        case (.todo, _): ask(.all)
        case (.todos(let todos), _): answer(with: TodoList(of: todos))
        case (.failed(let failure), _): answer(.failed(failure))
        case (.closed, _): answer(.closed)
        }
    }

    private mutating func begin() -> [Step] {
        guard let next = waiting.first else { return [] }
        return switch next.request {
        case .list: ask(.all)
        case .detail(let id): ask(.one(id))
        case .new(let draft): ask(.validate(draft, replacing: nil))
        case .update(let id, let draft, _): ask(.validate(draft, replacing: id))
        case .mark(let id, let isDone): ask(.mark(id, isDone: isDone))
        case .delete(let id): ask(.delete(id))
        case .restore(let id): ask(.restore(id))
        case .close: ask(.close)
        }
    }

    private mutating func ask(_ request: ModelRequest) -> [Step] {
        asked += 1
        return [.ask(asked, request)]
    }

    private mutating func answer(with list: TodoList) -> [Step] {
        let changes = RowChanges(from: told.rows, to: list.rows)
        told = list
        return answer(.list(list, changes))
    }

    private mutating func answer(_ response: ViewResponse) -> [Step] {
        [.answer(waiting.removeFirst().number, response)] + begin()
    }
}
