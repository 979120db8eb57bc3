/// Something to ask for, in a list to choose from.
struct RowViewModel: Equatable, Sendable {
    let label: String
    /// Messages that were not read.
    var unread = 0
    var detail = ""
    let request: ChatRequest
}
