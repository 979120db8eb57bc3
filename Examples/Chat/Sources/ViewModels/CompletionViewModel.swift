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

/// Finds the contacts whose names begin with the typed text, ignoring case.
struct CompletionBuilder {
    let contacts: [Contact.ID: Contact]
    let me: Contact.ID

    func build(for typed: String) -> CompletionViewModel {
        let start = Array(typed.lowercased().utf8)
        let found = contacts.values.filter { contact in
            contact.id != me && !contact.isFormer && contact.name.lowercased().utf8.starts(with: start)
        }
        let rows = found.sorted { ($0.name, $0.id) < ($1.name, $1.id) }.prefix(CompletionViewModel.offered).map {
            RowViewModel(label: $0.name, request: .open($0.id))
        }
        return CompletionViewModel(typed: typed, rows: rows)
    }
}
