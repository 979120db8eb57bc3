import LatchkeyFlows

/// The contacts that the typed text may mean.
struct CompletionViewModel: Equatable, Sendable, StreamedEvent {
    let typed: String
    let rows: [RowViewModel]

    /// The largest number of suggestions.
    static let offered = 8

    var isPresent: Bool { true }
    func outdates(_ earlier: CompletionViewModel) -> Bool { true }
}
