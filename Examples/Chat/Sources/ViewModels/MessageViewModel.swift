/// One message, as it is shown.
struct MessageViewModel: Equatable, Sendable {
    /// Nil where the one above has the same.
    let author: String?
    let text: String
    /// How far it has come; nil where it is not our own, or the one below says the same.
    let delivery: String?
    var isFailed = false
}
