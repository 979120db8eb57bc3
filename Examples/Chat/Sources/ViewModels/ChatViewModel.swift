import LatchkeyFlows

/// What is to be seen, whole. Made anew for each change, shown, and thrown away.
struct ChatViewModel: Equatable, Sendable, StreamedEvent {
    let title: String
    let status: StatusViewModel
    /// That a message came for a chat that is not open.
    let notice: String?
    let screen: ScreenViewModel
    /// What else can be asked for here.
    let actions: [ActionViewModel]
    /// Whether the program is over.
    let isOver: Bool

    /// Whoever begins to listen is handed the present one first, and an older one never.
    var isPresent: Bool { true }
    func outdates(_ earlier: ChatViewModel) -> Bool { true }
}
