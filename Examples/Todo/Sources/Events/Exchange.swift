import LatchkeyFlows

/// A request, or the response with the same number.
enum Exchange<Request: Equatable & Sendable, Response: ClosingResponse>: Equatable, StreamedEvent {
    case request(Int, Request)
    case response(Int, Response)

    /// A late listener receives every request that has no response yet.
    var isPresent: Bool { if case .request = self { true } else { false } }

    func outdates(_ earlier: Self) -> Bool {
        if case (.response(let number, _), .request(let asked, _)) = (self, earlier) { number == asked } else { false }
    }
}

/// A kind of response that can end the session.
protocol ClosingResponse: Equatable, Sendable {
    static var closed: Self { get }
}

/// These streams drop no events. The number of events is limited, because each follows from a key press.
extension EventStream {
    /// The requests, for the server.
    func requests<Request, Response>() -> EventFeed<(number: Int, request: Request)>
    where Event == Exchange<Request, Response> {
        events(limit: .max) { if case .request(let number, let request) = $0 { (number, request) } else { nil } }
    }

    /// The responses, for clients.
    func responses<Request, Response>() -> EventFeed<(number: Int, response: Response)>
    where Event == Exchange<Request, Response> {
        events(limit: .max) { if case .response(let number, let response) = $0 { (number, response) } else { nil } }
    }

    /// All events, for observers. The listener ends with the session, or when `body` throws.
    func listenToTheEnd<Request, Response>(_ body: @escaping @Sendable (Event) throws -> Void) -> EventListener
    where Event == Exchange<Request, Response> {
        events(limit: .max).listen { heard in
            guard let event = heard.event else { return }
            try body(event)
            if case .response(_, .closed) = event { throw SessionEnd() }
        }
    }
}

private struct SessionEnd: Error {}
