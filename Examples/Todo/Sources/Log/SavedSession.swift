import LatchkeyForms
import LatchkeySystem

/// A session from a log: the initial todos, the requests and the responses.
struct SavedSession: Sendable {
    /// A request, with its response if there was one.
    struct Asked: Sendable {
        let number: Int
        let request: ViewRequest
        var answer: (line: Int, json: JSONValue)?
    }

    /// An invalid line in a log.
    struct Refusal: Error, Equatable, Sendable {
        enum Reason: String, Sendable {
            case cutShort = "is cut short"
            case notJSON = "is no JSON"
            case unknown = "is no event that is known here"
        }

        /// From 1.
        let line: Int
        let reason: Reason
    }

    /// The first list of the model, at the beginning of the session.
    private(set) var todos: [Todo] = []
    private(set) var asked: [Asked] = []
    /// The first line that shows a change by another window.
    private(set) var interference: Int?
    private var hasBegun = false

    init(_ log: [UInt8]) throws(Refusal) {
        var lines = log.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let rest = lines.popLast() ?? []
        for (index, line) in lines.enumerated() { try read(line, index + 1) }
        guard rest.isEmpty else { throw Refusal(line: lines.count + 1, reason: .cutShort) }
    }

    private mutating func read(_ bytes: ArraySlice<UInt8>, _ line: Int) throws(Refusal) {
        guard let json = JSONValue(line: bytes) else { throw Refusal(line: line, reason: .notJSON) }
        guard take(json, line) else { throw Refusal(line: line, reason: .unknown) }
    }

    private mutating func take(_ json: JSONValue, _ line: Int) -> Bool {
        guard let number = json["number"]?.integer else { return false }
        switch (json["stream"]?.string, json["request"]?.string, json["response"]?.string) {
        case ("view", .some, nil):
            guard let request = ViewRequest(json: json) else { return false }
            asked.append(Asked(number: number, request: request))
            if request == .refresh { interference = interference ?? line }
            return true
        case ("view", nil, let name?):
            guard ViewResponse.names.contains(name), let place = asked.lastIndex(where: { $0.number == number }) else {
                return false
            }
            asked[place].answer = (line, json)
            return true
        case ("model", let name?, nil): return ModelRequest.names.contains(name)
        case ("model", nil, let name?): return ModelResponse.names.contains(name) && begin(json)
        default: return false
        }
    }

    private mutating func begin(_ json: JSONValue) -> Bool {
        defer { hasBegun = true }
        guard !hasBegun, let elements = json["todos"]?.elements else { return true }
        todos = elements.compactMap(Todo.init)
        return todos.count == elements.count
    }
}
