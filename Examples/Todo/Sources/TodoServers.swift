import LatchkeyFlows
import LatchkeySystem

/// The two streams, who answers on them, and a way to ask.
final class TodoServers: Sendable {
    let model = EventStream<ModelEvent>()
    let view = EventStream<ViewEvent>()
    private let modelServer: ModelServer
    private let viewModelServer: ViewModelServer
    /// How many requests there were.
    private let asked = Locked(0)

    init(_ store: TodoStore) {
        modelServer = ModelServer(store, on: model)
        viewModelServer = ViewModelServer(model: model, view: view)
    }

    /// Asks, and does not wait: the answer is an event like any other.
    func send(_ request: ViewRequest) { view.emit(.request(nextNumber, request)) }

    /// Asks, and waits for the answer.
    func ask(_ request: ViewRequest) async -> ViewResponse {
        let number = nextNumber
        let answers = view.events(.bounded(1)) {
            if case .response(number, let response) = $0 { response } else { nil }
        }
        view.emit(.request(number, request))
        return await answers.next()?.event ?? .failed(.failed)
    }

    private var nextNumber: Int {
        asked.withLock { asked in
            asked += 1
            return asked
        }
    }
}
