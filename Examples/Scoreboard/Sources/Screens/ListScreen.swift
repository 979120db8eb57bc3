import LatchkeyForms
import LatchkeyTerminal

/// Shows the games in progress until the user opens one or chooses another action.
final class ListScreen: Screen {
    /// What the user wants to do next.
    enum Choice: Equatable, Sendable {
        case open(Game.ID)
        case create, logOut
    }

    let refresh = ScreenRefresh()

    private let list: GameList
    private let username: String
    /// The id, because the index changes when other games end.
    private var selected: Game.ID?
    private var bindings: [BindingToken] = []

    init(_ list: GameList, of username: String) {
        self.list = list
        self.username = username
        bindings = [
            list.rows.bind(to: self) { screen, _ in screen.refresh.request() },
            list.problem.bind(to: self) { screen, _ in screen.refresh.request() },
            list.failedDraft.bind(to: self) { screen, _ in screen.refresh.request() },
        ]
    }

    func update() async { await list.update() }

    // MARK: Keys

    func handle(_ action: Action) -> ScreenLoop.Step<Choice> {
        switch action {
        case .key(.next): return select(by: 1)
        case .key(.previous): return select(by: -1)
        case .key(.cancel), .key(.endOfText): return .leave
        case .key(.submit):
            guard let place else { return .bell }
            return .finish(.open(rows[place].id))
        default: break
        }
        var step = ScreenLoop.Step<Choice>.bell
        for letter in action.letters {
            step = perform(letter)
            guard step == .stay || step == .bell else { break }
        }
        return step
    }

    private func perform(_ letter: Character) -> ScreenLoop.Step<Choice> {
        switch letter {
        case "j": select(by: 1)
        case "k": select(by: -1)
        case "n": .finish(.create)
        case "o": .finish(.logOut)
        case "q": .leave
        default: .bell
        }
    }

    private var rows: [GameList.Row] { list.rows.value }

    /// The index of the selected game, or of the first one if that has ended; nil if there are no games.
    private var place: Int? {
        rows.isEmpty ? nil : rows.firstIndex { $0.id == selected } ?? 0
    }

    private func select(by distance: Int) -> ScreenLoop.Step<Choice> {
        guard let place else { return .bell }
        selected = rows[(place + distance + rows.count) % rows.count].id
        return .stay
    }

    // MARK: Frames

    func frame(columns: Int) -> Frame {
        var builder = FrameBuilder(columns: columns)
        builder.text("Games in progress of \(username)", .title)
        builder.pin(0..<builder.frame.lines.count)
        builder.blank()
        if rows.isEmpty {
            builder.text("There are none.", .muted, indent: 2)
        } else {
            builder.list(table, selected: place)
        }
        builder.blank()
        if let problem = list.problem.value { builder.text(problem, .error, indent: 2, mark: .wrong) }
        let create = list.failedDraft.value.map { "n: try again to make \($0.home) : \($0.away)" } ?? "n: new game"
        builder.keys(["j k or arrows: choose", "Enter: open", create, "o: log out", "q: quit"])
        return builder.frame
    }

    private var table: TextTable {
        TextTable(
            columns: [.init("game"), .init("left", .right), .init("")],
            rows: rows.map { [$0.score, $0.remainingTime, $0.state] })
    }
}
