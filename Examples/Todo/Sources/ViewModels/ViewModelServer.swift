import LatchkeyFlows
import LatchkeySystem

/// Makes view models from the model's responses. It exchanges only events with the model and the screen.
struct ViewModelServer {
    private let listeners: [EventListener]

    init(model: EventStream<ModelEvent>, view: EventStream<ViewEvent>) {
        let desk = Locked(ViewModelDesk())
        // Both listeners emit on their own streams. That is safe, because streams call them without holding a lock.
        let say: @Sendable ([ViewModelDesk.Step]) -> Void = { steps in
            for step in steps {
                switch step {
                case .ask(let number, let request): model.emit(.request(number, request))
                case .answer(let number, let response): view.emit(.response(number, response))
                }
            }
        }
        listeners = [
            view.requests().listen { heard in
                guard let (number, request) = heard.event else { return }
                say(desk.withLock { $0.take(request, number: number) })
            },
            model.responses().listen { heard in
                guard let (number, response) = heard.event else { return }
                say(desk.withLock { $0.take(response, number: number) })
            },
        ]
    }
}
