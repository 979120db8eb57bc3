import LatchkeyForms

/// The content of one line of the log.
protocol Logged {
    typealias Members = [(key: String, value: JSONValue)]

    /// The name of the event, and its values.
    var logged: (name: String, members: Members) { get }
}

extension Exchange where Request: Logged, Response: Logged {
    /// For example `{"stream":"view","number":3,"request":"toggle","id":7}`.
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
