public import LatchkeyForms
import LatchkeyText

/// A list to choose one of: what keys do to it, and how it looks. ``TerminalMenu`` is one on a terminal.
public struct SelectionList: Equatable, Sendable {
    public let title: String
    public let options: [String]
    /// The place of the option in focus, from 0; 0 also where there is none.
    public private(set) var selected = 0

    public init(title: String, options: [String]) {
        self.title = title
        self.options = options
    }

    /// What is left for the one who shows it.
    public enum Step: Equatable, Sendable {
        /// Show it again.
        case stay
        /// The key means nothing here.
        case bell
        /// The option of that place was chosen.
        case choose(Int)
        case leave
    }

    /// Does what the person means. The selection goes round.
    public mutating func handle(_ action: Action) -> Step {
        switch action {
        case .next, .right: return move(by: 1)
        case .previous, .left: return move(by: -1)
        case .home:
            selected = 0
            return .stay
        case .end:
            selected = max(options.count - 1, 0)
            return .stay
        case .submit: return options.indices.contains(selected) ? .choose(selected) : .leave
        case .cancel, .endOfText: return .leave
        case .tick: return .stay
        default: return .bell
        }
    }

    private mutating func move(by distance: Int) -> Step {
        guard !options.isEmpty else { return .bell }
        selected = (selected + distance + options.count) % options.count
        return .stay
    }

    /// The list, its cursor on the selection; on a terminal with few rows the title stays in sight.
    public func frame(columns: Int, in messages: MessageTable) -> Frame {
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
