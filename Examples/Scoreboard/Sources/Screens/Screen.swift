import LatchkeyTerminal

/// What the program shows until it is left: a model bound to a frame, and keys that the model obeys.
protocol Screen: AnyObject {
    /// What the user can choose, apart from leaving.
    associatedtype Choice: Equatable, Sendable

    /// Asked for another frame whenever something changes.
    var refresh: ScreenRefresh { get }

    func frame(columns: Int) -> Frame
    func handle(_ action: Action) async -> ScreenLoop.Step<Choice>

    /// Has the model look at what has changed by itself.
    func update() async
}
