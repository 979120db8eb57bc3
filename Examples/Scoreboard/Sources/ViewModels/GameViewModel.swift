import LatchkeyForms

/// One game for a screen: the values to show, each of which notifies of changes, and the available actions.
protocol GameViewModel: AnyObject {
    /// Both teams: `Lions 12 : 9 Tigers`.
    var score: Dynamic<String> { get }
    /// The remaining time in minutes and seconds: `9:41`.
    var remainingTime: Dynamic<String> { get }
    var isPaused: Dynamic<Bool> { get }
    var isFinished: Dynamic<Bool> { get }
    /// The game's state in words; empty during normal play.
    var state: Dynamic<String> { get }
    /// Why an action or reading failed; nil if there is no problem.
    var problem: Dynamic<String?> { get }
    var homePlayers: [any PlayerViewModel] { get }
    var awayPlayers: [any PlayerViewModel] { get }

    /// Pauses or resumes the clock. Returns false if that is not possible.
    func togglePause() async -> Bool

    /// Reads changes by time or by other processes.
    func update() async
}
