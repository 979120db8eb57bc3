import LatchkeyFlows

/// Answers what is asked on the model's stream, one request after the other, until it is dropped.
struct ModelServer {
    private let listener: EventListener

    init(_ store: TodoStore, on events: EventStream<ModelEvent>) {
        listener = events.requests().listen { heard in
            guard let (number, request) = heard.event else { return }
            events.emit(.response(number, await store.answer(request)))
        }
    }
}
