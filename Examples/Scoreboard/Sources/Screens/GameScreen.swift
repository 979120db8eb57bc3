import LatchkeyForms
import LatchkeyTerminal

/// Shows one game. It binds to the values of the view model and calls its functions.
final class GameScreen: Screen {
    let refresh = ScreenRefresh()
    let work: ScreenWork

    private let model: any GameViewModel
    private let isPlain: Bool
    private let players: [any PlayerViewModel]
    /// The index in ``players`` of the player whose moves are counted.
    private var selected = 0
    private var bindings: [BindingToken] = []

    private static let moves: [(key: Character, move: Move)] = [
        ("1", .onePoint), ("2", .twoPoints), ("a", .assist), ("r", .rebound), ("f", .foul),
    ]

    /// - Parameter isPlain: whether the user types lines instead of keys.
    init(
        _ model: any GameViewModel, isPlain: Bool = false,
        work: (ScreenRefresh) -> ScreenWork = { ScreenWork(refreshing: $0) }
    ) {
        self.model = model
        self.isPlain = isPlain
        self.work = work(refresh)
        players = model.homePlayers + model.awayPlayers
        bind(to: model.score)
        bind(to: model.remainingTime)
        bind(to: model.state)
        bind(to: model.isPaused)
        bind(to: model.isFinished)
        bind(to: model.problem)
        bind(to: model.lastMove)
        for player in players {
            bind(to: player.points)
            for move in Move.allCases { bind(to: player.count(of: move)) }
        }
    }

    private func bind<Value>(to value: Dynamic<Value>) {
        bindings.append(value.bind(to: refresh) { refresh, _ in refresh.request() })
    }

    func update() async { await model.update() }

    func keepTime() async { await work.during { await model.keepTime() } }

    var isFast: Bool { model.isLastMinute }

    // MARK: Keys

    func handle(_ action: Action) -> ScreenLoop.Step<Never> {
        switch action {
        case .key(.next): return select(by: 1)
        case .key(.previous): return select(by: -1)
        case .key(.cancel), .key(.endOfText): return .leave
        case .key(.submit): return .stay
        default: break
        }
        switch action.letter {
        case "j": return select(by: 1)
        case "k": return select(by: -1)
        case "p", " ": return begin { [model] in await model.togglePause() }
        case "u": return begin { [model] in await model.takeBack() }
        case "q": return .leave
        default:
            guard let move = Self.moves.first(where: { $0.key == action.letter })?.move else { return .bell }
            return begin { [player = players[selected]] in await player.record(move) }
        }
    }

    private func begin(_ action: @escaping @MainActor () async -> Bool) -> ScreenLoop.Step<Never> {
        work.begin(action)
        return .stay
    }

    private func select(by distance: Int) -> ScreenLoop.Step<Never> {
        selected = (selected + distance + players.count) % players.count
        return .stay
    }

    // MARK: Frames

    func frame(columns: Int) -> Frame {
        var builder = FrameBuilder(columns: columns)
        builder.text(model.score.value, .title)
        builder.text(model.remainingTime.value + " " + model.state.value, .label)
        builder.status(problem: model.problem.value, isSlow: work.isSlow)
        builder.pin(0..<builder.frame.lines.count)
        builder.blank()
        let isFinished = model.isFinished.value
        builder.table(isFinished ? boxScore : table, selected: isFinished ? nil : selected)
        builder.blank()
        let choose = isFinished ? nil : FrameBuilder.choosing(isPlain: isPlain)
        let undo = model.lastMove.value.map { "u: take back \($0)" }
        let pause = isFinished ? nil : model.isPaused.value ? "p: resume" : "p: pause"
        builder.keys([choose, undo, pause, "q: back"].compactMap(\.self))
        // The last hints are the ones that stay visible on a low terminal.
        builder.keys(Self.moves.map { "\($0.key) \($0.move.text)" })
        return builder.frame
    }

    /// The counts of each player and of each team.
    private var boxScore: TextTable {
        var table = table
        for team in [model.homePlayers, model.awayPlayers] {
            let counts = Self.moves.map { move in team.reduce(0) { $0 + $1.count(of: move.move).value } }
            let points = team.reduce(0) { $0 + $1.points.value }
            table.rows.append(["all", team.first?.team ?? ""] + ([points] + counts).map(String.init))
        }
        return table
    }

    private var table: TextTable {
        let counted = ["points"] + Self.moves.map { String($0.key) }
        return TextTable(
            columns: [.init("player"), .init("team")] + counted.map { .init($0, .right) },
            rows: players.map { player in
                let counts = Self.moves.map { player.count(of: $0.move).value }
                return [player.name, player.team] + ([player.points.value] + counts).map(String.init)
            })
    }
}
