/// Whether a request has no response yet. Events determine it, and no other code sets it.
struct Loading: Equatable, Sendable {
    private var waiting: Set<Int> = []

    var isOn: Bool { !waiting.isEmpty }

    mutating func take(_ event: ViewEvent) {
        switch event {
        case .request(let number, _): waiting.insert(number)
        case .response(let number, _): waiting.remove(number)
        }
    }
}
