public import LatchkeyForms
import LatchkeyText

/// A list to choose one option from: how it reacts to keys, and how it looks. ``TerminalMenu`` shows one.
public struct SelectionList: Equatable, Sendable {
    public let title: String
    public let options: [String]
    /// The index of the selected option, from 0; also 0 if there are no options.
    public private(set) var selected = 0

    public init(title: String, options: [String]) {
        self.title = title
        self.options = options
    }

    /// Performs `action`. The selection wraps around.
    ///
    /// - Returns: the index of the chosen option, from 0, as ``ScreenLoop/Step/finish(_:)``.
    public mutating func handle(_ action: Action) -> ScreenLoop.Step<Int> {
        guard case .key(let key) = action else { return .bell }
        switch key {
        case .next, .right: return move(by: 1)
        case .previous, .left: return move(by: -1)
        case .home:
            selected = 0
            return .stay
        case .end:
            selected = max(options.count - 1, 0)
            return .stay
        case .submit: return options.indices.contains(selected) ? .finish(selected) : .leave
        case .cancel, .endOfText: return .leave
        case .tick: return .stay
        default: return .bell
        }
    }

    private mutating func move(by distance: Int) -> ScreenLoop.Step<Int> {
        guard !options.isEmpty else { return .bell }
        selected = (selected + distance + options.count) % options.count
        return .stay
    }

    /// The list with the cursor on the selection. The title stays visible on a terminal with few rows.
    public func frame(columns: Int, in messages: MessageTable) -> Frame {
        let messages = messages.completedForTerminal
        var builder = FrameBuilder(columns: columns)
        builder.text(title, .title)
        builder.pin(0..<builder.frame.lines.count)
        builder.blank()
        for (index, option) in options.enumerated() {
            let isSelected = index == selected
            if isSelected { builder.placeCursor(column: 2) }
            let mark: Frame.Run = isSelected ? .symbol(.focus, .accent) : .text(" ", .plain)
            let runs = [mark, .text(" ", .plain), .text(TerminalEscaper.visible(option), .value)]
            builder.line(builder.clipped(runs, to: builder.width))
        }
        builder.blank()
        let keys = ["keys.choose", "keys.cancel"].map { [Frame.Run.text(messages.sentence($0), .hint)] }
        builder.row(keys, indent: 0, gap: 3)
        return builder.frame
    }
}
