import LatchkeyAccounts
import LatchkeyForms

/// Repeats the requests of a saved session on a database with the initial todos.
struct Replay {
    let session: SavedSession

    /// A response that differs.
    struct Difference: Equatable, Sendable {
        /// The line number in the log.
        let line: Int
        let then, now: String
    }

    /// The first difference; nil if all responses are equal.
    func difference() async throws(StoreError) -> Difference? {
        let folder = try ScratchFolder()
        defer { withExtendedLifetime(folder) {} }
        let store = try await TodoStore.open(folder.path + "/todos.sqlite", of: "replay")
        try await store.fill(with: session.todos)
        let servers = TodoServers(store)
        for asked in session.asked {
            // Skip failed requests: they changed nothing, and would not fail here.
            guard let answer = asked.answer, answer.json["response"]?.string != "failed" else { continue }
            let response = await servers.ask(asked.request)
            let now = ViewEvent.response(asked.number, response).json(of: "view")
            if now != answer.json {
                return Difference(line: answer.line, then: answer.json.encoded, now: now.encoded)
            }
        }
        return nil
    }
}
