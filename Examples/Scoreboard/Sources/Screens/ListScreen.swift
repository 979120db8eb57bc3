import LatchkeyForms
import LatchkeyTerminal

/// Shows the games in progress or the finished ones, until the user opens a game or chooses another action.
final class ListScreen: Screen {
    /// The user's choice.
    enum Choice: Equatable, Sendable {
        case open(Game.ID)
        case delete(Game.ID, score: String)
        case create, logOut
    }

    let refresh = ScreenRefresh()
    let work: ScreenWork

    private let list: GameList
    private let username: String
    private let isPlain: Bool
    /// The id and not the index, because the index changes when other games end.
    private var selected: Game.ID?
    private var bindings: [BindingToken] = []
    private var isReading = false

    /// - Parameter isPlain: whether the user types lines instead of keys.
    init(_ list: GameList, of username: String, isPlain: Bool = false) {
        self.list = list
        self.username = username
        self.isPlain = isPlain
        work = ScreenWork(refreshing: refresh)
        bindings = [
            list.rows.bind(to: refresh) { refresh, _ in refresh.request() },
            list.problem.bind(to: refresh) { refresh, _ in refresh.request() },
            list.shown.bind(to: refresh) { refresh, _ in refresh.request() },
        ]
    }

    func update() async {
        guard !isReading else { return }
        isReading = true
        defer { isReading = false }
        await list.update()
    }

    func keepTime() async { await work.during { await list.keepTime() } }

    /// Deletes a game after the user has confirmed it.
    func delete(_ id: Game.ID) {
        work.begin { [list] in
            await list.delete(id)
            return true
        }
    }

    var isFast: Bool { false }

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
        switch action.letter {
        case "j": return select(by: 1)
        case "k": return select(by: -1)
        case "n": return .finish(.create)
        case "d": return askToDelete()
        case "f": return toggle()
        case "o": return .finish(.logOut)
        case "q": return .leave
        default: return .bell
        }
    }

    private func askToDelete() -> ScreenLoop.Step<Choice> {
        place.map { .finish(.delete(rows[$0].id, score: rows[$0].score)) } ?? .bell
    }

    private func toggle() -> ScreenLoop.Step<Choice> {
        work.begin { [list] in
            await list.toggle()
            return true
        }
        return .stay
    }

    private var rows: [GameList.Row] { list.rows.value }

    /// The index of the selected game, or of the first game if the selected one has ended; nil if there are no games.
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
        let isFinished = list.shown.value == .finished
        builder.text((isFinished ? "Finished games of " : "Games in progress of ") + username, .title)
        builder.status(problem: list.problem.value, isSlow: work.isSlow)
        builder.pin(0..<builder.frame.lines.count)
        builder.blank()
        if rows.isEmpty {
            builder.text(list.hasRead ? "There are none." : "Reading the games", .muted, indent: 2)
        } else {
            builder.table(table, selected: place)
        }
        builder.blank()
        builder.keys(
            (rows.isEmpty ? [] : [FrameBuilder.choosing(isPlain: isPlain), "Enter: open"]) + ["n: new game"]
                + (rows.isEmpty ? [] : ["d: delete"])
                + [isFinished ? "f: games in progress" : "f: finished games", "o: log out", "q: quit"])
        return builder.frame
    }

    private var table: TextTable {
        TextTable(
            columns: [.init("game"), .init(list.shown.value == .finished ? "day" : "left", .right), .init("")],
            rows: rows.map { [$0.score, $0.time, $0.state] })
    }
}
