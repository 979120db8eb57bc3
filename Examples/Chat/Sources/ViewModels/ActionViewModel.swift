/// Something to ask for, by a key.
struct ActionViewModel: Equatable, Sendable {
    let label: String
    let request: ChatRequest
}
