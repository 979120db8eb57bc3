/// Counts the requests by kind.
struct UsageCount: Equatable, Sendable {
    private(set) var counts: [String: Int] = [:]

    mutating func take(_ event: ViewEvent) {
        switch event {
        case .request(_, let request): counts[request.logged.name, default: 0] += 1
        case .response(_, .refused): counts["refused", default: 0] += 1
        case .response(_, .failed): counts["failed", default: 0] += 1
        case .response: break
        }
    }

    /// For example `1 close, 1 list, 2 new`, by name.
    var summary: String {
        counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
}
