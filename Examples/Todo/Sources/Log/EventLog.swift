import LatchkeyFlows
import LatchkeyForms
import LatchkeySystem

/// Writes every event of both streams to a file, one per line. It loses no event and delays nothing, because unwritten
/// events stay in memory.
struct EventLog {
    private let file: LineFile
    private let listeners: [EventListener]

    /// - Throws: if the file exists or cannot be created.
    init(
        at path: String, model: EventStream<ModelEvent>, view: EventStream<ViewEvent>
    ) throws(SystemError) {
        file = try LineFile(at: path)
        listeners = [Self.listen(to: model, "model", file), Self.listen(to: view, "view", file)]
    }

    /// Waits until the end of the session has been written.
    ///
    /// - Returns: false if a line could not be written. The log ends before it.
    func end() async -> Bool {
        for listener in listeners { await listener.wait() }
        return file.isWhole
    }

    private static func listen<Request: Logged, Response: Logged>(
        to events: EventStream<Exchange<Request, Response>>, _ stream: String, _ file: LineFile
    ) -> EventListener {
        events.listenToTheEnd { try file.append($0.json(of: stream).encoded) }
    }
}

/// The content of one line of the log.
protocol Logged {
    typealias Members = [(key: String, value: JSONValue)]

    /// The event's name and values.
    var logged: (name: String, members: Members) { get }
}

extension Exchange where Request: Logged, Response: Logged {
    /// For example `{"stream":"view","number":3,"request":"delete","id":7}`.
    func json(of stream: String) -> JSONValue {
        let (number, kind, logged) =
            switch self {
            case .request(let number, let request): (number, "request", request.logged)
            case .response(let number, let response): (number, "response", response.logged)
            }
        return .object(
            [("stream", .string(stream)), ("number", .integer(number)), (kind, .string(logged.name))] + logged.members)
    }
}
