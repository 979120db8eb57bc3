import LatchkeyFlows
import LatchkeySystem

/// Makes view models of what the model says. It knows the model by its events alone, and the screen too.
struct ViewModelServer {
    private let listeners: [EventListener]

    init(model: EventStream<ModelEvent>, view: EventStream<ViewEvent>) {
        let desk = Locked(ViewModelDesk())
        // Both listeners say more on the streams that they are hearing: they are called outside of every lock.
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
