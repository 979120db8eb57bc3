public import LatchkeyForms

/// Turns what a person means into calls of the view model, and a view state into a frame. Knows no terminal.
///
/// Owns where the focus and the caret are, and what depends on the time: until when a secret is shown, since when
/// an answer is waited for, until when one has to wait. All else is the view model's. How far a long value is scrolled follows from the caret
/// and the width, and is kept nowhere.
public struct FormMachine: Equatable, Sendable {
    public typealias Instant = ContinuousClock.Instant

    /// How long Ctrl-R shows a secret.
    public static let revealTime = Duration.seconds(10)

    public private(set) var focus: Focus
    /// In graphemes from the start of the field in focus; 0 elsewhere.
    public internal(set) var caret = 0
    var reveal: Reveal?
    /// Since when somebody waits for an answer.
    var busySince: Instant?
    /// When one may try again after too many attempts.
    var waitsUntil: Instant?

    /// A secret shown in clear. The widths are the machine's, because a view state does not tell them.
    struct Reveal: Equatable, Sendable {
        let deadline: Instant
        /// Cells before the caret.
        var caretColumn = 0
        /// Cells of the whole.
        var columns = 0
    }

    /// The focus is on the first field that has no answer yet, or on the button where all have one.
    ///
    /// - Parameter atItsTop: whether it is on the first field all the same: what is there already is to be looked at.
    public init(for state: FormViewState, atItsTop: Bool = false) {
        focus = atItsTop ? state.stops[0] : state.firstOpenStop
        move(to: focus, in: state)
    }

    /// Carries `action` out on `model`.
    ///
    /// - Returns: what is left for the front to do, in order.
    public mutating func handle(_ action: Action, on model: FormViewModel, at now: Instant) -> [Effect] {
        passTime(on: model, at: now)
        settle(in: model.state)
        let effects = model.state.isBusy ? effectsWhileBusy(of: action) : perform(action, on: model, at: now)
        settle(in: model.state)
        measureReveal(on: model)
        return effects
    }

    /// Puts the focus where there is something to mend after a call: the first field that was refused, or the first secret
    /// to be given again.
    public mutating func callEnded(_ state: FormViewState, at now: Instant) {
        waitsUntil = state.alert?.retryAfter.map { now.advanced(by: $0) }
        let refused = state.alert?.failures.lazy.compactMap(\.field).first { state.field($0) != nil }
        let toMend = refused ?? state.fields.first { $0.isSecret && $0.text.isEmpty }?.key ?? state.fields.first?.key
        move(to: toMend.map(Focus.field) ?? .submit, in: state)
    }

    // Typing goes nowhere while a call runs: what was typed for one screen must not land on the next.
    private func effectsWhileBusy(of action: Action) -> [Effect] {
        switch action {
        case .interrupt: [.interrupt]
        case .quit: [.quit]
        case .cancel: [.cancel]
        case .suspend: [.suspend]
        case .redraw: [.redraw]
        default: []
        }
    }

    private mutating func perform(_ action: Action, on model: FormViewModel, at now: Instant) -> [Effect] {
        let state = model.state
        switch action {
        case .insert(let text): return insert(text, on: model)
        case .paste(let text): return paste(text, on: model)
        case .answer(let text): return answer(text, on: model)
        case .deleteBack: return edit(.deleteBackward, on: model)
        case .deleteForward: return edit(.deleteForward, on: model)
        case .deleteWordBack: return edit(.deleteWordBackward, on: model)
        case .deleteToStart: return edit(.deleteToStart, on: model)
        case .deleteToEnd: return edit(.deleteToEnd, on: model)
        case .yank: return edit(.yank, on: model)
        case .unreadable: return refuse(.invalidUTF8, on: model)
        case .left: return moveCaret(to: caret - 1, otherwise: -1, in: state)
        case .right: return moveCaret(to: caret + 1, otherwise: 1, in: state)
        case .wordLeft: return moveCaret(to: wordStart(on: model), otherwise: -1, in: state)
        case .wordRight: return moveCaret(to: wordEnd(on: model), otherwise: 1, in: state)
        case .home: return moveCaret(to: 0, otherwise: 0, in: state)
        case .end: return moveCaret(to: .max, otherwise: 0, in: state)
        case .next: return next(in: state)
        case .previous: return step(-1, in: state)
        case .submit: return enter(on: model)
        case .follow(let type): return follow(type, in: state)
        case .followLink(let place):
            let ways = state.ways
            return ways.indices.contains(place) ? follow(ways[place].type, in: state) : [.bell]
        case .reveal: return toggleReveal(in: state, at: now)
        case .endOfText where focusedField(in: state)?.text.isEmpty == false: return edit(.deleteForward, on: model)
        case .cancel, .endOfText: return ending(.cancel)
        case .interrupt: return ending(.interrupt)
        case .quit: return ending(.quit)
        case .suspend: return ending(.suspend)
        case .redraw: return [.redraw]
        case .tick: return []
        }
    }

    private mutating func ending(_ effect: Effect) -> [Effect] {
        reveal = nil
        return [effect]
    }

    // MARK: The focus

    func focusedField(in state: FormViewState) -> FormViewState.Field? {
        guard case .field(let key) = focus else { return nil }
        return state.field(key)
    }

    mutating func move(to focus: Focus, in state: FormViewState) {
        self.focus = focus
        caret = focusedField(in: state)?.text.count ?? 0
        reveal = nil
    }

    /// Keeps focus and caret within a state that something else may have changed.
    private mutating func settle(in state: FormViewState) {
        let stops = state.stops
        if !stops.contains(focus) { move(to: stops[0], in: state) }
        let field = focusedField(in: state)
        caret = min(max(caret, 0), field?.text.count ?? 0)
        if field?.isSecret != true || state.isBusy { reveal = nil }
    }

    private mutating func step(_ distance: Int, in state: FormViewState) -> [Effect] {
        let stops = state.stops
        let index = stops.firstIndex(of: focus) ?? 0
        move(to: stops[(index + distance + stops.count) % stops.count], in: state)
        return []
    }

    /// On without a word about what is wrong, but not from where Enter has said so: from there lead only back and away.
    private mutating func next(in state: FormViewState) -> [Effect] {
        if let field = focusedField(in: state), field.failure != nil { return [.bell] }
        return step(1, in: state)
    }

    private mutating func follow(_ type: AccountType, in state: FormViewState) -> [Effect] {
        guard state.ways.contains(where: { $0.type == type }) else { return [.bell] }
        return ending(.follow(type))
    }

    // MARK: Enter

    mutating func enter(on model: FormViewModel) -> [Effect] {
        switch focus {
        case .link(let type): return follow(type, in: model.state)
        case .submit: return send(on: model)
        case .field(let key):
            model.validate(field: key)
            let state = model.state
            guard state.field(key)?.failure == nil else {
                clearSecondAnswer(key, on: model)
                return []
            }
            guard key == state.fields.last?.key else { return step(1, in: state) }
            return state.hasReview ? review(on: model) : send(on: model)
        }
    }

    private mutating func review(on model: FormViewModel) -> [Effect] {
        if case .invalid(let failures) = model.validateForm() {
            mend(failures, on: model)
        } else {
            move(to: .submit, in: model.state)
        }
        return []
    }

    private mutating func send(on model: FormViewModel) -> [Effect] {
        // The time that has passed was looked at already.
        if waitsUntil != nil { return [.wait] }
        if case .invalid(let failures) = model.validateForm() {
            mend(failures, on: model)
            return []
        }
        guard let credentials = model.takeCredentials() else { return [.bell] }
        model.callBegan()
        return ending(.submit(credentials))
    }

    private mutating func mend(_ failures: [RuleFailure], on model: FormViewModel) {
        guard let key = failures.lazy.compactMap(\.field).first else { return }
        move(to: .field(key), in: model.state)
        clearSecondAnswer(key, on: model)
    }

    /// A second answer that differs is asked for again; the first one stays.
    private mutating func clearSecondAnswer(_ key: FieldKey, on model: FormViewModel) {
        guard model.state.field(key)?.confirms != nil else { return }
        model.clear(key)
        caret = 0
    }
}
