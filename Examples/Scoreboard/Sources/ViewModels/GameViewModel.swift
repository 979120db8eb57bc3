import LatchkeyForms

/// One game as a screen shows it: what to show, each value telling when it changes, and what can be done.
protocol GameViewModel: AnyObject {
    /// Both teams: `Lions 12 : 9 Tigers`.
    var score: Dynamic<String> { get }
    /// What is left of the time, in minutes and seconds: `9:41`.
    var remainingTime: Dynamic<String> { get }
    var isPaused: Dynamic<Bool> { get }
    var isFinished: Dynamic<Bool> { get }
    /// What there is to say about the game's state; empty while it simply goes on.
    var state: Dynamic<String> { get }
    /// Why something could not be done, or cannot be seen; nil where all is well.
    var problem: Dynamic<String?> { get }
    var homePlayers: [any PlayerViewModel] { get }
    var awayPlayers: [any PlayerViewModel] { get }

    /// Stops the clock, or lets it run again. Answers whether it could.
    func togglePause() async -> Bool

    /// Looks at what has changed, be it by time or by somebody else.
    func update() async
}
