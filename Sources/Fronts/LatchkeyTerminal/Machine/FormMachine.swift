public import LatchkeyForms

/// Translates actions into calls of the view model, and a view state into a frame. It performs no I/O.
///
/// It owns the focus, the caret and three timers: for a revealed secret, for a running call, and for a wait. The view
/// model owns everything else. The scroll offset of a long value is computed from the caret and the width.
public struct FormMachine: Equatable, Sendable {
    /// A point in time of the continuous clock.
    public typealias Instant = ContinuousClock.Instant

    /// The time during which Ctrl-R reveals a secret.
    public static let revealTime = Duration.seconds(10)
    /// The time without a key press after which secrets are erased.
    public static let idleTime = Duration.seconds(300)

    /// What the next key acts on.
    public private(set) var focus: Focus
    /// The caret's position, in graphemes from the start of the focused field; 0 if a button or link has the focus.
    public internal(set) var caret = 0
    var reveal: Reveal?
    /// The highlighted option of a field with options.
    var selection = Selection()
    /// The start of the running call.
    var busySince: Instant?
    /// After too many attempts, the time when the user may submit again; nil if there is no wait.
    var waitsUntil: Instant?
    /// Whether an editor is available for fields with several lines.
    let hasEditor: Bool
    /// The text from the editor that the focused field did not accept. The editor opens with it again next time.
    var draft: [UInt8]?
    /// Whether Esc returns to an earlier screen instead of quitting.
    let goesBack: Bool
    /// Whether the form is submitted automatically when ``waitsUntil`` is reached.
    var submitsAfterWait = false
    /// The time when secrets are erased unless a key is pressed before.
    var secretsUntil: Instant?
    /// The fields with secrets from the last call. The first key typed into such a field replaces its value.
    private var usedSecrets: Set<FieldKey> = []

    /// A request to the owner of the machine after an ``Action``. Ctrl-C, Ctrl-\ and Ctrl-L cause no request, because
    /// the loop handles them.
    public enum Request: Sendable {
        /// Call the service. The model is busy already, so no second call can be requested.
        case submit(Credentials)
        /// Shows the form of another flow.
        case follow(AccountType)
        /// Return to the previous form, or quit from the first one.
        case cancel
        /// The key has no effect here.
        case bell
        /// Open the user's editor with this text, for the focused field.
        case edit([UInt8])
        /// Show the remaining wait. The form cannot be submitted yet, because of too many attempts.
        case wait
    }

    /// A secret that is shown in plain text. The machine stores its width, because the view state does not reveal it.
    struct Reveal: Equatable, Sendable {
        /// Nil for a field that is not masked.
        let deadline: Instant?
        /// The number of cells before the caret.
        var caretColumn = 0
        /// The number of cells of the whole value.
        var columns = 0
    }

    /// Focuses the first field without a valid answer, or the button if all fields have one.
    ///
    /// - Parameters:
    ///   - atItsTop: whether to focus the first field instead, so that the user can review all fields.
    ///   - goesBack: whether Esc returns to an earlier screen instead of quitting.
    ///   - hasEditor: whether a text editor is available for fields with several lines.
    ///   - state: the state of the form that the machine is for.
    public init(for state: FormViewState, atItsTop: Bool = false, goesBack: Bool = false, hasEditor: Bool = false) {
        self.goesBack = goesBack
        self.hasEditor = hasEditor
        focus = atItsTop ? state.focusOrder[0] : state.firstUnanswered
        move(to: focus, in: state)
    }

    /// Performs `action` on `model`.
    ///
    /// - Returns: the requests to the owner of the machine, in order.
    public mutating func handle(_ action: Action, on model: FormViewModel, at now: Instant) -> [Request] {
        let mayGo = passTime(on: model, at: now)
        clampFocus(in: model.state)
        showUnmasked(in: model.state)
        if case .key(.tick) = action {
            if mayGo, !model.state.isBusy { return send(on: model) }
        } else {
            submitsAfterWait = false
        }
        replaceUsedSecret(before: action, on: model)
        let requests = model.state.isBusy ? requestsDuringCall(for: action) : perform(action, on: model, at: now)
        noteSecrets(in: model.state, after: action, at: now)
        clampFocus(in: model.state)
        measureReveal(on: model)
        return requests
    }

    /// Focuses the field to correct after a call: the first refused field, or the first secret.
    public mutating func callEnded(_ state: FormViewState, at now: Instant) {
        waitsUntil = state.alert?.retryAfter.map { now.advanced(by: $0) }
        usedSecrets = Set(state.fields.filter { $0.isSecret && !$0.text.isEmpty }.map(\.key))
        let refused = state.alert?.failures.lazy.compactMap(\.field).first { state.field($0) != nil }
        let toCorrect = refused ?? state.fields.first(where: \.isSecret)?.key ?? state.fields.first?.key
        move(to: toCorrect.map(Focus.field) ?? .submit, in: state)
    }

    /// Erases a previously submitted secret when the user begins to type a new one.
    private mutating func replaceUsedSecret(before action: Action, on model: FormViewModel) {
        guard case .field(let key) = focus, usedSecrets.contains(key), !model.state.isBusy else { return }
        switch action {
        case .insert, .paste, .answer, .edited, .key(.deleteBack): break
        case .follow, .followLink, .key: return
        }
        usedSecrets.remove(key)
        model.clear(key)
        caret = 0
    }

    private mutating func noteSecrets(in state: FormViewState, after action: Action, at now: Instant) {
        if case .key(.tick) = action { return }
        let hasSecrets = state.fields.contains { $0.isSecret && !$0.text.isEmpty }
        secretsUntil = hasSecrets ? now.advanced(by: Self.idleTime) : nil
    }

    // The session queues everything else.
    private func requestsDuringCall(for action: Action) -> [Request] {
        if case .key(.cancel) = action { [.cancel] } else { [] }
    }

    private mutating func perform(_ action: Action, on model: FormViewModel, at now: Instant) -> [Request] {
        let state = model.state
        switch action {
        case .insert(let text): return insert(text, on: model)
        case .paste(let text): return paste(text, on: model)
        case .answer(let text): return answer(text, on: model)
        case .edited(let text): return take(edited: text, on: model)
        case .follow(let type): return follow(type, in: state)
        case .followLink(let index):
            let links = state.allLinks
            return links.indices.contains(index) ? follow(links[index].type, in: state) : [.bell]
        case .key(let key): return perform(key, on: model, at: now)
        }
    }

    private mutating func perform(_ key: Action.Key, on model: FormViewModel, at now: Instant) -> [Request] {
        if let requests = choose(with: key, on: model) ?? performInKind(key, on: model) { return requests }
        let state = model.state
        switch key {
        case .deleteBack: return edit(.deleteBackward, on: model)
        case .deleteForward: return edit(.deleteForward, on: model)
        case .deleteWordBack: return edit(.deleteWordBackward, on: model)
        case .deleteToStart: return edit(.deleteToStart, on: model)
        case .deleteToEnd: return edit(.deleteToEnd, on: model)
        case .yank: return edit(.yank, on: model)
        case .unreadable: return refuse(.invalidUTF8, on: model)
        case .editorFailed: return refuse(.editor, on: model)
        case .left: return moveCaret(to: caret - 1, otherwise: -1, in: state)
        case .right: return moveCaret(to: caret + 1, otherwise: 1, in: state)
        case .wordLeft: return moveCaret(to: wordStart(on: model), otherwise: -1, in: state)
        case .wordRight: return moveCaret(to: wordEnd(on: model), otherwise: 1, in: state)
        case .home: return moveCaret(to: 0, otherwise: 0, in: state)
        case .end, .editor: return moveCaret(to: .max, otherwise: 0, in: state)
        case .next, .tab: return next(in: state)
        case .previous, .backTab: return step(-1, in: state)
        case .pageUp, .pageDown: return [.bell]
        case .newLine: return enter(on: model)
        case .submit: return enter(on: model)
        case .reveal: return toggleReveal(in: state, at: now)
        case .endOfText where focusedField(in: state)?.text.isEmpty == false: return edit(.deleteForward, on: model)
        case .cancel, .endOfText: return leave(by: .cancel)
        case .interrupt, .quit, .suspend:
            reveal = nil
            return []
        case .redraw, .tick: return []
        }
    }

    /// Hides a revealed secret before the form closes.
    private mutating func leave(by request: Request) -> [Request] {
        reveal = nil
        return [request]
    }

    // MARK: The focus

    func focusedField(in state: FormViewState) -> FormViewState.Field? {
        guard case .field(let key) = focus else { return nil }
        return state.field(key)
    }

    mutating func move(to focus: Focus, in state: FormViewState) {
        self.focus = focus
        caret = focusedField(in: state)?.text.count ?? 0
        draft = nil
        reveal = nil
        showUnmasked(in: state)
        resetSelection(in: state)
    }

    /// Shows the focused secret if it is not masked.
    private mutating func showUnmasked(in state: FormViewState) {
        guard let field = focusedField(in: state), field.isSecret, !field.isMasked, !state.isBusy else { return }
        reveal = reveal ?? Reveal(deadline: nil)
    }

    /// Moves focus and caret back into the form after its fields or values have changed.
    private mutating func clampFocus(in state: FormViewState) {
        let order = state.focusOrder
        if !order.contains(focus) { move(to: order[0], in: state) }
        let field = focusedField(in: state)
        caret = min(max(caret, 0), field?.text.count ?? 0)
        if field?.isSecret != true || state.isBusy { reveal = nil }
    }

    private mutating func step(_ distance: Int, in state: FormViewState) -> [Request] {
        let order = state.focusOrder
        let index = order.firstIndex(of: focus) ?? 0
        move(to: order[(index + distance + order.count) % order.count], in: state)
        return []
    }

    /// Moves to the next field without validation. The focus stays in a field whose error Enter has already reported.
    private mutating func next(in state: FormViewState) -> [Request] {
        if let field = focusedField(in: state), field.failure != nil { return [.bell] }
        return step(1, in: state)
    }

    private mutating func follow(_ type: AccountType, in state: FormViewState) -> [Request] {
        guard state.allLinks.contains(where: { $0.type == type }) else { return [.bell] }
        return leave(by: .follow(type))
    }

    // MARK: Enter

    mutating func enter(on model: FormViewModel) -> [Request] {
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

    private mutating func review(on model: FormViewModel) -> [Request] {
        if case .invalid(let failures) = model.validateForm() {
            focusFirst(failures, on: model)
        } else {
            move(to: .submit, in: model.state)
        }
        return []
    }

    private mutating func send(on model: FormViewModel) -> [Request] {
        // `handle` has already cleared the wait if it is over.
        if waitsUntil != nil { return [.wait] }
        if case .invalid(let failures) = model.validateForm() {
            focusFirst(failures, on: model)
            return []
        }
        guard let credentials = model.takeCredentials(keepingSecrets: true) else { return [.bell] }
        model.callBegan()
        return leave(by: .submit(credentials))
    }

    private mutating func focusFirst(_ failures: [RuleFailure], on model: FormViewModel) {
        guard let key = failures.lazy.compactMap(\.field).first else { return }
        move(to: .field(key), in: model.state)
        clearSecondAnswer(key, on: model)
    }

    /// Clears a confirmation that differs from the first answer, so that the user types it again.
    private mutating func clearSecondAnswer(_ key: FieldKey, on model: FormViewModel) {
        guard model.state.field(key)?.confirms != nil else { return }
        model.clear(key)
        caret = 0
    }
}
