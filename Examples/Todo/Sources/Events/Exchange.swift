import LatchkeyFlows

/// What passes between those who ask and the one who answers: a response has the number of its request.
enum Exchange<Request: Equatable & Sendable, Response: ClosingResponse>: Equatable, StreamedEvent {
    case request(Int, Request)
    case response(Int, Response)

    /// A request stands until it is answered: who comes late hears of all that wait.
    var isPresent: Bool { if case .request = self { true } else { false } }

    func outdates(_ earlier: Self) -> Bool {
        if case (.response(let number, _), .request(let asked, _)) = (self, earlier) { number == asked } else { false }
    }
}

/// One of a kind of responses, the last of which ends the session.
protocol ClosingResponse: Equatable, Sendable {
    static var closed: Self { get }
}

/// Nobody drops anything: there are no more events than somebody has pressed keys.
extension EventStream {
    /// For the one who answers.
    func requests<Request, Response>() -> EventFeed<(number: Int, request: Request)>
    where Event == Exchange<Request, Response> {
        events(.bounded(.max)) { if case .request(let number, let request) = $0 { (number, request) } else { nil } }
    }

    /// For those who ask.
    func responses<Request, Response>() -> EventFeed<(number: Int, response: Response)>
    where Event == Exchange<Request, Response> {
        events(.bounded(.max)) { if case .response(let number, let response) = $0 { (number, response) } else { nil } }
    }

    /// For those who only look on. The listener ends with the session, or when `body` throws.
    func listenToTheEnd<Request, Response>(_ body: @escaping @Sendable (Event) throws -> Void) -> EventListener
    where Event == Exchange<Request, Response> {
        events(.bounded(.max)).listen { heard in
            guard let event = heard.event else { return }
            try body(event)
            if case .response(_, .closed) = event { throw SessionEnd() }
        }
    }
}

private struct SessionEnd: Error {}
