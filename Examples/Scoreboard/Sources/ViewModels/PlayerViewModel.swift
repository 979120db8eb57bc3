import LatchkeyForms

/// One player for a screen.
protocol PlayerViewModel: AnyObject {
    var name: String { get }
    var team: String { get }
    var points: Dynamic<Int> { get }

    func count(of move: Move) -> Dynamic<Int>

    /// Counts a move. Returns false if it does not count.
    func record(_ move: Move) async -> Bool
}
