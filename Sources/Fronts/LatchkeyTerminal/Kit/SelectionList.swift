public import LatchkeyForms
import LatchkeySecrets
import LatchkeyText

/// A list from which the user chooses one option, with its key handling and its display. ``TerminalMenu`` shows such a
/// list.
public struct SelectionList: Equatable, Sendable {
    /// The title above the options.
    public let title: String
    /// The options, from top to bottom.
    public let options: [String]
    /// The index of the selected option, from 0. If there is no initial selection, nil until the first key.
    public private(set) var selected: Int?
    private let goesBack: Bool
    private var showsKeys = false

    /// - Parameters:
    ///   - selected: the index of the initially selected option; nil for none.
    ///   - goesBack: whether Esc returns to an earlier screen instead of quitting.
    ///   - options: the options to choose from.
    ///   - title: the title.
    public init(title: String, options: [String], selecting selected: Int? = 0, goesBack: Bool = false) {
        self.title = title
        self.options = options
        self.selected = selected
        self.goesBack = goesBack
    }

    /// Performs `action`. At its ends, the selection wraps around.
    ///
    /// - Returns: ``ScreenLoop/Step/finish(_:)`` with the index of the chosen option, from 0.
    public mutating func handle(_ action: Action) -> ScreenLoop.Step<Int> {
        if case .insert(let text) = action { return find(text) }
        guard case .key(let key) = action else { return .bell }
        switch key {
        case .next, .right: return move(by: 1)
        case .previous, .left: return move(by: -1)
        case .pageUp: return jump(by: -10)
        case .pageDown: return jump(by: 10)
        case .home:
            selected = 0
            return .stay
        case .end:
            selected = max(options.count - 1, 0)
            return .stay
        case .submit:
            if options.isEmpty { return .leave }
            return selected.map { .finish($0) } ?? .bell
        case .cancel, .endOfText: return .leave
        case .tick: return .stay
        default: return .bell
        }
    }

    /// Handles typed text. `j` and `k` move like Down and Up, and `?` shows the keys. A digit selects an option by
    /// number, and any other letter selects the next option that begins with it.
    private mutating func find(_ text: Secret) -> ScreenLoop.Step<Int> {
        let letter = text.shownText.lowercased()
        switch letter {
        case "j": return move(by: 1)
        case "k": return move(by: -1)
        case "?":
            showsKeys.toggle()
            return .stay
        default: break
        }
        if let number = Int(letter), options.indices.contains(number - 1) {
            selected = number - 1
            return .stay
        }
        let start = (selected ?? -1) + 1
        let order = (0..<options.count).map { (start + $0) % options.count }
        guard !letter.isEmpty, let found = order.first(where: { options[$0].lowercased().hasPrefix(letter) }) else {
            return .bell
        }
        selected = found
        return .stay
    }

    private mutating func move(by distance: Int) -> ScreenLoop.Step<Int> {
        guard !options.isEmpty else { return .bell }
        let start = selected ?? (distance > 0 ? -1 : options.count)
        selected = (start + distance + options.count) % options.count
        return .stay
    }

    /// Moves the selection by several options, but not beyond the ends.
    private mutating func jump(by distance: Int) -> ScreenLoop.Step<Int> {
        guard !options.isEmpty else { return .bell }
        selected = min(max((selected ?? 0) + distance, 0), options.count - 1)
        return .stay
    }

    /// The frame of the list, with the cursor on the selected option. The title stays visible on a terminal with few
    /// rows.
    public func frame(columns: Int, in messages: MessageTable) -> Frame {
        let messages = messages.completedForTerminal
        var builder = FrameBuilder(columns: columns)
        builder.text(title, .title)
        builder.pin(0..<builder.frame.lines.count)
        builder.blank()
        if selected == nil { builder.placeCursor(column: 0) }
        for (index, option) in options.enumerated() {
            builder.item([.text(TerminalEscaper.visible(option), .value)], isSelected: index == selected)
        }
        builder.blank()
        if showsKeys { builder.text(messages.sentence("front.list_keys"), .hint) }
        builder.keys(["keys.choose", goesBack ? "keys.back" : "keys.cancel", "keys.all"].map { messages.sentence($0) })
        return builder.frame
    }
}
