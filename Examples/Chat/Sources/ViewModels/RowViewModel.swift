/// A request that can be chosen from a list.
struct RowViewModel: Equatable, Sendable {
    let label: String
    /// The number of unread messages.
    var unread = 0
    var detail = ""
    let request: ChatRequest
}
