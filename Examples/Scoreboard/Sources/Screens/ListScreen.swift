import LatchkeyForms
import LatchkeyTerminal

/// The games in progress on the terminal, until one is chosen or something else is to be done.
final class ListScreen: Screen {
    /// What the person wants next.
    enum Choice: Equatable, Sendable {
        case open(Game.ID)
        case create, logOut, quit
    }

    let refresh = ScreenRefresh()
    private(set) var choice = Choice.quit

    private let list: GameList
    private let username: String
    /// By its id, for its place changes when others end.
    private var selected: Game.ID?
    private var bindings: [BindingToken] = []

    init(_ list: GameList, of username: String) {
        self.list = list
        self.username = username
        bindings = [
            list.rows.bind(to: self) { screen, _ in screen.refresh.request() },
            list.problem.bind(to: self) { screen, _ in screen.refresh.request() },
            list.unmade.bind(to: self) { screen, _ in screen.refresh.request() },
        ]
    }

    func update() async { await list.update() }

    // MARK: Keys

    func handle(_ action: Action) -> ScreenLoop.Step {
        switch action {
        case .next: return select(by: 1)
        case .previous: return select(by: -1)
        case .cancel, .endOfText: return leave(for: .quit)
        case .submit:
            guard let place else { return .bell }
            return leave(for: .open(rows[place].id))
        default: break
        }
        var step = ScreenLoop.Step.bell
        for letter in action.letters {
            step = obey(letter)
            if step == .leave { break }
        }
        return step
    }

    private func obey(_ letter: Character) -> ScreenLoop.Step {
        switch letter {
        case "j": select(by: 1)
        case "k": select(by: -1)
        case "n": leave(for: .create)
        case "o": leave(for: .logOut)
        case "q": leave(for: .quit)
        default: .bell
        }
    }

    private func leave(for choice: Choice) -> ScreenLoop.Step {
        self.choice = choice
        return .leave
    }

    private var rows: [GameList.Row] { list.rows.value }

    /// Of what is selected, or of the first where that is gone; nil where there is none.
    private var place: Int? {
        rows.isEmpty ? nil : rows.firstIndex { $0.id == selected } ?? 0
    }

    private func select(by distance: Int) -> ScreenLoop.Step {
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
        let create = list.unmade.value.map { "n: try again to make \($0.home) : \($0.away)" } ?? "n: new game"
        builder.keys(["j k or arrows: choose", "Enter: open", create, "o: log out", "q: quit"])
        return builder.frame
    }

    private var table: TextTable {
        TextTable(
            columns: [.init("game"), .init("left", .right), .init("")],
            rows: rows.map { [$0.score, $0.remainingTime, $0.state] })
    }
}
