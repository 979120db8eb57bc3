import LatchkeyForms

/// One game for a screen: the values on the screen, each of which notifies its listeners, and the available actions.
protocol GameViewModel: AnyObject {
    /// Both teams: `Lions 12 : 9 Tigers`.
    var score: Dynamic<String> { get }
    /// The remaining time in minutes and seconds, and tenths in the last minute: `9:41`, `0:09.3`.
    var remainingTime: Dynamic<String> { get }
    /// Whether the clock runs and shows tenths.
    var isLastMinute: Bool { get }
    /// The move that can be taken back, in words; nil if there is none.
    var lastMove: Dynamic<String?> { get }
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

    /// Takes back the last move. Returns false if there is none.
    func takeBack() async -> Bool

    /// Stores the time of running clocks.
    func keepTime() async

    /// Reads changes that time or other processes have made.
    func update() async
}

/// One player for a screen.
protocol PlayerViewModel: AnyObject {
    var name: String { get }
    var team: String { get }
    var points: Dynamic<Int> { get }

    func count(of move: Move) -> Dynamic<Int>

    /// Counts a move. Returns false if the move is not allowed.
    func record(_ move: Move) async -> Bool
}
