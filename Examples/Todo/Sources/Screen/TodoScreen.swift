import LatchkeyForms
import LatchkeySecrets
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
        /// The key has no effect here.
        case bell
    }

    private let title: String
    private let messages: MessageTable
    private var list = TodoList()
    private var loading = Loading()
    /// The ids of new or changed rows.
    private var fresh: Set<Int> = []
    private var selected: Int?
    private var query = ListQuery()
    /// Whether keys are typed into the search.
    private var isSearching = false
    private var notice: String?
    /// The numbers of this window's requests for new todos. Only these new todos move the selection.
    private var additions: Set<Int> = []
    /// The requests that mark a todo, with its id and place. The selection stays in the place, and the row moves
    /// according to its order.
    private var marks: [Int: (id: Int, place: Int)] = [:]
    /// The todo that was deleted last in this window.
    private var deleted: TodoRow?
    /// Whether a list has ever arrived.
    private var hasList = false

    init(title: String, messages: MessageTable) {
        self.title = title
        self.messages = messages
    }

    var isLoading: Bool { loading.isOn }

    // MARK: Events

    mutating func take(_ event: ViewEvent) {
        loading.take(event)
        switch event {
        case .request(let number, .new): additions.insert(number)
        case .request(let number, .mark(let id, _)):
            if let place = list.rows.firstIndex(where: { $0.id == id }) { marks[number] = (id, place) }
        case .request: break
        case .response(let number, .list(let list, let changes)):
            show(list, changes, isOwn: additions.remove(number) != nil, after: marks.removeValue(forKey: number))
        case .response(let number, .failed(let failure)):
            notice = failure.sentence(in: messages)
            marks[number] = nil
            // A todo that is still in the list was not deleted.
            if let row = deleted, list.rows.contains(where: { $0.id == row.id }) { deleted = nil }
        case .response(_, .refused(let failures)):
            // A form shows this failure itself. A failed deletion cannot be taken back.
            if deleted != nil { notice = failures.first.map { messages.sentence(for: $0, in: TodoForm.form("")) } }
        case .response(_, .detail), .response(_, .closed): break
        }
    }

    /// - Parameters:
    ///   - isOwn: whether this window has inserted the new rows.
    ///   - mark: the todo that this window has marked.
    private mutating func show(_ new: TodoList, _ changes: RowChanges, isOwn: Bool, after mark: (id: Int, place: Int)?)
    {
        let before = place
        list = new
        fresh = hasList ? Set(changes.inserted + changes.changed) : []
        hasList = true
        if isOwn, let id = changes.inserted.first { selected = id }
        if let deleted, new.rows.contains(where: { $0.id == deleted.id }) { self.deleted = nil }
        if let mark, selected == mark.id { select(mark.place) }
        if isSearching && !query.search.isEmpty { select(0) }
        if place == nil { select(before ?? 0) }
    }

    // MARK: Keys

    mutating func handle(_ action: Action) -> [Step] {
        // A failure stays on the screen until the next key.
        notice = nil
        if isSearching, let steps = search(action) { return steps }
        switch action {
        case .key(.next): select((place ?? -1) + 1)
        case .key(.previous): select((place ?? 1) - 1)
        case .key(.home): select(0)
        case .key(.end): select(list.rows.count - 1)
        case .key(.submit): return [withSelected { .edit($0) }]
        case .insert(let keys): return keys.characters.map { key in step(for: key) }
        case .answer(let line): return answer(line.characters)
        case .key(.cancel) where !query.search.isEmpty: return [find("")]
        case .key(.cancel), .key(.endOfText): return [.leave]
        case .key(.tick): break
        default: return [.bell]
        }
        return []
    }

    /// Adds to the search. Nil for keys that work as usual.
    private mutating func search(_ action: Action) -> [Step]? {
        switch action {
        case .insert(let keys), .paste(let keys): return [find(query.search + String(keys.characters))]
        case .key(.deleteBack): return [find(String(query.search.dropLast()))]
        case .key(.deleteToStart): return [find("")]
        case .key(.submit):
            isSearching = false
            return []
        case .key(.cancel):
            isSearching = false
            return [find("")]
        default: return nil
        }
    }

    private mutating func find(_ text: String) -> Step {
        // The longest possible title.
        query.search = String(text.prefix(80))
        return .ask(.list(query))
    }

    /// Handles a line on a terminal without keys. A number chooses a row, a slash starts a search, and letters work
    /// like keys.
    private mutating func answer(_ line: [Character]) -> [Step] {
        if line.first == "/" { return [find(String(line.dropFirst()))] }
        guard let number = UInt16(String(line)) else { return line.map { key in step(for: key) } }
        guard list.rows.indices.contains(Int(number) - 1) else { return [.bell] }
        select(Int(number) - 1)
        return []
    }

    private mutating func step(for key: Character) -> Step {
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
        guard let place else { return .bell }
        return .ask(.mark(list.rows[place].id, isDone: !list.rows[place].isDone))
    }

    private mutating func delete() -> Step {
        guard let place else { return .bell }
        deleted = list.rows[place]
        return .ask(.delete(list.rows[place].id))
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
        var keys = ["n: new", "Enter: edit", "Space: done", "d: delete"]
        if query.order == .own { keys.append("J K: move") }
        keys += ["/: search", "f: filter", "s: sort", "x: log out", "q: quit"]
        if let deleted, !loading.isOn { keys.insert("u: restore \(deleted.title)", at: 4) }
        builder.keys(keys)
        return builder.frame
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

extension Secret {
    /// The typed characters, which are not secret here.
    fileprivate var characters: [Character] {
        withBytes { bytes in Array(String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)) }
    }
}
