import LatchkeyTerminal

/// A screen of the program: it shows a model as frames and handles actions.
protocol Screen: AnyObject {
    /// What the user can choose, apart from leaving.
    associatedtype Choice: Equatable, Sendable

    /// Requests a new frame when the model changes.
    var refresh: ScreenRefresh { get }

    func frame(columns: Int) -> Frame
    func handle(_ action: Action) async -> ScreenLoop.Step<Choice>

    /// Updates the model.
    func update() async
}
