/// What is being done, or went wrong, and concerns no message alone.
enum StatusViewModel: Equatable, Sendable {
    case idle
    case busy(String)
    case failed(String)
}
