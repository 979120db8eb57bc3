import LatchkeyForms

/// One player as a screen shows them.
protocol PlayerViewModel: AnyObject {
    var name: String { get }
    var team: String { get }
    var points: Dynamic<Int> { get }

    func count(of move: Move) -> Dynamic<Int>

    /// Counts a move. Answers whether it counted; what does not is not on the screen either.
    func record(_ move: Move) async -> Bool
}
