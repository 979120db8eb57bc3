import LatchkeyFlows

/// Handles the requests on the model's stream one after another, until it is released.
struct ModelServer {
    private let listener: EventListener

    init(_ store: TodoStore, on events: EventStream<ModelEvent>) {
        listener = events.requests().listen { heard in
            guard let (number, request) = heard.event else { return }
            events.emit(.response(number, await store.answer(request)))
        }
    }
}
