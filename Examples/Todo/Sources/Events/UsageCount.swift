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

    /// For example `2 new, 1 mark`; nil if there were no requests.
    var summary: String? {
        let told = ["new", "update", "mark", "move", "delete", "restore", "refused", "failed"].compactMap { name in
            counts[name].map { "\($0) \(name)" }
        }
        return told.isEmpty ? nil : told.joined(separator: ", ")
    }
}
