import LatchkeyForms
import LatchkeyText

/// A short list to choose one of.
struct MenuMachine: Equatable, Sendable {
    let title: String
    let options: [String]
    private(set) var selected = 0

    init(title: String, options: [String]) {
        self.title = title
        self.options = options
    }

    enum Step: Equatable, Sendable {
        case stay, bell
        case choose(Int)
        case leave, interrupt, suspend, redraw
    }

    mutating func handle(_ action: Action) -> Step {
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
        case .interrupt: return .interrupt
        case .suspend: return .suspend
        case .redraw: return .redraw
        default: return .bell
        }
    }

    private mutating func move(by distance: Int) -> Step {
        guard !options.isEmpty else { return .bell }
        selected = (selected + distance + options.count) % options.count
        return .stay
    }

    func frame(columns: Int, in messages: MessageTable) -> Frame {
        var builder = FrameBuilder(columns: columns)
        builder.text(title, .title)
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
