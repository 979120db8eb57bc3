/// The actions that are nothing but their names.
enum PlainKey: String, CaseIterable {
    case deleteBack = "delete_back"
    case deleteForward = "delete_forward"
    case deleteWordBack = "delete_word_back"
    case deleteToStart = "delete_to_start"
    case deleteToEnd = "delete_to_end"
    case yank
    case unreadable
    case left
    case right
    case wordLeft = "word_left"
    case wordRight = "word_right"
    case home
    case end
    case next
    case previous
    case submit
    case reveal
    case cancel
    case endOfText = "end_of_text"
    case interrupt
    case quit
    case suspend
    case redraw
    case tick

    var action: Action {
        switch self {
        case .deleteBack: .deleteBack
        case .deleteForward: .deleteForward
        case .deleteWordBack: .deleteWordBack
        case .deleteToStart: .deleteToStart
        case .deleteToEnd: .deleteToEnd
        case .yank: .yank
        case .unreadable: .unreadable
        case .left: .left
        case .right: .right
        case .wordLeft: .wordLeft
        case .wordRight: .wordRight
        case .home: .home
        case .end: .end
        case .next: .next
        case .previous: .previous
        case .submit: .submit
        case .reveal: .reveal
        case .cancel: .cancel
        case .endOfText: .endOfText
        case .interrupt: .interrupt
        case .quit: .quit
        case .suspend: .suspend
        case .redraw: .redraw
        case .tick: .tick
        }
    }
}

extension Action {
    /// Nil for what has more to it than a name.
    // No `default`: an action that is added does not compile until a recording can hold it.
    var plain: PlainKey? {
        switch self {
        case .insert, .paste, .answer, .follow, .followLink: nil
        case .deleteBack: .deleteBack
        case .deleteForward: .deleteForward
        case .deleteWordBack: .deleteWordBack
        case .deleteToStart: .deleteToStart
        case .deleteToEnd: .deleteToEnd
        case .yank: .yank
        case .unreadable: .unreadable
        case .left: .left
        case .right: .right
        case .wordLeft: .wordLeft
        case .wordRight: .wordRight
        case .home: .home
        case .end: .end
        case .next: .next
        case .previous: .previous
        case .submit: .submit
        case .reveal: .reveal
        case .cancel: .cancel
        case .endOfText: .endOfText
        case .interrupt: .interrupt
        case .quit: .quit
        case .suspend: .suspend
        case .redraw: .redraw
        case .tick: .tick
        }
    }
}
