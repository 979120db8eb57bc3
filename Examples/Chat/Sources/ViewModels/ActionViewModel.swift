/// A request that a key makes.
struct ActionViewModel: Equatable, Sendable {
    let label: String
    let request: ChatRequest
}
