/// The requests that have no response yet. Events determine them, and no other code sets them.
struct Loading: Equatable, Sendable {
    private var waiting: [Int: ViewRequest] = [:]

    var isOn: Bool { !waiting.isEmpty }

    /// - Returns: the request, also for its response.
    mutating func take(_ event: ViewEvent) -> ViewRequest? {
        switch event {
        case .request(let number, let request):
            waiting[number] = request
            return request
        case .response(let number, _): return waiting.removeValue(forKey: number)
        }
    }
}
