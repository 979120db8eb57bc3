/// One message for the screen.
struct MessageViewModel: Equatable, Sendable {
    /// Nil if the message above has the same author.
    let author: String?
    let text: String
    /// The delivery; nil for messages of others, and if the message below shows the same.
    let delivery: String?
    var isFailed = false
}
