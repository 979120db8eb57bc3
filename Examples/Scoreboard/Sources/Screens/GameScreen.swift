import LatchkeyForms
import LatchkeyTerminal

/// Shows one game. It binds to the values of the view model and calls its functions.
final class GameScreen: Screen {
    let refresh = ScreenRefresh()

    private let model: any GameViewModel
    private let players: [any PlayerViewModel]
    /// The index in ``players`` of the player whose moves are counted.
    private var selected = 0
    private var bindings: [BindingToken] = []

    private static let moves: [(key: Character, move: Move, name: String)] = [
        ("1", .onePoint, "one point"), ("2", .twoPoints, "two points"), ("a", .assist, "assist"),
        ("r", .rebound, "rebound"), ("f", .foul, "foul"),
    ]

    init(_ model: any GameViewModel) {
        self.model = model
        players = model.homePlayers + model.awayPlayers
        bind(to: model.score)
        bind(to: model.remainingTime)
        bind(to: model.state)
        bind(to: model.isPaused)
        bind(to: model.isFinished)
        bind(to: model.problem)
        for player in players {
            bind(to: player.points)
            for move in Move.allCases { bind(to: player.count(of: move)) }
        }
    }

    private func bind<Value>(to value: Dynamic<Value>) {
        bindings.append(value.bind(to: self) { screen, _ in screen.refresh.request() })
    }

    func update() async { await model.update() }

    // MARK: Keys

    func handle(_ action: Action) async -> ScreenLoop.Step<Never> {
        switch action {
        case .key(.next): return select(by: 1)
        case .key(.previous): return select(by: -1)
        case .key(.cancel), .key(.endOfText): return .leave
        case .key(.submit): return .stay
        default: break
        }
        var step = ScreenLoop.Step<Never>.bell
        for letter in action.letters {
            step = await perform(letter)
            if step == .leave { break }
        }
        return step
    }

    private func perform(_ letter: Character) async -> ScreenLoop.Step<Never> {
        switch letter {
        case "j": return select(by: 1)
        case "k": return select(by: -1)
        case "p", " ": return await model.togglePause() ? .stay : .bell
        case "q": return .leave
        default:
            guard let move = Self.moves.first(where: { $0.key == letter })?.move else { return .bell }
            return await players[selected].record(move) ? .stay : .bell
        }
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
        builder.pin(0..<builder.frame.lines.count)
        builder.blank()
        builder.list(table, selected: selected)
        builder.blank()
        if let problem = model.problem.value { builder.text(problem, .error, indent: 2, mark: .wrong) }
        if model.isFinished.value {
            builder.keys(["q: back"])
        } else {
            builder.keys(Self.moves.map { "\($0.key) \($0.name)" })
            builder.keys(["j k or arrows: choose", model.isPaused.value ? "p: resume" : "p: pause", "q: back"])
        }
        return builder.frame
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
