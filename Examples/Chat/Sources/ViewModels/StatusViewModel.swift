/// Running work or an error that does not belong to one message.
enum StatusViewModel: Equatable, Sendable {
    case idle
    case busy(String)
    case failed(String)
}
