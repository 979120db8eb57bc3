import LatchkeyForms
import LatchkeyTerminal
import LatchkeyText

/// The list screen as a value: it handles events and actions, and makes frames.
struct TodoScreen: Sendable {
    /// An action for the front.
    enum Step: Equatable, Sendable {
        case ask(ViewRequest)
        case create
        case edit(Int)
        case logOut
        case leave
        /// Shows the screen again.
        case stay
        /// The key has no effect here.
        case bell
    }

    private let title: String
    private let messages: MessageTable
    /// Whether the user types lines instead of keys.
    private let isPlain: Bool
    private var list = TodoList()
    private var loading = Loading()
    /// The ids of new or changed rows.
    private var fresh: Set<Int> = []
    private var selected: Int?
    private var query = ListQuery()
    /// Whether keys are typed into the search.
    private var isSearching = false
    private var notice: String?
    /// The place of the selection at each request that has no response yet.
    private var places: [Int: Int] = [:]
    /// The last change of each row that has no response yet. A key that comes before the response builds on it.
    private var changing: [Int: ViewRequest] = [:]
    /// The todo that was deleted last in this window.
    private var deleted: TodoRow?
    /// Whether a list has ever arrived.
    private var hasList = false

    init(title: String, messages: MessageTable, isPlain: Bool = false) {
        self.title = title
        self.messages = messages
        self.isPlain = isPlain
    }

    var isLoading: Bool { loading.isOn }

    // MARK: Events

    mutating func take(_ event: ViewEvent) {
        let request = loading.take(event)
        switch event {
        case .request(let number, _): places[number] = place
        case .response(let number, let response):
            let place = places.removeValue(forKey: number)
            if let request, let id = changing.first(where: { $0.value == request })?.key { changing[id] = nil }
            switch (response, request) {
            case (.list(let list, let changes), _): show(list, changes, answering: request, from: place)
            // The form shows its failures itself.
            case (.failed, .new), (.failed, .update), (.refused, .new), (.refused, .update): break
            case (.failed(let failure), _): notice = failure.sentence(in: messages)
            case (.refused(let failures), _):
                notice = failures.first.map { messages.sentence(for: $0, in: TodoForm.form("")) }
            case (.detail, _), (.closed, _): break
            }
        }
    }

    /// - Parameters:
    ///   - request: the request that the list answers; nil if the screen did not exist yet when it was made.
    ///   - asked: the place of the selection when the request was made.
    private mutating func show(
        _ new: TodoList, _ changes: RowChanges, answering request: ViewRequest?, from asked: Int?
    ) {
        let (old, before) = (list, place)
        list = new
        fresh = hasList ? Set(changes.inserted + changes.changed) : []
        hasList = true
        switch request {
        case .new: selected = changes.inserted.first ?? selected
        // The selection stays in its place, and the row moves according to its order.
        case .mark(let id, _): if let asked, selected == id { select(asked) }
        case .delete(let id): deleted = old.rows.first { $0.id == id }
        case .restore(let id) where new.rows.contains { $0.id == id }: selected = id
        default: break
        }
        if let deleted, new.rows.contains(where: { $0.id == deleted.id }) { self.deleted = nil }
        if isSearching && !query.search.isEmpty { select(0) }
        if place == nil { select(before ?? 0) }
    }

    // MARK: Keys

    mutating func handle(_ action: Action) -> Step {
        // A failure stays on the screen until the next key.
        notice = nil
        if isSearching, let step = search(action) { return step }
        switch action {
        case .key(.next): select((place ?? -1) + 1)
        case .key(.previous): select((place ?? 1) - 1)
        case .key(.home): select(0)
        case .key(.end): select(list.rows.count - 1)
        case .key(.submit): return withSelected { .edit($0) }
        case .insert: return step(for: action.letter)
        case .answer: return answer(action.text ?? "", action.letter)
        case .key(.cancel) where !query.search.isEmpty: return find("")
        case .key(.cancel), .key(.endOfText): return .leave
        case .key(.tick): break
        default: return .bell
        }
        return .stay
    }

    /// Adds to the search. Nil for keys that work as usual.
    private mutating func search(_ action: Action) -> Step? {
        switch action {
        case .insert, .paste: return find(query.search + (action.text ?? ""))
        case .key(.deleteBack): return find(String(query.search.dropLast()))
        case .key(.deleteToStart): return find("")
        case .key(.submit):
            isSearching = false
            return .stay
        case .key(.cancel):
            isSearching = false
            return find("")
        default: return nil
        }
    }

    private mutating func find(_ text: String) -> Step {
        // The longest possible title.
        query.search = String(text.prefix(80))
        return .ask(.list(query))
    }

    /// Handles a line on a terminal without keys. A number chooses a row, a slash starts a search, and one letter works
    /// like its key.
    private mutating func answer(_ line: String, _ letter: Character?) -> Step {
        if line.first == "/" { return find(String(line.dropFirst())) }
        if let number = UInt16(line), list.rows.indices.contains(Int(number) - 1) {
            select(Int(number) - 1)
            return .stay
        }
        let step = step(for: letter)
        // Such a terminal has no bell.
        if step == .bell, notice == nil { notice = "Enter one letter, the number of a todo, or / and part of a title" }
        return step
    }

    private mutating func step(for key: Character?) -> Step {
        switch key {
        case "n": .create
        case "e": withSelected { .edit($0) }
        case " ", "t": mark()
        case "d": delete()
        case "J": move(by: 1)
        case "K": move(by: -1)
        case "/": startSearch()
        case "f": next(\.filter)
        case "s": next(\.order)
        case "u": deleted.map { .ask(.restore($0.id)) } ?? .bell
        case "x": .logOut
        case "q": .leave
        default: .bell
        }
    }

    private func withSelected(_ step: (Int) -> Step) -> Step { selected.map(step) ?? .bell }

    private mutating func mark() -> Step {
        guard let row = place.map({ list.rows[$0] }) else { return .bell }
        switch changing[row.id] {
        case .delete?: return .bell
        case .mark(_, let isDone)?: return change(row.id, .mark(row.id, isDone: !isDone))
        default: return change(row.id, .mark(row.id, isDone: !row.isDone))
        }
    }

    private mutating func delete() -> Step {
        guard let row = place.map({ list.rows[$0] }) else { return .bell }
        if case .delete? = changing[row.id] { return .bell }
        return change(row.id, .delete(row.id))
    }

    private mutating func change(_ id: Int, _ request: ViewRequest) -> Step {
        changing[id] = request
        return .ask(request)
    }

    /// Moves the selected todo over its neighbour, in the order that the user sees.
    private mutating func move(by distance: Int) -> Step {
        guard let place, list.rows.indices.contains(place + distance),
            list.rows[place].isDone == list.rows[place + distance].isDone
        else { return .bell }
        guard query.order == .own else {
            notice = "Only your own order can be changed. Press s until the list shows it"
            return .bell
        }
        let next = distance < 0 ? place - 1 : place + 2
        return .ask(.move(list.rows[place].id, before: list.rows.indices.contains(next) ? list.rows[next].id : nil))
    }

    private mutating func startSearch() -> Step {
        isSearching = true
        return .ask(.list(query))
    }

    /// Changes the query to the next case, or after the last case to the first one.
    private mutating func next<Case: CaseIterable & Equatable>(_ part: WritableKeyPath<ListQuery, Case>) -> Step {
        let cases = Array(Case.allCases)
        let place = cases.firstIndex(of: query[keyPath: part]) ?? 0
        query[keyPath: part] = cases[(place + 1) % cases.count]
        return .ask(.list(query))
    }

    private var place: Int? { list.rows.firstIndex { $0.id == selected } }

    /// Selects the row at that index, or the nearest one.
    private mutating func select(_ place: Int) {
        selected = list.rows.isEmpty ? nil : list.rows[min(max(place, 0), list.rows.count - 1)].id
    }

    // MARK: The frame

    func frame(columns: Int) -> Frame {
        var builder = FrameBuilder(columns: columns)
        builder.text(title, .title)
        // Below the title, where it is visible however long the list is.
        builder.row(state.map { [.text($0, .hint)] }, indent: 0, gap: 3)
        if isSearching { field(in: &builder) }
        let cursor = builder.frame.cursor
        if let notice { builder.text(notice, .error, indent: 2, mark: .wrong) }
        builder.pin(0..<builder.frame.lines.count)
        builder.blank()
        for (place, row) in list.rows.enumerated() {
            builder.item(runs(of: row), number: place + 1, isSelected: row.id == selected)
        }
        if isSearching { builder.moveCursor(to: cursor) }
        if hasList && list.rows.isEmpty {
            let isWhole = query.search.isEmpty && query.filter == .all
            builder.text(isWhole ? "Nothing to do." : "No todo matches.", .hint, indent: 2)
        }
        builder.blank()
        builder.keys(isSearching ? ["Enter: keep the search", "Esc: end it"] : keys)
        return builder.frame
    }

    /// The keys that have an effect now.
    private var keys: [String] {
        var keys = ["n: new"]
        if isPlain, list.rows.count > 1 { keys.append("1 to \(list.rows.count): choose") }
        if let place {
            let mark = isPlain ? "t" : "Space"
            keys += ["Enter: edit", mark + (list.rows[place].isDone ? ": not done" : ": done"), "d: delete"]
        }
        if let deleted { keys.append("u: restore \(deleted.title)") }
        if place != nil, query.order == .own { keys.append("J K: move") }
        keys.append("/: search")
        if hasList, !list.rows.isEmpty || query.filter != .all { keys += ["f: filter", "s: sort"] }
        if !query.search.isEmpty { keys.append(isPlain ? "<: all todos" : "Esc: all todos") }
        return keys + ["x: log out", "q: quit"]
    }

    /// The line below the title: the content and the order of the list.
    private var state: [String] {
        if loading.isOn { return ["Loading…"] }
        let filter: String? =
            switch query.filter {
            case .all: nil
            case .open: "only open ones"
            case .done: "only done ones"
            }
        let order: String? =
            switch query.order {
            case .due: nil
            case .priority: "by priority"
            case .title: "by title"
            case .own: "in your own order"
            }
        let search = query.search.isEmpty || isSearching ? nil : "with \"\(TerminalEscaper.visible(query.search))\""
        return [list.summary] + [filter, order, search].compactMap(\.self)
    }

    private func field(in builder: inout FrameBuilder) {
        let text = TerminalEscaper.visible(query.search)
        builder.placeCursor(column: min(2 + CellWidth.of(text), builder.width - 1))
        builder.line(
            builder.clipped(
                [
                    .text("/ ", .accent),
                    text.isEmpty ? .text("Part of a title or note, Esc ends", .placeholder) : .text(text, .value),
                ], to: builder.width))
    }

    private func runs(of row: TodoRow) -> [Frame.Run] {
        let role: Role = fresh.contains(row.id) ? .accent : row.isDone ? .muted : .value
        return [
            row.isDone ? .symbol(.done, .success) : .text(" ", .plain), .text(" ", .plain),
            .text(TerminalEscaper.visible(row.title), role), .text("  " + row.remark, .hint),
        ]
    }
}
