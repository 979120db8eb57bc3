import LatchkeyFlows

/// Whom one may mean, for what was typed so far.
struct CompletionViewModel: Equatable, Sendable, StreamedEvent {
    let typed: String
    let rows: [RowViewModel]

    /// So many are offered, at most.
    static let offered = 8

    var isPresent: Bool { true }
    func outdates(_ earlier: CompletionViewModel) -> Bool { true }
}
