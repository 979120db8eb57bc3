/// What the view-model server knows: who waits for what, and which list was told last. A value that never saw a stream.
struct ViewModelDesk {
    /// What is left to be said, and on which stream.
    enum Step: Equatable, Sendable {
        case ask(Int, ModelRequest)
        case answer(Int, ViewResponse)
    }

    /// The first is being served; one at a time, so that the same requests always have the same answers.
    private var waiting: [(number: Int, request: ViewRequest)] = []
    /// How many requests the model has had.
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
        case (.verdict([]), .update(let id, let draft)): ask(.change(id, draft))
        case (.verdict(let failures), _): answer(.refused(failures))
        case (.todo(let todo), .detail): answer(.detail(TodoDetail(todo)))
        // Something has changed: what does the list look like now?
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
        case .update(let id, let draft): ask(.validate(draft, replacing: id))
        case .toggle(let id): ask(.toggle(id))
        case .delete(let id): ask(.delete(id))
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
