import LatchkeyForms

extension ViewRequest {
    /// For example `new "Buy milk"`.
    var words: String {
        switch self {
        case .list(let query):
            "list \(query.filter.rawValue), order \(query.order.rawValue)"
                + (query.search.isEmpty ? "" : ", search \"\(query.search)\"")
        case .refresh: "list, because another window changed it"
        case .detail(let id): "show \(id)"
        case .new(let texts): "new \"\(texts[TodoForm.title] ?? "")\""
        case .update(let id, let texts, over: _): "change \(id) to \"\(texts[TodoForm.title] ?? "")\""
        case .mark(let id, let isDone): "mark \(id) as \(isDone ? "done" : "open")"
        case .move(let id, let other): "move \(id) " + (other.map { "before \($0)" } ?? "to the end")
        case .delete(let id): "delete \(id)"
        case .restore(let id): "restore \(id)"
        case .close: "close"
        }
    }
}

extension ViewResponse {
    /// For example `2 open, 1 done`.
    var words: String {
        switch self {
        case .list(let list, _): list.summary
        case .detail(let detail): detail.texts[TodoForm.title] ?? ""
        case .refused(let failures): "refused, " + failures.map(\.code.rawValue).joined(separator: ", ")
        case .failed(let failure): "failed, " + failure.rawValue
        case .closed: "closed"
        }
    }
}
