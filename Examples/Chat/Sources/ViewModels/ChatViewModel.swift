import LatchkeyFlows

/// Everything that is shown. Made for each change, shown, and discarded.
struct ChatViewModel: Equatable, Sendable, StreamedEvent {
    let title: String
    let status: StatusViewModel
    /// A notice about a message for a chat that is not open.
    let notice: String?
    let screen: ScreenViewModel
    /// Other available requests.
    let actions: [ActionViewModel]
    /// Whether the program has ended.
    let isOver: Bool

    /// A new listener receives the current view model first.
    var isPresent: Bool { true }
    func outdates(_ earlier: ChatViewModel) -> Bool { true }
}
